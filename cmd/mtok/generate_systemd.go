package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mtok/pipeline/schedule"
)

// serviceText takes the command and further lines. Nothing of the machine can be
// written but the state folder, where relative paths of the configuration lead.
const serviceText = `[Unit]
Description=mtok: what a million tokens costs on rented GPUs, tonight
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart=%s
# 3: a provider failed or answered in part; mtok status says which.
SuccessExitStatus=3
TimeoutStartSec=30min
# Keys and the DSN, as NAME=value lines, mode 0600.
EnvironmentFile=-/etc/mtok/mtok.env

# Relative paths of the configuration are counted from /var/lib/mtok.
DynamicUser=yes
StateDirectory=mtok
StateDirectoryMode=0750
WorkingDirectory=%%S/mtok
UMask=0027
%s
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
`

const timerText = `[Unit]
Description=mtok, every night

[Timer]
%sPersistent=true
AccuracySec=1min
%s
[Install]
WantedBy=timers.target
`

func (a *app) serviceUnit(binary string) (string, error) {
	args, err := a.nightArgs()
	if err != nil {
		return "", err
	}
	var command []string
	for _, word := range append([]string{binary}, args...) {
		command = append(command, strings.ReplaceAll(unitQuote(word), "$", "$$"))
	}
	if strings.ContainsAny(strings.Join(command, ""), "\n\r") {
		return "", usagef("a path with a line break can't stand in a unit")
	}
	return fmt.Sprintf(serviceText, strings.Join(command, " "), a.writablePaths()), nil
}

// writablePaths opens the folders outside the state folder that the night writes
// to. DynamicUser must be let in there by its owner too.
func (a *app) writablePaths() string {
	var folders []string
	paths := []string{a.config.Metrics.Textfile}
	if a.config.Store.DSNEnv == "" {
		path := a.config.Store.Path
		if abs, err := filepath.Abs(path); err == nil && a.dbPath != "" { // as in the command
			path = abs
		}
		paths = append(paths, path)
	}
	for _, path := range paths {
		if filepath.IsAbs(path) {
			folders = append(folders, filepath.Dir(path))
		}
	}
	slices.Sort(folders)
	text := ""
	for _, folder := range slices.Compact(folders) {
		text += "# Writable by the unit's user only if the folder lets it in (or set User=).\nReadWritePaths=" + unitQuote(folder) + "\n"
	}
	return text
}

// timerUnit has the slots of the schedule. Persistent catches up what was missed
// while the machine was off.
func (a *app) timerUnit(spec schedule.Spec) string {
	slots := ""
	for _, c := range spec.Calendar() {
		slots += "OnCalendar=" + c + "\n"
	}
	jitter := ""
	if most, err := time.ParseDuration(a.config.Schedule.Jitter); err == nil && most > 0 {
		jitter = fmt.Sprintf("RandomizedDelaySec=%d\nFixedRandomDelay=true\n", most/time.Second)
	}
	return fmt.Sprintf(timerText, slots, jitter)
}

// unitQuote writes one word of a unit file, without a meaning for any %.
func unitQuote(word string) string {
	word = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(word)
	if word == "" || strings.ContainsAny(word, " \t'\";\\") {
		return `"` + word + `"`
	}
	return word
}
