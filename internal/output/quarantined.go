package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// maxIndex bounds a quarantine's index in bytes.
const maxIndex = 64 << 20

// ReadQuarantine reads the index of what Quarantine has kept in dir, and names it. Its paths,
// kinds and messages are foreign, escaped as they were when it was written.
func ReadQuarantine(ctx context.Context, dir *os.Root) (index QuarantineIndex, sum digest.Hex, err error) {
	data, err := beneath.ReadFile(ctx, dir, IndexName, maxIndex)
	if err != nil {
		return QuarantineIndex{}, "", fmt.Errorf("read quarantine: %w", err)
	}
	sum = digest.Of(data).Hex()
	if err := strictjson.Decode(data, maxIndex, &index); err != nil {
		return QuarantineIndex{}, sum, fmt.Errorf("read quarantine: its index: %w", err)
	}
	if index.Version != 1 {
		return QuarantineIndex{}, sum, fmt.Errorf("read quarantine: its index is of version %d", index.Version)
	}
	for _, entry := range index.Entries {
		if entry.Blob != "" && !blobName.MatchString(entry.Blob) {
			return QuarantineIndex{}, sum, errors.New("read quarantine: its index names a file that is no content of it")
		}
	}
	return index, sum, nil
}

// Unlike is what of a quarantine is not as its index says, by names as beneath.Escape writes
// them.
type Unlike struct {
	Changed, Missing, Added []string
}

// Any reports whether there is something.
func (u Unlike) Any() bool { return len(u.Changed)+len(u.Missing)+len(u.Added) > 0 }

// CompareQuarantine holds what lies in dir to its index. Of each file no more is read than the
// index says that it has, which is what the policy's limits have let in, and of what the index
// does not name nothing.
func CompareQuarantine(ctx context.Context, dir *os.Root, index QuarantineIndex) (found Unlike, err error) {
	named := map[string]QuarantineEntry{}
	for _, entry := range index.Entries {
		if entry.Blob != "" {
			named[entry.Blob] = entry
		}
	}
	err = beneath.Walk(ctx, dir, beneath.Extent{Entries: len(index.Entries) + maxStrange, Depth: 1}, func(node *beneath.Node) error {
		entry, known := named[node.Path]
		delete(named, node.Path)
		switch {
		case node.Path == IndexName && node.Kind == beneath.Regular:
		case !known:
			found.Added = append(found.Added, beneath.Escape(node.Path))
		case !isKept(ctx, node, entry):
			found.Changed = append(found.Changed, node.Path)
		}
		return context.Cause(ctx)
	})
	for name := range named {
		found.Missing = append(found.Missing, name)
	}
	slices.Sort(found.Missing)
	return found, err
}

// maxStrange bounds how many files that do not belong there are looked at.
const maxStrange = 1000

// isKept reports whether a file is what was kept.
func isKept(ctx context.Context, node *beneath.Node, entry QuarantineEntry) bool {
	if node.Kind != beneath.Regular || node.Bytes != entry.Bytes {
		return false
	}
	file, err := node.Open()
	if err != nil {
		return false
	}
	defer file.Close()
	size, sum, err := beneath.Copy(ctx, io.Discard, file, entry.Bytes)
	return err == nil && size == entry.Bytes && (sum.Hex() == entry.SHA256 || entry.SHA256 == "")
}

// blobName is how Quarantine calls what it keeps.
var blobName = regexp.MustCompile(`^[0-9]{4,9}\.bin$`)

// ExportQuarantine copies what Quarantine has kept in dir, unread, with its index and under
// its numbers, to a directory for the user's own eyes. What is not what the index says, or an
// index that is not the one that want names where it names one, ends it. It returns the files.
func ExportQuarantine(ctx context.Context, dir string, want digest.Hex, to Destination) (files []job.File, err error) {
	root, err := durable.OpenDir(dir)
	if err != nil {
		return nil, fmt.Errorf("export quarantine: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	index, sum, err := ReadQuarantine(ctx, root)
	if err != nil {
		return nil, err
	}
	unlike, err := CompareQuarantine(ctx, root, index)
	if err != nil {
		return nil, fmt.Errorf("export quarantine: %w", err)
	}
	if want != "" && sum != want || unlike.Any() {
		return nil, errors.New("export quarantine: it is not what was kept: it has been changed since")
	}
	info, err := root.Lstat(IndexName)
	if err != nil {
		return nil, fmt.Errorf("export quarantine: %w", err)
	}
	files = []job.File{{Path: IndexName, Bytes: info.Size(), SHA256: sum}}
	for _, entry := range index.Entries {
		if entry.Blob != "" {
			files = append(files, job.File{Path: entry.Blob, Bytes: entry.Bytes, SHA256: entry.SHA256})
		}
	}
	to.Private = true
	return files, copies{below(root), files}.export(ctx, to)
}
