package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"slices"
	"strconv"
	"strings"
)

// bindLowPorts is CAP_NET_BIND_SERVICE alone, as the kernel shows it.
const bindLowPorts = "400"

// groupsLikeRoot are groups whose members can make themselves root on a usual host: by a daemon
// that does what they ask, by what they may run, or by the disks, memory and passwords below it.
var groupsLikeRoot = []string{"docker", "podman", "lxd", "incus-admin", "libvirt", "sudo", "wheel", "admin", "disk", "kmem", "shadow"}

// withoutRights refuses to read the network with the rights of root, whoever gave them.
func withoutRights() error {
	status, err := os.ReadFile("/proc/self/status") //nolint:forbidigo // the kernel's, of this process
	if err != nil {
		return fmt.Errorf("look at the rights of this process: %w", err)
	}
	return withoutRightsIn(string(status), gidsLikeRoot())
}

// gidsLikeRoot are the groups that are there, by their ids.
func gidsLikeRoot() map[string]string {
	found := map[string]string{"0": "root"}
	for _, name := range groupsLikeRoot {
		if group, err := user.LookupGroup(name); err == nil {
			found[group.Gid] = name
		}
	}
	return found
}

// withoutRightsIn looks at a process as the kernel shows it (proc_pid_status(5)). An id that is
// only saved, or real, counts: the process can go back to it.
func withoutRightsIn(status string, groups map[string]string) error {
	const plea = "start it as a user of its own, for example with systemd's User= or with setpriv --reuid --regid --clear-groups"
	shown := map[string][]string{}
	for line := range strings.Lines(status) {
		name, value, _ := strings.Cut(line, ":")
		shown[name] = strings.Fields(value)
	}
	for _, name := range []string{"Uid", "Gid", "CapInh", "CapPrm", "CapEff", "CapAmb"} {
		if len(shown[name]) == 0 {
			return fmt.Errorf("look at the rights of this process: the kernel does not show %s", name)
		}
	}
	if slices.Contains(shown["Uid"], "0") {
		return errors.New("runner serve reads what strangers send, and does not do so as root (real, effective or saved user id 0): " + plea)
	}
	for _, gid := range slices.Concat(shown["Gid"], shown["Groups"]) {
		if name, there := groups[gid]; there {
			return fmt.Errorf("runner serve is in group %s (%s), whose members can become root: %s", strconv.Quote(name), gid, plea)
		}
	}
	for _, name := range []string{"CapInh", "CapPrm", "CapEff", "CapAmb"} {
		if mask := strings.TrimLeft(shown[name][0], "0"); mask != "" && mask != bindLowPorts {
			return fmt.Errorf("runner serve has capabilities (%s is %s), and needs none: %s", name, shown[name][0], plea)
		}
	}
	return nil
}
