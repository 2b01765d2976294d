"""A board → a static site that needs no server and asks for nothing outside its folder."""
