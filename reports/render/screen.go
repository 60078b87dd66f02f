package render

import (
	"math/big"
	"strings"

	"mtok/reports"
)

// screenText is a cell as a person reads it, before escaping.
func screenText(c reports.Cell, col reports.Column) string {
	switch c.Kind {
	case reports.KindNull:
		return "-"
	case reports.KindMoney:
		return groupThousands(c.Amount.Fixed(col.Decimals))
	case reports.KindNumber:
		return screenNumber(c.Text, col)
	case reports.KindBool:
		if c.Text == "true" {
			return "yes"
		}
		return "no"
	}
	return c.Text
}

func screenNumber(text string, col reports.Column) string {
	if r, ok := new(big.Rat).SetString(text); ok {
		text = r.FloatString(col.Decimals)
	}
	return groupThousands(text)
}

// groupThousands turns 4418 into 4,418.
func groupThousands(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, frac, hasPoint := strings.Cut(number, ".")
	var b strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if hasPoint {
		b.WriteString("." + frac)
	}
	return sign + b.String()
}
