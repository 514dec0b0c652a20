//go:build linux

package apparmor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// feature is what the profile's promises rest on. A parser compiles for the features of
// a kernel, and what is not among them is neither compiled nor denied.
type feature struct {
	what  string
	files []string // below features/, one of which must name the words
	words []string
}

// needed are those without which there is no layer worth its name.
func needed() []feature {
	return []feature{
		{"files", []string{"file/mask"}, []string{"create", "read", "write", "exec", "append", "mmap_exec", "link"}},
		{"capabilities", []string{"caps/mask"}, []string{"dac_override", "sys_admin", "sys_ptrace", "net_admin"}},
		{"mounts", []string{"mount/mask"}, []string{"mount", "umount", "pivot_root"}},
		// The first since Linux 4.17, the second in Ubuntu's before.
		{"sockets", []string{"network_v8/af_mask", "network/af_mask"}, []string{"unix", "inet", "inet6", "netlink", "packet"}},
		{"tracing", []string{"ptrace/mask"}, []string{"read", "trace"}},
		{"signals", []string{"signal/mask"}, []string{"kill"}},
		{"changes of profile", []string{"domain/change_profile"}, []string{"yes"}},
	}
}

// newNamespaces are mediated since Linux 6.7, with a parser that knows them. Seccomp
// denies them anyhow: where this layer does not, it says so.
func newNamespaces() feature {
	return feature{"user namespaces", []string{"namespaces/mask"}, []string{"userns_create"}}
}

// mediates reports whether the kernel has a feature.
func (h host) mediates(wanted feature) bool {
	return slices.ContainsFunc(wanted.files, func(file string) bool {
		content, err := os.ReadFile(filepath.Join(h.security, "features", file))
		has := strings.Fields(string(content))
		return err == nil && !slices.ContainsFunc(wanted.words, func(word string) bool { return !slices.Contains(has, word) })
	})
}

// requireFeatures wants a kernel that can keep what the profile says.
func (h host) requireFeatures() error {
	var lacking []string
	for _, wanted := range needed() {
		if !h.mediates(wanted) {
			lacking = append(lacking, wanted.what)
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("this kernel's AppArmor does not mediate %s, which the profile would deny: boot a later one (Linux 4.20 mediates all of it)",
			strings.Join(lacking, ", "))
	}
	return nil
}

// knowsNamespaces is what is remembered of a profile whose parser knew newNamespaces. It
// is no digest.
const knowsNamespaces = "userns"

// parserKnows compiles a rule about newNamespaces, which an older parser takes for an
// error.
func (h host) parserKnows(ctx context.Context) (bool, error) {
	_, err := h.compile(ctx, "profile hotcell-question {\n  userns,\n}\n")
	var refused *exec.ExitError
	if ctx.Err() == nil && errors.As(err, &refused) {
		return false, nil
	}
	return err == nil, err
}

// gap says what of the profile is not kept here, "" for nothing.
func (h host) gap(known []string) string {
	switch {
	case !h.mediates(newNamespaces()):
		return "without user namespaces, which this kernel's AppArmor does not mediate (Linux 6.7 does)"
	case !slices.Contains(known, knowsNamespaces):
		return "without user namespaces, which the apparmor_parser that compiled the profile does not know (4.0 does)"
	}
	return ""
}
