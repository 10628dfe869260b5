"""What each provider accepts: rules as data, and the checks that they go by.

`names` lists the providers, `entries` and `observations` look at a request, `rules` says who minds
what, `overrides` adds a user's own rules, `request` is what ai4j's clients make of a list.
"""
