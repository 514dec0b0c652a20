"""Changes the libraries that act on a script's behalf, each when it is loaded."""
