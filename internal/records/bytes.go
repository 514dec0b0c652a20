package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"hotcell/internal/job"
)

// block is the least that a file, or a directory, takes of most disks: many small files fill one, too.
const block = 4 << 10

// Bytes is how much of the disk a run's record takes, with its files and its quarantine: each
// file, and each directory, in steps of 4 KiB. It is 0 for one that is not there.
func (v *View) Bytes(ctx context.Context, id job.ID) (all int64, err error) {
	for _, path := range []string{v.Path(id), v.QuarantinePath(id)} {
		bytes, err := bytesAt(ctx, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // else it was deleted, perhaps just now
			return 0, fmt.Errorf("measure record %s: %w", id, err)
		}
		all += bytes
	}
	return all, nil
}

// Bytes is what View.Bytes says of the record. It is there after Commit.
func (d *Draft) Bytes() int64 { return d.bytes }

func bytesAt(ctx context.Context, path string) (bytes int64, err error) {
	root, err := openDir(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return bytesIn(ctx, root)
}

func bytesIn(ctx context.Context, root *os.Root) (all int64, err error) {
	err = fs.WalkDir(root.FS(), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err = errors.Join(err, context.Cause(ctx)); err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		blocks := int64(1)
		if info.Mode().IsRegular() {
			blocks = max(1, (info.Size()+block-1)/block)
		}
		all += blocks * block
		return nil
	})
	return all, err
}
