"""Training a report generator with CABS's rewards: a configuration, checked data, launch. Nothing is scored here.

`cabs train CONFIG.yaml` runs it over TRL (extra `train`); `cabs export verl` writes what verl takes. torch, TRL and
what they need are imported in the modules that run them alone: checks and exports need none of it.
"""
