"""How the sample world is made: everything follows from a seed, nothing is drawn at run time."""
