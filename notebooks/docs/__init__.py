"""The site: `pages/` is written by hand, `made/` makes what the program, the ontology and the READMEs hold already."""
