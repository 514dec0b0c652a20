package image

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
)

// seal says that a root file system had the bytes of its image, and how it looked
// then. It is what makes the check before each run cheap.
type seal struct {
	Version     int       `json:"version"`
	Digest      string    `json:"digest"`
	Fingerprint string    `json:"fingerprint"`
	VerifiedAt  time.Time `json:"verified_at"`
}

const (
	sealVersion = 1
	maxSeal     = 4096
)

// ErrChanged means that an unpacked root file system is not what its digest names.
var ErrChanged = errors.New("its root file system has been changed")

func hexOf(digest string) string { return strings.TrimPrefix(digest, "sha256:") }

func (s *Store) rootfsPath(digest string) string {
	return filepath.Join(s.dir, rootfsDir, hexOf(digest))
}

func (s *Store) sealPath(digest string) string {
	return filepath.Join(s.dir, sealsDir, hexOf(digest)+".json")
}

// readSeal returns a seal that fits nothing where there is none that can be read:
// then everything is read again.
func (s *Store) readSeal(digest string) seal {
	content, err := os.ReadFile(s.sealPath(digest))
	if err != nil {
		return seal{}
	}
	var found seal
	if err := strictjson.Decode(content, maxSeal, &found); err != nil || found.Version != sealVersion || found.Digest != digest {
		return seal{}
	}
	return found
}

// holds is the check before each run.
func (s *Store) holds(ctx context.Context, digest string) (bool, error) {
	sealed := s.readSeal(digest)
	if sealed.Fingerprint == "" {
		return false, nil
	}
	found, err := fingerprint(ctx, s.rootfsPath(digest))
	if err != nil {
		return false, err
	}
	return found == sealed.Fingerprint, nil
}

// sealTree compares every byte of an unpacked image with its layers, and notes how
// the tree looks. The look is taken before and after: what changes meanwhile is
// not sealed. The lock is held.
func (s *Store) sealTree(ctx context.Context, stored *storedImage, digest string) error {
	dir := s.rootfsPath(digest)
	before, err := fingerprint(ctx, dir)
	if err != nil {
		return s.changed(digest, err)
	}
	if err := verifyRootfs(ctx, s.blobs, stored.manifest.Layers, dir); err != nil {
		return s.changed(digest, err)
	}
	after, err := fingerprint(ctx, dir)
	if err != nil {
		return s.changed(digest, err)
	}
	if before != after {
		return s.changed(digest, errors.New("it changed while it was read"))
	}
	content, err := json.Marshal(seal{sealVersion, digest, after, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	return writeFile(s.sealPath(digest), append(content, '\n'))
}

// changed words what was found, with the way out, unless nothing was found because
// the caller gave up or a blob itself is damaged.
func (s *Store) changed(digest string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: %w: run `runner image verify --repair %s`, which unpacks it again and keeps what is there", ErrChanged, err, digest)
}

// Unpacked tells whether the image's root file system is there, for the oci engine.
// A daemon gets the layers.
func (s *Store) Unpacked(digest string) bool { return exists(s.rootfsPath(digest)) }

// VerifiedAt is when the unpacked root file system was last compared, byte by byte,
// with its image. It is the zero time where that was never done.
func (s *Store) VerifiedAt(digest string) time.Time { return s.readSeal(digest).VerifiedAt }

// Repair is Verify that unpacks a changed root file system again. What was there is
// moved aside and nothing of it is lost: sandboxes that run on it keep it, and
// somebody may want to know who changed what. kept is where it is, or "".
func (s *Store) Repair(ctx context.Context, digest string) (kept string, err error) {
	err = s.Verify(ctx, digest)
	if !errors.Is(err, ErrChanged) {
		return "", err
	}
	release, err := s.lock(ctx, rootfsDir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, release()) }()
	stored, err := s.open(digest)
	if err != nil {
		return "", fmt.Errorf("repair image: %w", err)
	}
	// The blobs first: nothing is moved that cannot be made again.
	if err := readLayers(ctx, s.blobs, stored.manifest.Layers, ignoreEntry); err != nil {
		return "", fmt.Errorf("repair image %s (run `runner image build`): %w", digest, err)
	}
	aside := filepath.Join(s.dir, changedDir, time.Now().UTC().Format("20060102T150405.000Z")+"-"+hexOf(digest))
	if err := durable.Rename(s.rootfsPath(digest), aside); err != nil {
		return "", fmt.Errorf("repair image %s: %w", digest, err)
	}
	if err := s.unpackRootfs(ctx, stored, digest); err != nil {
		return aside, fmt.Errorf("repair image %s: %w", digest, err)
	}
	return aside, nil
}
