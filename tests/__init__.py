"""The tests of CABS."""
