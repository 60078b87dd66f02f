package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"mtok/schema"
)

// nameWords splits a GPU's name as printed: "8x NVIDIA A100-SXM4-80GB (SXM)".
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("()[],/-_", r)
	})
}

// countInName finds the GPU counts that a name prints: "8x H100", "8 x H100",
// "8xH100", "H100 x8". The lanes of "PCIe x16" are none.
func countInName(words []string) []int {
	var counts []int
	add := func(digits string) {
		if n, err := strconv.Atoi(digits); err == nil && len(digits) <= 3 {
			counts = append(counts, n)
		}
	}
	for i, word := range words {
		word = strings.ReplaceAll(word, "×", "x")
		before, after, found := strings.Cut(word, "x")
		switch {
		case found && wholeNumber(before) && (after == "" || i == 0 && !isDigit(after[0])):
			add(before)
		case found && before == "" && wholeNumber(after) && (i == 0 || !strings.HasPrefix(words[i-1], "pcie")):
			add(after)
		case wholeNumber(word) && i+1 < len(words) && (words[i+1] == "x" || words[i+1] == "×"):
			add(word)
		}
	}
	return counts
}

// memoryInName finds the GB of memory that a name prints, 0 where none or where
// it is not the GPU's: a superchip's name prints that of its CPU ("GH200 480GB").
func memoryInName(words []string) int64 {
	if slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "gh") || strings.HasPrefix(w, "gb2") || strings.HasPrefix(w, "gb3")
	}) {
		return 0
	}
	for i, word := range words {
		digits, found := strings.CutSuffix(word, "gb")
		if digits == "" && i > 0 {
			digits = words[i-1] // "80 GB"
		}
		if found && wholeNumber(digits) {
			if gb, err := strconv.ParseInt(digits, 10, 32); err == nil {
				return gb
			}
		}
	}
	return 0
}

func wholeNumber(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return text != ""
}

// nameAgrees holds the count and the memory that were read against those that the
// name itself prints.
func nameAgrees(o schema.Offer) (rule string, err error) {
	if !strings.ContainsAny(o.GPURaw, "xX×") && !strings.Contains(strings.ToLower(o.GPURaw), "gb") {
		return "", nil
	}
	words := nameWords(o.GPURaw)
	for _, n := range countInName(words) {
		if n != o.GPUCount {
			return schema.RuleGPUCount, fmt.Errorf("%q is %d GPUs, read as %d", o.GPURaw, n, o.GPUCount)
		}
	}
	const mibPerGB, tolerance = 1024, 7 // per cent, as sellers round memory
	gb := memoryInName(words)
	if gb == 0 || o.VRAMMiB == 0 {
		return "", nil
	}
	size := gb * mibPerGB
	if diff := max(size-o.VRAMMiB, o.VRAMMiB-size); diff*100 > size*tolerance {
		return RuleMemory, fmt.Errorf("%q has %d GB, read as %d MiB of one GPU", o.GPURaw, gb, o.VRAMMiB)
	}
	return "", nil
}
