"""How fast CABS is beside other scorers on the same pairs, in one run."""
