package scrapers

// All lists the providers of GPUs in the order of reports. With APIs it is the
// only registry.
func All() []Provider {
	return []Provider{
		Lambda(),
		CoreWeave(),
		Crusoe(),
		RunPod(),
		Vast(),
		Fluidstack(),
	}
}

// APIs lists the sources of the prices that an API asks for tokens. They rent
// out nothing: no count of providers, and no price of a GPU, has them in it.
func APIs() []Provider {
	return []Provider{
		OpenRouter(),
		LiteLLM(),
	}
}

// Registry lists everybody that a night asks: the providers of GPUs, then the
// price lists of APIs.
func Registry() []Provider { return append(All(), APIs()...) }
