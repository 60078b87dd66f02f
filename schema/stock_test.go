package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
)

func TestStockPointsText(t *testing.T) {
	for text, points := range map[string]schema.StockPoints{
		"":       nil,
		"8x low": {{GPUs: 8, Level: "low"}},
		"1x high, 2x none, 8x us-west-1 available": {
			{GPUs: 1, Level: "high"}, {GPUs: 2, Level: "none"}, {GPUs: 8, Region: "us-west-1", Level: "available"},
		},
	} {
		if got := points.String(); got != text {
			t.Errorf("String() = %q, want %q", got, text)
		}
		var back schema.StockPoints
		if err := back.UnmarshalText([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(points, back); diff != "" {
			t.Errorf("%q read back (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{"low", "8 low", "8x", "0x low", "x low", "8x a b c", "8x low,"} {
		var s schema.StockPoints
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %v", text, s)
		}
	}
}

func TestStockFor(t *testing.T) {
	listing := schema.Offer{
		OfferKey: schema.OfferKey{GPUCount: 1}, PerGPU: true, Stock: schema.StockAvailable,
		StockPoints: schema.StockPoints{
			{GPUs: 2, Level: schema.LevelNone}, {GPUs: 8, Region: "a", Level: schema.LevelNone},
			{GPUs: 8, Region: "b", Level: "low"}, {GPUs: 4, Level: ""},
		},
	}
	node := schema.Offer{OfferKey: schema.OfferKey{GPUCount: 8}, Stock: schema.StockSoldOut}
	for _, tt := range []struct {
		name  string
		offer schema.Offer
		gpus  int
		want  schema.Stock
	}{
		{"the offer's own count", listing, 1, schema.StockAvailable},
		{"none at this count", listing, 2, schema.StockSoldOut},
		{"nothing is said of the count", listing, 3, schema.StockUnknown},
		{"asked and not answered", listing, 4, schema.StockUnknown},
		{"one region of two", listing, 8, schema.StockAvailable},
		{"a part of a node that is gone", node, 2, schema.StockSoldOut},
	} {
		if got := tt.offer.StockFor(tt.gpus); got != tt.want {
			t.Errorf("%s: StockFor(%d) = %d, want %d", tt.name, tt.gpus, got, tt.want)
		}
	}
}

func TestSecretIsNeverPrinted(t *testing.T) {
	const canary = "k-canary-0123456789"
	secret := schema.Secret(canary)
	raw, err := json.Marshal(map[string]any{"key": secret})
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw) + secret.LogValue().String()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		text += fmt.Sprintf(verb, secret) + fmt.Sprintf(verb, struct{ Key schema.Secret }{secret})
	}
	if strings.Contains(text, canary) || strings.Contains(text, fmt.Sprintf("%x", canary)) {
		t.Errorf("printed: %s", text)
	}
	if secret.Reveal() != canary || schema.Secret("").String() != "" {
		t.Error("Reveal or the empty secret is wrong")
	}
}
