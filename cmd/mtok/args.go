package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// argsError says by name which argument is missing, or which is too many, in place of
// the library's count of them.
func argsError(cmd *cobra.Command, args []string, err error) error {
	var wanted []string
	if _, names, ok := strings.Cut(cmd.Use, " "); ok {
		for name := range strings.FieldsSeq(names) {
			if strings.HasPrefix(name, "-") {
				return err // flags that are required say so themselves
			}
			if !strings.ContainsAny(name, "[]") {
				wanted = append(wanted, name)
			}
		}
	}
	switch {
	case !strings.Contains(err.Error(), "arg(s)"):
		return err
	case len(args) < len(wanted):
		missing := wanted[len(args):]
		if len(missing) == 1 {
			return usagef("%s is missing", missing[0])
		}
		return usagef("%s are missing", strings.Join(missing, " and "))
	case len(wanted) > 0 && len(args) > len(wanted):
		return usagef("%q is one too many: %s takes %s", args[len(wanted)], cmd.CommandPath(), strings.Join(wanted, " and "))
	case len(args) > 0:
		return usagef("%q is one too many: %s", args[len(args)-1], cmd.UseLine())
	}
	return err
}
