package docker

import (
	"context"
	"fmt"
	"strings"
)

// confinement is the AppArmor profile that containers run under. The control apparmor
// is the sandboxes' own profile and no other: a daemon's default (docker-default) has to
// suit every container, and allows what ours denies.
type confinement struct {
	active  bool   // containers run under a profile
	profile string // the sandboxes' own, which Create loads; "" leaves it to the daemon
	detail  string // why it is not our own, or which it is and what of it is not kept
}

// confine looks for AppArmor and changes nothing.
func (d daemon) confine(ctx context.Context, state string) confinement {
	const instead = "sandboxes run under the daemon's default AppArmor profile instead of their own, hotcell-sandbox: "
	switch {
	case !d.hasSecurity("apparmor"), d.hasSecurity("rootless"):
		// Without root nobody sets a profile, though Podman tells of AppArmor there.
		return confinement{detail: "the daemon has no AppArmor: its kernel has none, or it is rootless"}
	case !d.local:
		return confinement{active: true, detail: instead + "the daemon is not local, and only this host's kernel can be given it"}
	}
	profile, gap, err := checkProfile(ctx, state)
	if err != nil {
		return confinement{active: true, detail: instead + err.Error()}
	}
	return confinement{active: true, profile: profile, detail: strings.TrimSuffix("the profile "+profile+", "+gap, ", ")}
}

// load gives the profile to the kernel. A sandbox for which it has been promised is not
// made without it, whatever its policy requires: its record says that it is there.
func (c confinement) load(ctx context.Context, state string) error {
	if c.profile == "" {
		return nil
	}
	loaded, _, err := loadProfile(ctx, state)
	if err == nil && loaded != c.profile {
		err = fmt.Errorf("the kernel was given %s", loaded)
	}
	if err != nil {
		return fmt.Errorf("load the sandboxes' AppArmor profile %s: %w", c.profile, err)
	}
	return nil
}

// accepts refuses a container that the daemon started under another profile than it was
// asked for, or under none.
func (c confinement) accepts(profile string) error {
	if !c.active || profile != "" && profile != "unconfined" && (c.profile == "" || profile == c.profile) {
		return nil
	}
	return fmt.Errorf("%w: its AppArmor profile is %q", errIsolation, profile)
}
