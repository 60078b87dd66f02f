package pipeline

import (
	"os"
	"strings"
)

// hostIdentity names where a process number can be looked up. A host name alone
// is not enough: containers on one machine, or machines behind one name, have
// processes of their own. On Linux the boot and the process namespace tell
// them apart; elsewhere the name must do.
func hostIdentity() (string, error) {
	name, err := os.Hostname()
	if err != nil {
		return "", err
	}
	identity := []string{strings.ReplaceAll(name, "/", "_")}
	if boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		id, _, _ := strings.Cut(strings.TrimSpace(string(boot)), "-")
		identity = append(identity, id)
	}
	if namespace, err := os.Readlink("/proc/self/ns/pid"); err == nil {
		identity = append(identity, strings.Trim(strings.TrimPrefix(namespace, "pid:"), "[]"))
	}
	return strings.Join(identity, "@"), nil
}
