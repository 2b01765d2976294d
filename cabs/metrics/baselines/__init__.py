"""Thin adapters to other people's metrics, one a file, so that CABS can be compared with them. Each imports its library
where it is used; README.md beside this file tells how metrics that run elsewhere come in as columns."""
