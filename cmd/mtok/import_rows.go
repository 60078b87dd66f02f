package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"mtok/schema"
)

// maxRowsFile bounds a file of rows.
const maxRowsFile = 4 << 20

const appendHelp = `The rows are printed, ready for config.toml. With --append they are added to the
end of the configuration file that is in force (./config.toml where there is
none), once the whole of it was read again without a fault.`

func (a *app) importThroughputCommand() *cobra.Command {
	var add bool
	cmd := &cobra.Command{
		Use: "throughput FILE", Short: "check your own measurements and make them rows of config.toml",
		Long: `Reads a TOML file of [[throughput]] tables, and of the [[model]] tables that they
need, in the form of config.toml. A row without a source or a date is refused,
and so is one that physics rules out, with the arithmetic, unless it says
allow_implausible = true.

` + appendHelp,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.importThroughput(args[0], add) },
	}
	cmd.Flags().BoolVar(&add, "append", false, "add the rows to the configuration file")
	return cmd
}

func (a *app) importThroughput(path string, add bool) error {
	data, err := readBounded(path)
	if err != nil {
		return err
	}
	var rows userRows
	decoder := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	if err := decoder.DisallowUnknownFields().Decode(&rows); err != nil {
		return usagef("%s: %w", path, explainTOML(data, err))
	}
	if len(rows.Throughputs)+len(rows.Models) == 0 {
		return usagef("%s: no [[throughput]] and no [[model]]", path)
	}
	if err := a.checkRows(rows); err != nil {
		return usagef("%s: %w", path, locate(data, err))
	}
	return a.giveRows(rows, add)
}

// userRows are rows of the catalog as they stand in a file.
type userRows struct {
	Models      []schema.Model      `toml:"model,omitempty"`
	Throughputs []schema.Throughput `toml:"throughput,omitempty"`
}

// checkRows checks rows that are to join the configuration.
func (a *app) checkRows(rows userRows) error {
	for i, m := range rows.Models {
		for _, old := range a.config.Models {
			if old.ID == m.ID {
				return rowInvalid("model", i, "model", "%q stands in %s already: take it out there first", m.ID, a.configName())
			}
		}
	}
	for i, t := range rows.Throughputs {
		for _, old := range a.config.Throughputs {
			if old.ID == t.ID {
				return rowInvalid("throughput", i, "id", "%q stands in %s already: take it out there first", t.ID, a.configName())
			}
		}
	}
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	added := Config{Models: rows.Models, Throughputs: rows.Throughputs}
	if catalog, err = added.withModels(catalog); err != nil {
		return err
	}
	_, err = added.withThroughputs(catalog)
	return err
}

// giveRows prints the rows, or adds them to the configuration file.
func (a *app) giveRows(rows userRows, add bool) error {
	text, err := rowsTOML(rows)
	if err != nil {
		return err
	}
	if !add {
		fmt.Fprintf(a.stdout, "# checked, not kept: put this into config.toml, or use --append\n%s", text)
		return nil
	}
	path := a.config.path
	if path == "" {
		path = "config.toml"
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("configuration: %w", err)
	}
	if len(old) > 0 {
		text = strings.TrimRight(string(old), "\n") + "\n\n" + text
	}
	config := defaultConfig()
	if err := decodeConfig([]byte(text), &config); err != nil {
		return usagef("configuration %s, with the rows: %w", path, err)
	}
	if err := replaceFile(path, text); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	fmt.Fprintf(a.stdout, "%s and %s added to %s\n", counted(len(rows.Throughputs), "throughput row"), counted(len(rows.Models), "model row"), path)
	return nil
}

// numericKey are the keys whose exact decimals need no quotes.
var numericKey = regexp.MustCompile(`(?m)^(tokens_per_second|input_tokens|output_tokens|ttft_ms|tpot_ms|accepted_tokens_per_step|prefix_cache_share|params_b|active_params_b|weights_gb_fp[0-9]+) = '((?:0|[1-9][0-9]*)(?:\.[0-9]+)?)'$`)

func rowsTOML(rows userRows) (string, error) {
	text, err := toml.Marshal(rows)
	if err != nil {
		return "", fmt.Errorf("print rows: %w", err)
	}
	return numericKey.ReplaceAllString(string(text), "$1 = $2"), nil
}

func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, usagef("%w", err)
	case !info.Mode().IsRegular():
		return nil, usagef("%s is no file", path)
	case info.Size() > maxRowsFile:
		return nil, usagef("%s has %d bytes: more than %d are no rows of a catalog", path, info.Size(), maxRowsFile)
	}
	return os.ReadFile(path)
}
