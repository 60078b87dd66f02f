package pipeline_test

import (
	"slices"
	"strings"
)

// priceForm writes a price as a page might that changed its form. None of them
// states another price in the same form and unit.
type priceForm struct {
	name  string
	write func(amount, suffix string) string
}

// text makes a form of a pattern, in which $ stands for the price with its
// dollar sign, # for the figure alone, % for what the page prints after it and
// @ for the price of another row.
func text(name, pattern string) priceForm {
	return priceForm{name, func(amount, suffix string) string {
		out := ""
		for _, r := range pattern {
			switch r {
			case '$':
				out += "$" + amount
			case '#':
				out += amount
			case '%':
				out += suffix
			case '@':
				out += "$5.99"
			default:
				out += string(r)
			}
		}
		return out
	}}
}

// scale is the price in another unit.
func scale(name string, num, den int64) priceForm {
	return priceForm{name, func(amount, suffix string) string { return "$" + times(amount, num, den) + suffix }}
}

func scaled(name string, num, den int64, unit string) priceForm {
	return priceForm{name, func(amount, suffix string) string { return "$" + times(amount, num, den) + unit }}
}

// digits rewrites the figure's characters.
func digits(name string, change func(amount string) string) priceForm {
	return priceForm{name, func(amount, suffix string) string { return change(amount) + suffix }}
}

// unitForms are prices for something else: the figures of the same row in
// another unit. They are given to single rows and to all at once.
func unitForms() []priceForm {
	return []priceForm{
		scale("x4", 4, 1), scale("by4", 1, 4), scale("x8", 8, 1), scale("by8", 1, 8),
		scale("x10", 10, 1), scale("by10", 1, 10), scale("x24", 24, 1), scale("x100", 100, 1), scale("by100", 1, 100),
		scale("x730", 730, 1), scale("x1000", 1000, 1),
		text("zero", "&#36;0.00%"), text("half-dollar", "&#36;0.50%"), text("cent", "&#36;0.01%"),
	}
}

// figureForms break the figure.
func figureForms() []priceForm {
	cut := func(at int) func(string) string {
		return func(a string) string { return "$" + a[:len(a)-at] }
	}
	comma := func(a string) string { return a[:len(a)-3] + "," + a[len(a)-2:] }
	fullwidth := func(base rune) func(string) string {
		return func(a string) string {
			out := "$"
			for _, r := range a {
				if r != '.' {
					r += base - '0'
				}
				out += string(r)
			}
			return out
		}
	}
	return []priceForm{
		digits("decimal-comma", func(a string) string { return "$" + comma(a) }),
		digits("one-decimal", cut(1)), digits("no-decimals", cut(2)), digits("no-point", cut(3)),
		text("three-decimals", "$0%"), text("leading-zero", "&#36;0#%"), text("thousands", "$.00%"),
		digits("thousands-dot", func(a string) string { return "$1." + comma(a) }),
		digits("thousands-comma", func(a string) string { return "$1," + a }),
		digits("thousands-space", func(a string) string { return "$1 " + a }),
		digits("thousands-nbsp", func(a string) string { return "$1&nbsp;" + a }),
		digits("thousands-narrow", func(a string) string { return "$1&#8239;" + a }),
		digits("thousands-quote", func(a string) string { return "$1’" + a }),
		digits("no-leading-digit", func(a string) string { return "$" + a[len(a)-3:] }),
		digits("blank-in-figure", func(a string) string { return "$" + a[:len(a)-3] + " " + a[len(a)-3:] }),
		digits("middle-dot", func(a string) string { return "$" + a[:len(a)-3] + "·" + a[len(a)-2:] }),
		digits("two-points", func(a string) string { return "$" + a[:len(a)-3] + "." + a[len(a)-3:] }),
		digits("fullwidth", fullwidth('０')), digits("arabic", fullwidth('٠')), digits("bengali", fullwidth('০')),
		text("exponent", "$e0%"), text("nan", "NaN%"), text("dollar-nan", "&#36;NaN%"), text("infinity", "&#36;Infinity%"),
		text("negative", "-$%"), text("negative-inside", "&#36;-#%"), text("minus-sign", "−$%"), text("accounting", "($)%"),
		text("undefined", "&#36;undefined%"), text("template-text", "&#36;{price}%"), text("dash", "—"), text("empty", ""),
		text("blank", " "), text("to-be-announced", "TBA 2027"), text("dot-after", "$.%"), text("footnote-digit", "$1%"),
	}
}

