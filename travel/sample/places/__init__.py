"""Places of the sample world: airports, cities, towns and the names that people use for them."""
