package schema

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed gpus.toml models.toml throughput.toml
var catalogFiles embed.FS

// Catalog is the embedded knowledge: GPU classes, models and measured
// throughput, each row with its source and date. It is read-only once loaded.
type Catalog struct {
	GPUs        []GPUClass
	Models      []Model
	Throughputs []Throughput

	names nameIndex
}

// LoadCatalog reads and checks the embedded catalogs. An unknown key, a row
// without source or date, or a figure that contradicts another row is an error
// that names the file and the row.
func LoadCatalog() (*Catalog, error) {
	var text [3][]byte
	for i, name := range []string{"gpus.toml", "models.toml", "throughput.toml"} {
		body, err := catalogFiles.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("catalog: %w", err)
		}
		text[i] = body
	}
	return ParseCatalog(text[0], text[1], text[2])
}

// ParseCatalog is LoadCatalog for the text of gpus.toml, models.toml and
// throughput.toml from elsewhere.
func ParseCatalog(gpus, models, throughput []byte) (*Catalog, error) {
	var file struct {
		GPUs        []GPUClass   `toml:"gpu"`
		Models      []Model      `toml:"model"`
		Throughputs []Throughput `toml:"throughput"`
	}
	for _, part := range []struct {
		name string
		text []byte
	}{{"gpus.toml", gpus}, {"models.toml", models}, {"throughput.toml", throughput}} {
		if err := decodeStrict(part.text, &file); err != nil {
			return nil, fmt.Errorf("catalog %s: %w", part.name, err)
		}
	}
	c := &Catalog{GPUs: file.GPUs, Models: file.Models, Throughputs: file.Throughputs}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	c.names = indexNames(c.GPUs)
	return c, nil
}

// GPU returns the class with the given id.
func (c *Catalog) GPU(id ClassID) (GPUClass, bool) {
	for i := range c.GPUs { // by place: every price is judged by its class
		if c.GPUs[i].ID == id {
			return c.GPUs[i], true
		}
	}
	return GPUClass{}, false
}

// Model returns the model that has the given id or name, in upper or lower case.
func (c *Catalog) Model(name string) (Model, bool) {
	i := slices.IndexFunc(c.Models, func(m Model) bool {
		same := func(s string) bool { return strings.EqualFold(s, name) }
		return same(m.ID) || slices.ContainsFunc(m.Names, same)
	})
	if i < 0 {
		return Model{}, false
	}
	return c.Models[i], true
}

// Default returns the throughput row by which a class is priced when nothing
// else is asked for.
func (c *Catalog) Default(id ClassID) (Throughput, bool) {
	i := slices.IndexFunc(c.Throughputs, func(t Throughput) bool { return t.Default && t.Class == id })
	if i < 0 {
		return Throughput{}, false
	}
	return c.Throughputs[i], true
}

func decodeStrict(text []byte, into any) error {
	return toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into)
}
