package docker

import (
	"context"
	"fmt"
)

// confinement is the AppArmor profile that containers run under.
type confinement struct {
	active  bool
	profile string // the sandboxes' own, loaded; "" leaves it to the daemon, whose default is docker-default
	detail  string // why it is not our own
}

// confine looks for AppArmor. Our profile is tighter than docker-default, which has to
// suit every container, but only this kernel can be given it.
func (d daemon) confine(ctx context.Context, state string) confinement {
	const instead = "the daemon's default profile instead of the sandboxes' own: "
	switch {
	case !d.hasSecurity("apparmor"), d.hasSecurity("rootless"):
		return confinement{} // without root nobody sets a profile, though Podman tells of AppArmor there
	case !d.local:
		return confinement{active: true, detail: instead + "the daemon is not local, and says itself that containers run under it"}
	}
	profile, err := loadProfile(ctx, state)
	if err != nil {
		return confinement{active: true, detail: instead + err.Error()}
	}
	return confinement{active: true, profile: profile}
}

// accepts refuses a container that the daemon started under another profile than it was
// asked for, or under none.
func (c confinement) accepts(profile string) error {
	if !c.active || profile != "" && profile != "unconfined" && (c.profile == "" || profile == c.profile) {
		return nil
	}
	return fmt.Errorf("%w: its AppArmor profile is %q", errIsolation, profile)
}
