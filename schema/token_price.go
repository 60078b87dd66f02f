package schema

import (
	"math/big"
	"time"
)

// The providers that list prices of tokens, not of GPUs.
const (
	ProviderOpenRouter ProviderID = "openrouter"
	ProviderLiteLLM    ProviderID = "litellm"
)

// TokenProviders are the providers that list prices of tokens.
func TokenProviders() []ProviderID { return []ProviderID{ProviderOpenRouter, ProviderLiteLLM} }

// ListsTokens reports whether a provider lists prices of tokens: it rents out no
// GPU and is in no count of those that do.
func (p ProviderID) ListsTokens() bool { return p == ProviderOpenRouter || p == ProviderLiteLLM }

// TokenKey tells one listed price of tokens from every other.
type TokenKey struct {
	Provider ProviderID
	Source   string
	Model    string // as the source names it
	// Endpoint is who answers, empty where the source gives one price for
	// whoever does.
	Endpoint  string
	Precision string // of the weights, as listed; empty where it is not
	// MinPromptTokens is where a price tier by the length of the prompt begins.
	MinPromptTokens int64
}

// TokenPrice is a listed price of tokens, in USD per million tokens, each rounded
// once. An amount of 0 was not listed: no source sells tokens for nothing.
type TokenPrice struct {
	TokenKey
	In, Out               USD
	CacheRead, CacheWrite USD    // of input that the endpoint keeps
	UptimePPM             *int64 // share of requests answered, in millionths; nil where not published
	PriceText             string // as listed
	// Excluded is the reason why a price is kept but never compared with.
	Excluded string
}

// Priced reports whether input and output have a price that counts.
func (p TokenPrice) Priced() bool { return p.Excluded == "" && p.In > 0 && p.Out > 0 }

// TokenObservation is one listed price of tokens, seen by one fetch.
type TokenObservation struct {
	TokenPrice
	Day     Day
	Slot    int64 // unix seconds
	Origin  Origin
	FetchID int64
	// PageSHA256 and FetchedAt are read with it and ignored when saving.
	PageSHA256 string
	FetchedAt  time.Time
	// Quarantine is the id of the quarantine that holds the night; 0 for none.
	Quarantine int64
}

// DailyAPIPrice is the price of tokens on one day: the newest of that day.
type DailyAPIPrice struct {
	Day Day
	TokenKey
	Origin                Origin
	In, Out               USD // per million tokens, 0 where not listed
	CacheRead, CacheWrite USD
	PriceText             string
	AsOf                  int64 // unix seconds of the fetch
}

// TokenPriceFilter selects listed prices of tokens; empty fields select
// everything. A discarded or replaced night is never selected.
type TokenPriceFilter struct {
	FromDay, ToDay Day // inclusive; ToDay 0 for no end
	Provider       ProviderID
	IncludeHeld    bool // also nights that a quarantine holds
}

// tokensPerMTok turns a price of one token into that of a million.
const tokensPerMTok = 1_000_000

// PerMTok is the price of a million tokens, of the listed price of one in USD.
func PerMTok(perToken Decimal) (USD, error) {
	return RoundUSD(new(big.Rat).Mul(perToken.Rat(), big.NewRat(tokensPerMTok, 1)))
}
