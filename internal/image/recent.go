package image

import (
	"context"
	"fmt"
	"sync"
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/fingerprint"
)

// Recent is a Store's Rootfs for a process that makes many sandboxes a second. A look at
// all entries of an image, some 36,000 with its directories, takes 70 ms of two processors: calls at the same time
// share one, and a look counts for as long as NewRecent was told. Its methods may be
// called concurrently.
type Recent struct {
	age    time.Duration
	rootfs func(ctx context.Context, sum digest.Digest) (string, error)
	place  func(sum digest.Digest) string

	mu     sync.Mutex
	images map[digest.Digest]*recentLook
}

// recentLook is the last one at an image that found nothing.
type recentLook struct {
	dir   string // "" where there was none
	top   fingerprint.Inode
	began time.Time
	going chan struct{} // closed when the one under way has ended; nil when none is
}

// NewRecent takes the age at which a look is repeated. With 0 every call gets a look
// that began after it, as from the Store, though perhaps one that others share. With
// more, a change that somebody makes below the root file system is noticed so much later
// than the Store would notice it: sandboxes cannot make one, root of the host can.
func NewRecent(store *Store, age time.Duration) *Recent {
	return &Recent{age: age, rootfs: store.Rootfs, place: store.rootfsPath, images: map[digest.Digest]*recentLook{}}
}

// Rootfs is Store.Rootfs. No error is kept.
func (r *Recent) Rootfs(ctx context.Context, sum digest.Digest) (string, error) {
	notBefore := time.Now().Add(-r.age)
	for {
		dir, going := r.known(sum, notBefore)
		if dir != "" {
			return dir, nil
		}
		if going == nil {
			return r.look(ctx, sum)
		}
		select {
		case <-going:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// Look is Rootfs, and says which tree it is, as Glance does.
func (r *Recent) Look(ctx context.Context, sum digest.Digest) (string, error) {
	if _, err := r.Rootfs(ctx, sum); err != nil {
		return "", err
	}
	return r.Glance(sum)
}

// Glance says which tree stands there, and does not look into it: it takes microseconds. After
// a repair there is another one.
func (r *Recent) Glance(sum digest.Digest) (string, error) {
	top, err := fingerprint.Look(r.place(sum))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%+v", top), nil
}

// known returns the directory if it was looked at recently enough and still stands at
// its place; else what to wait for, or nil for whoever is to look.
func (r *Recent) known(sum digest.Digest, notBefore time.Time) (dir string, going chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.images[sum]
	if last == nil {
		last = &recentLook{}
		r.images[sum] = last
	}
	if last.dir != "" && !last.began.Before(notBefore) {
		if top, err := fingerprint.Look(last.dir); err == nil && top == last.top {
			return last.dir, nil
		}
	}
	if last.going == nil {
		last.going = make(chan struct{})
		return "", nil
	}
	return "", last.going
}

func (r *Recent) look(ctx context.Context, sum digest.Digest) (dir string, err error) {
	found := recentLook{began: time.Now()}
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		close(r.images[sum].going)
		r.images[sum] = &found
	}()
	dir, err = r.rootfs(ctx, sum)
	if err != nil {
		return "", err
	}
	if top, err := fingerprint.Look(dir); err == nil {
		found.dir, found.top = dir, top
	}
	return dir, nil
}
