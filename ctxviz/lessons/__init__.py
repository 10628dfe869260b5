"""Floor 4: guided lessons, one data file each. `lesson` reads them, `progress` remembers which are done."""
