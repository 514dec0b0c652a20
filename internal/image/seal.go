package image

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/fingerprint"
	"hotcell/internal/strictjson"
)

// seal says that a root file system had the bytes of its image, and how it looked
// then. It is what makes the check before each run cheap.
type seal struct {
	Version     int           `json:"version"`
	Digest      digest.Digest `json:"digest"`
	Fingerprint digest.Hex    `json:"fingerprint"`
	VerifiedAt  time.Time     `json:"verified_at"`
}

const (
	sealVersion = 1
	maxSeal     = 4096
)

// errChanged means that an unpacked root file system is not what its digest names.
var errChanged = errors.New("its root file system has been changed")

func (s *Store) rootfsPath(sum digest.Digest) string {
	return filepath.Join(s.dir, rootfsDir, string(sum.Hex()))
}

func (s *Store) sealPath(sum digest.Digest) string {
	return filepath.Join(s.dir, sealsDir, string(sum.Hex())+".json")
}

// readSeal returns a seal that fits nothing where there is none that can be read:
// then everything is read again.
func (s *Store) readSeal(sum digest.Digest) seal {
	content, err := durable.ReadFile(s.sealPath(sum), maxSeal)
	if err != nil {
		return seal{}
	}
	var found seal
	if err := strictjson.Decode(content, maxSeal, &found); err != nil || found.Version != sealVersion || found.Digest != sum {
		return seal{}
	}
	return found
}

// holds is the check before each run.
func (s *Store) holds(ctx context.Context, sum digest.Digest) (bool, error) {
	sealed := s.readSeal(sum)
	if sealed.Fingerprint == "" {
		return false, nil
	}
	found, err := fingerprint.Of(ctx, s.rootfsPath(sum))
	if err != nil {
		return false, err
	}
	return found.Entries == sealed.Fingerprint, nil
}

// sealTree compares every byte of an unpacked image with its layers, and notes how
// the tree looks. The look is taken before and after: what changes meanwhile is
// not sealed. The lock is held.
func (s *Store) sealTree(ctx context.Context, stored *storedImage, sum digest.Digest) error {
	dir := s.rootfsPath(sum)
	before, err := fingerprint.Of(ctx, dir)
	if err != nil {
		return s.changed(sum, err)
	}
	select { // until no change that is read from here on can share its ctime with a later one
	case <-s.after(before.Unsettled(time.Now())):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := verifyRootfs(ctx, s.blobs, stored.manifest.Layers, dir); err != nil {
		return s.changed(sum, err)
	}
	after, err := fingerprint.Of(ctx, dir)
	if err != nil {
		return s.changed(sum, err)
	}
	if before.Entries != after.Entries {
		return s.changed(sum, errors.New("it changed while it was read"))
	}
	content, err := strictjson.Encode(seal{sealVersion, sum, after.Entries, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	return writeFile(s.sealPath(sum), append(content, '\n'))
}

// changed words what was found, with the way out, unless nothing was found because
// the caller gave up or a blob itself is damaged.
func (s *Store) changed(sum digest.Digest, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: %w: run `runner image verify --repair %s`, which unpacks it again and keeps what is there", errChanged, err, sum)
}

// Unpacked reports whether the image's root file system is there, for the oci engine.
// A daemon gets the layers.
func (s *Store) Unpacked(sum digest.Digest) bool { return exists(s.rootfsPath(sum)) }

// VerifiedAt is when the unpacked root file system was last compared, byte by byte,
// with its image. It is the zero time where that was never done.
func (s *Store) VerifiedAt(sum digest.Digest) time.Time { return s.readSeal(sum).VerifiedAt }

// Repair is Verify that unpacks a changed root file system again. What was there is
// moved aside and nothing of it is lost: sandboxes that run on it keep it, and
// somebody may want to know who changed what. kept is where it is, or "".
func (s *Store) Repair(ctx context.Context, sum digest.Digest) (kept string, err error) {
	err = s.Verify(ctx, sum)
	if !errors.Is(err, errChanged) {
		return "", err
	}
	release, err := s.lock(ctx, rootfsDir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, release()) }()
	stored, err := s.open(sum)
	if err != nil {
		return "", fmt.Errorf("repair image: %w", err)
	}
	// The blobs first: nothing is moved that cannot be made again.
	if err := readLayers(ctx, s.blobs, stored.manifest.Layers, ignoreEntry); err != nil {
		return "", fmt.Errorf("repair image %s (run `runner image build`): %w", sum, err)
	}
	aside := filepath.Join(s.dir, changedDir, time.Now().UTC().Format("20060102T150405.000Z")+"-"+string(sum.Hex()))
	if err := durable.Rename(s.rootfsPath(sum), aside); err != nil {
		return "", fmt.Errorf("repair image %s: %w", sum, err)
	}
	if err := s.unpackRootfs(ctx, stored, sum); err != nil {
		return aside, fmt.Errorf("repair image %s: %w", sum, err)
	}
	return aside, nil
}
