package history

import (
	"errors"
	"fmt"
)

// ErrFormat means that a file is of another format, ErrStructure that it is of
// the right one and broken.
var (
	ErrFormat    = errors.New("another format")
	ErrStructure = errors.New("broken structure")
)

// otherFormat says what was expected and what was found.
func otherFormat(f Format, found string) error {
	return fmt.Errorf("%w: expected %s (%s), found %s", ErrFormat, f.Name, f.Expects, found)
}

func brokenf(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrStructure}, args...)...)
}

// clip keeps what an error quotes from a file short.
func clip(text string) string {
	const limit = 60
	if r := []rune(text); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return text
}
