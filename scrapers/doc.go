// Package scrapers knows the providers: one file each, a Provider value with
// pure Parse functions that turn an archived page into offers. It fetches
// nothing and logs nothing; the network is in scrapers/fetch.
package scrapers
