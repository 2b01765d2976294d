"""A run as verl takes it: tables of rows, and scripts that launch it. verl itself is not imported."""