// wordForms put words, currencies and units around the price.
func wordForms() []priceForm {
	return []priceForm{
		text("from", "From $%"), text("from-lower", "from $%"), text("starting-at", "Starting at $%"), text("up-to", "Up to $%"),
		text("as-low-as", "as low as $%"), text("approximately", "~$%"), text("less-than", "&lt; $%"), text("at-least", "≥ $%"),
		text("plus", "$+%"), text("was", "$ (was @)%"), text("was-first", "was @, now $%"), text("range", "@ – $%"),
		text("range-up", "$ – @%"), text("range-glued", "$-@%"), text("glued", "$@%"), text("glued-first", "@$%"), text("twice", "$$%"),
		text("two-prices", "@ $%"), text("slash", "@/$%"), text("per-two", "2 for $%"), text("count-before", "8x $%"), text("count-glued", "8$%"),
		text("memory-glued", "80GB $%"), text("euro", "€#%"), text("euro-after", "# €%"), text("euro-entity", "&euro;#%"),
		text("euro-dollar", "€$%"), text("pound", "£#%"), text("yen", "¥#%"), text("rupee", "₹#%"), text("canadian", "CA$%"),
		text("australian", "A$%"), text("us-dollar", "US$%"), text("usd-before", "USD #%"), text("usd-after", "# USD%"),
		text("cad-after", "$ CAD%"), text("aud-after", "$ AUD%"), text("eur-after", "# EUR%"), text("no-currency", "#%"),
		text("dollar-after", "#&#36;%"), text("dollar-blank", "&#36; #%"), text("credits", "# credits%"), text("cents-sign", "#¢%"),
		text("per-month", "$/mo"), text("per-month-word", "$ / month"), text("per-day", "$/day"), text("per-minute", "$/min"),
		text("per-second", "$/s"), text("per-vcpu", "$/vCPU-hr"), text("per-instance", "$/instance-hr"), text("per-node", "$ / node / hr"),
		text("per-eight", "$ / 8 GPUs"), text("other-suffix", "$/GPU/hr."), text("upper-suffix", "$/GPU-HR"), text("suffix-twice", "$%%/GPU-hr"),
		scaled("monthly", 730, 1, "/mo"), scaled("monthly-glued", 730, 1, "/GPU-mo"), scaled("daily", 24, 1, "/day"), scaled("hourly-of-eight", 8, 1, "/8xGPU-hr"),
		text("star", "$*%"), text("dagger", "$†%"), text("superscript-one", "$¹%"), text("contact", "$ or contact sales"),
		text("sold-out", "$ sold out"), text("reserved-word", "$ (1 year)"), text("spot-word", "$ spot"),
	}
}

