package recorded

import (
	"embed"
	"io/fs"
)

//go:embed night
var night embed.FS

// Night returns the built-in night of 2026-08-22: pages made by hand in the
// structure of the providers' own, with all figures of that day.
func Night() fs.FS {
	sub, err := fs.Sub(night, "night")
	if err != nil {
		panic(err) // the name is a constant and valid
	}
	return sub
}
