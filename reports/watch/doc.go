// Package watch judges a night by the alert rules: it reads what each rule needs,
// has reports/alert decide, and puts what is to be told into words.
package watch
