"""The reward of [E-MRL] (arXiv 2606.23888): tumor existence, attributes, and consistency with the key slice."""
