"""Travel: the protocol of providers, what they offer, and the sample world that ships."""
