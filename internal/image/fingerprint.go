package image

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
)

// fingerprint is a digest of what the kernel knows of every entry of a tree:
// name, type, mode, owner, size, links, inode, and the times of its last change.
// A changed byte, attribute or name changes it, because nobody can set a ctime; a
// kernel flaw that writes to the page cache alone does not, nor does root with
// another clock or the raw disk. It opens directories only, so that it costs
// little more than a look at each entry.
func fingerprint(ctx context.Context, dir string) (digest.Hex, error) {
	top, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", dir, err)
	}
	f := fingerprinter{dirs: map[string]digest.Digest{}}
	var stat unix.Stat_t
	if err := unix.Fstat(int(top.Fd()), &stat); err != nil {
		return "", errors.Join(fmt.Errorf("look at %s: %w", dir, err), top.Close())
	}
	f.device = deviceOf(&stat)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0) + 1)
	group.Go(func() error { return f.directory(ctx, group, top, ".") })
	if err := group.Wait(); err != nil {
		return "", fmt.Errorf("look at %s: %w", dir, err)
	}
	sum := digest.New()
	describe(sum, ".", &stat)
	for _, name := range slices.Sorted(maps.Keys(f.dirs)) {
		fmt.Fprintf(sum, "%q %s\n", name, f.dirs[name].Hex())
	}
	return sum.Digest().Hex(), nil
}

type fingerprinter struct {
	device uint64

	mu   sync.Mutex
	dirs map[string]digest.Digest // of each directory's entries
}

// directory takes dir over. It goes down on another thread where one is free.
func (f *fingerprinter) directory(ctx context.Context, group *errgroup.Group, dir *os.File, name string) (err error) {
	defer func() { err = errors.Join(err, dir.Close()) }()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	slices.Sort(names)
	sum := digest.New()
	for _, entry := range names {
		var stat unix.Stat_t
		if err := unix.Fstatat(int(dir.Fd()), entry, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return fmt.Errorf("%s: %w", path.Join(name, entry), err)
		}
		if deviceOf(&stat) != f.device {
			return fmt.Errorf("%s is a mount point", path.Join(name, entry))
		}
		describe(sum, entry, &stat)
		if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
			continue
		}
		if err := f.below(ctx, group, dir, entry, path.Join(name, entry)); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dirs[name] = sum.Digest()
	return nil
}

func (f *fingerprinter) below(ctx context.Context, group *errgroup.Group, dir *os.File, entry, name string) error {
	fd, err := unix.Openat(int(dir.Fd()), entry, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	file := os.NewFile(uintptr(fd), name)
	if group.TryGo(func() error { return f.directory(ctx, group, file, name) }) {
		return nil
	}
	return f.directory(ctx, group, file, name)
}
