package scrapers

// All lists the providers in the order of reports. It is the only registry.
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
