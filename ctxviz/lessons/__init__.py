"""Floor 4: guided lessons, one data file each.

`lesson` reads them, `answers` judges what they ask, `progress` remembers which are done.
"""
