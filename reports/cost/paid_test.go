package cost_test

import (
	"errors"
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

// 8 GPUs at 2.49 in November, 4.2 G output tokens.
func TestInvoice(t *testing.T) {
	november, err := cost.ParseMonth("2026-11")
	if err != nil {
		t.Fatal(err)
	}
	invoice, err := cost.Rent(schema.MustDecimal("2.49"), 8, november.Hours())
	if err != nil || invoice.Fixed(2) != "14342.40" {
		t.Fatalf("invoice %s, %v, want 14342.40", invoice, err)
	}
	tokens := schema.MustDecimal("4200000000")
	paid, err := cost.Paid(invoice, tokens)
	if err != nil || paid.Fixed(3) != "3.415" {
		t.Errorf("paid %s, %v, want 3.415", paid, err)
	}
	busy, err := cost.Achieved(tokens, schema.MustDecimal("4418"), 4, november.Hours())
	if err != nil || busy.FloatString(4) != "0.0917" {
		t.Errorf("achieved %v, %v, want 0.0917", busy, err)
	}
}

func TestInvoiceRefuses(t *testing.T) {
	price := schema.MustDecimal("2.49")
	for name, err := range map[string]error{
		"price 0": second(cost.Rent(schema.MustDecimal("0"), 8, 720)), "no price": second(cost.Rent(schema.Decimal{}, 8, 720)),
		"no GPUs": second(cost.Rent(price, 0, 720)), "no hours": second(cost.Rent(price, 8, 0)),
		"no invoice": second(cost.Paid(0, price)), "tokens unknown": second(cost.Paid(1, schema.Decimal{})),
		"tokens 0": second(cost.Paid(1, schema.MustDecimal("0"))),
		"idle":     second(cost.Achieved(schema.Decimal{}, price, 1, 1)), "no throughput": second(cost.Achieved(price, schema.Decimal{}, 1, 1)),
		"no configuration": second(cost.Achieved(price, price, 0, 1)),
	} {
		if !errors.Is(err, cost.ErrInput) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