// markupForms put elements and entities into the price.
func markupForms() []priceForm {
	cents := func(open, between, end string) func(string) string {
		return func(a string) string { return open + "$" + a[:len(a)-3] + between + a[len(a)-3:] + end }
	}
	return []priceForm{
		text("deleted", "<del>@</del>$%"), text("deleted-inserted", "<del>@</del> <ins>$%</ins>"), text("struck", "<s>@</s> $%"),
		text("deleted-own", "<del>$%</del>"), text("inserted-after", "$% <ins>@</ins>"), text("bold", "<b>$%</b>"), text("link", `<a href="/x">$%</a>`),
		text("footnote-mark", "$<sup>1</sup>%"), text("footnote-link", `$<a href="#n"><sup>2</sup></a>%`), text("subscript", "$<sub>2</sub>%"),
		digits("cents-superscript", func(a string) string { return "$" + a[:len(a)-3] + "<sup>" + a[len(a)-2:] + "</sup>" }),
		digits("cents-small", func(a string) string { return "$" + a[:len(a)-3] + "<small>" + a[len(a)-2:] + "</small>" }),
		digits("cents-span", cents("<span>", "</span><span>", "</span>")), digits("cents-comment", cents("", "<!-- -->", "")),
		digits("cents-line", cents("", "<br>", "")), digits("cents-wbr", cents("", "<wbr>", "")), digits("cents-block", cents("<div>", "</div><div>", "</div>")),
		text("dollar-span", "<span>&#36;</span>#%"), text("comment-old", "<!-- @ -->$%"), text("line-old", "@<br>$%"), text("line-new", "$%<br>@"),
		text("paragraphs", "<p>@</p><p>$%</p>"), text("hidden-old", "<span hidden>@</span>$%"), text("undisplayed-old", `<span style="display:none">@</span>$%`),
		text("invisible-old", `<span style="visibility: hidden">@</span>$%`), text("reader-old", `<span class="sr-only">@</span>$%`),
		text("hidden-alone", `<span hidden>@%</span>`), text("undisplayed-alone", `<span style="color:red; display : none">@%</span><img alt="Contact sales">`),
		text("invisible-alone", `<span style="visibility:hidden">@%</span>`), text("template-alone", "<template>@%</template>"),
		text("template-old", "<template>@</template>$%"), text("noscript-old", "<noscript>@</noscript>$%"), text("noscript-alone", "<noscript>@%</noscript>"),
		text("script-old", "<script>var was='@'</script>$%"), text("style-old", "<style>.was{content:'@'}</style>$%"),
		text("title-old", `<span title="@">$%</span>`), text("data-old", `<span data-was="@">$%</span>`), text("image", `<img alt="$%">`),
		text("input", `<input value="$%">`), text("options", "<select><option>$%</option><option>@</option></select>"),
		text("details", "<details><summary>@</summary>$%</details>"), text("vector", "<svg><title>@</title></svg>$%"), text("math", "<math><mi>@</mi></math>$%"),
		text("nested-table", "<table><tbody><tr><td>@</td><td>$%</td></tr></tbody></table>"), text("list", "<ul><li>@</li><li>$%</li></ul>"),
		text("entity-decimal", "&#36;#%"), text("entity-hex", "&#x24;#%"), text("entity-named", "&dollar;#%"), text("entity-twice", "&amp;#36;#%"),
		digits("entity-all", func(a string) string { return "&#36;" + a[:len(a)-3] + "&period;" + a[len(a)-2:] }),
		text("nbsp-around", "&nbsp;$%&nbsp;"), text("nbsp-inside", "&#36;&nbsp;#%"), text("thin-blank", "&#36;&thinsp;#%"),
		digits("zero-width", cents("", "&#8203;", "")), digits("word-joiner", cents("", "&#8288;", "")), digits("soft-hyphen", cents("", "&shy;", "")),
		text("left-to-right", "&lrm;$%"), text("right-to-left", "&rlm;$%"), text("isolate", "&#8294;$%&#8297;"),
		digits("override", func(a string) string {
			out := "&#8238;"
			for i := len(a) - 1; i >= 0; i-- {
				out += a[i : i+1]
			}
			return out + "$"
		}),
		text("byte-order-mark", "&#65279;$%"), text("fullwidth-dollar", "＄#%"), text("tab-and-line", "\n\t$%\n"), text("upper", "FROM $%"),
	}
}

func allForms() []priceForm {
	return slices.Concat(unitForms(), figureForms(), wordForms(), markupForms())
}

// family is the line of the table that a mutator counts in: its own, but for the
// many forms of a price.
func family(mutator string) string {
	form, isPrice := strings.CutPrefix(mutator, "price-")
	for name, forms := range map[string][]priceForm{
		"units": unitForms(), "figure": figureForms(), "words": wordForms(), "markup": markupForms(),
	} {
		if isPrice && slices.ContainsFunc(forms, func(f priceForm) bool { return f.name == form }) {
			return "price: " + name
		}
	}
	return mutator
}
