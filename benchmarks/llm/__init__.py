"""The LLM backend against a server that answers by script: how fast, what a kill costs, what bad answers do."""
