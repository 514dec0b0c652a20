package docker

import (
	"context"
	"fmt"
	"path"

	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/client"

	"hotcell/internal/container"
	"hotcell/internal/container/archive"
	"hotcell/internal/digest"
)

// bundleManifest is the file whose sha256 is the bundle's digest. It carries the
// digests of all others.
const bundleManifest = "bundle.json"

// maxManifest bounds what is read back of it, in bytes.
const maxManifest = 8 << 20

// offerBundle gives the store's directory to a daemon elsewhere. Podman can be told
// the flags of a bind mount.
func (s *sandbox) offerBundle(ctx context.Context, daemon daemon) error {
	if s.spec.Bundle == "" {
		return nil
	}
	path, err := s.engine.bundles.Path(s.spec.Bundle)
	if err != nil {
		return fmt.Errorf("find bundle: %w", err)
	}
	if daemon.podman != "" {
		s.fittings.bundle = &mount.Mount{Type: mount.TypeBind, Source: path, Target: container.BundleDir}
		return nil
	}
	return s.makeBundleVolume(ctx, path)
}

// makeBundleVolume makes a volume of it, because a volume, unlike a bind mount of
// Docker's, can be mounted nosuid, nodev and noexec. Docker Desktop shares the user's
// files with its machine under their own names.
func (s *sandbox) makeBundleVolume(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.engine.api.VolumeCreate(ctx, client.VolumeCreateOptions{
		Name:       bundleVolume(s.id),
		Driver:     "local",
		DriverOpts: map[string]string{"type": "none", "device": path, "o": "bind,ro,nosuid,nodev,noexec"},
		Labels:     labels(s.engine.state.owner, s.id),
	})
	if err != nil {
		return fmt.Errorf("create bundle volume: %w", err)
	}
	// Not ReadOnly: see bind in local_linux.go.
	s.fittings.bundle = &mount.Mount{
		Type: mount.TypeVolume, Source: bundleVolume(s.id), Target: container.BundleDir,
		VolumeOptions: &mount.VolumeOptions{NoCopy: true},
	}
	return nil
}

// checkBundle makes sure that a daemon elsewhere found our directory under that
// name and not one of its own.
func (s *sandbox) checkBundle(ctx context.Context, daemon daemon) error {
	if s.spec.Bundle == "" || daemon.local || daemon.podman != "" { // seen by the monitor
		return nil
	}
	found, err := s.manifestDigest(ctx)
	if err != nil {
		return fmt.Errorf("read bundle back from docker: %w: the daemon must see this host's files", err)
	}
	if found != s.spec.Bundle {
		return fmt.Errorf("%w: the bundle that the daemon sees has the digest %s: it must see this host's files", errIsolation, found)
	}
	return nil
}

func (s *sandbox) manifestDigest(ctx context.Context) (digest.Digest, error) {
	answer, err := s.engine.api.CopyFromContainer(ctx, s.containerID, client.CopyFromContainerOptions{
		SourcePath: path.Join(container.BundleDir, bundleManifest),
	})
	if err != nil {
		return "", err
	}
	defer answer.Content.Close()
	sum := digest.New()
	if err := archive.File(answer.Content, bundleManifest, maxManifest, sum); err != nil {
		return "", err
	}
	return sum.Digest(), nil
}
