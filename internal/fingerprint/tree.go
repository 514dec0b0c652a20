package fingerprint

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

// Of looks at every entry of a tree of our own. It opens directories only, so that it
// costs little more than a look at each entry. A mount below dir is an error.
func Of(ctx context.Context, dir string) (Tree, error) {
	top, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return Tree{}, fmt.Errorf("look at %s: %w", dir, err)
	}
	f := looker{dirs: map[string]digest.Digest{}}
	var stat unix.Stat_t
	if err := unix.Fstat(int(top.Fd()), &stat); err != nil {
		return Tree{}, errors.Join(fmt.Errorf("look at %s: %w", dir, err), top.Close())
	}
	f.device, f.newest = deviceOf(&stat), changedAt(&stat)
	stamps := keepsStamps(top)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0) + 1)
	group.Go(func() error { return f.directory(ctx, group, top, ".") })
	if err := group.Wait(); err != nil {
		return Tree{}, fmt.Errorf("look at %s: %w", dir, err)
	}
	sum := digest.New()
	describe(sum, ".", &stat)
	for _, name := range slices.Sorted(maps.Keys(f.dirs)) {
		fmt.Fprintf(sum, "%q %s\n", name, f.dirs[name].Hex())
	}
	return Tree{Entries: sum.Digest().Hex(), device: f.device, newest: f.newest, stamps: stamps}, nil
}

// looker is one look at a tree.
type looker struct {
	device uint64

	mu     sync.Mutex
	dirs   map[string]digest.Digest // of each directory's entries
	newest int64
}

// directory takes dir over. It goes down on another thread where one is free.
func (f *looker) directory(ctx context.Context, group *errgroup.Group, dir *os.File, name string) (err error) {
	defer func() { err = errors.Join(err, dir.Close()) }()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	slices.Sort(names)
	sum, newest := digest.New(), int64(0)
	for _, entry := range names {
		var stat unix.Stat_t
		if err := unix.Fstatat(int(dir.Fd()), entry, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return fmt.Errorf("%s: %w", path.Join(name, entry), err)
		}
		if deviceOf(&stat) != f.device {
			return fmt.Errorf("%s is a mount point", path.Join(name, entry))
		}
		describe(sum, entry, &stat)
		newest = max(newest, changedAt(&stat))
		if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
			continue
		}
		if err := f.below(ctx, group, dir, entry, path.Join(name, entry)); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dirs[name], f.newest = sum.Digest(), max(f.newest, newest)
	return nil
}

func (f *looker) below(ctx context.Context, group *errgroup.Group, dir *os.File, entry, name string) error {
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
