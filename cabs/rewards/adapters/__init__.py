"""Rewards in the call shapes of trainers, one file each. No trainer is imported here: they call, CABS answers.

`trl` and `verl` are ready to name; `generic` is what every other trainer is bound with (README.md beside this file).
"""
