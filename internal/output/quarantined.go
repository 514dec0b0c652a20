package output

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// maxIndex bounds a quarantine's index in bytes.
const maxIndex = 64 << 20

// ReadQuarantine reads the index of what Quarantine has kept in dir. Its paths, kinds and
// messages are foreign, escaped as they were when it was written.
func ReadQuarantine(ctx context.Context, dir *os.Root) (QuarantineIndex, error) {
	data, err := beneath.ReadFile(ctx, dir, IndexName, maxIndex)
	if err != nil {
		return QuarantineIndex{}, fmt.Errorf("read quarantine: %w", err)
	}
	var index QuarantineIndex
	if err := strictjson.Decode(data, maxIndex, &index); err != nil {
		return QuarantineIndex{}, fmt.Errorf("read quarantine: its index: %w", err)
	}
	if index.Version != 1 {
		return QuarantineIndex{}, fmt.Errorf("read quarantine: its index is of version %d", index.Version)
	}
	for _, entry := range index.Entries {
		if entry.Blob != "" && !blobName.MatchString(entry.Blob) {
			return QuarantineIndex{}, errors.New("read quarantine: its index names a file that is no content of it")
		}
	}
	return index, nil
}

// blobName is how Quarantine calls what it keeps.
var blobName = regexp.MustCompile(`^[0-9]{4,9}\.bin$`)

// ExportQuarantine copies what Quarantine has kept in dir, unread, with its index and under
// its numbers, to a directory for the user's own eyes. What is not what the index says ends
// it. It returns the files.
func ExportQuarantine(ctx context.Context, dir string, to Destination) (files []job.File, err error) {
	root, err := durable.OpenDir(dir)
	if err != nil {
		return nil, fmt.Errorf("export quarantine: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	index, err := ReadQuarantine(ctx, root)
	if err != nil {
		return nil, err
	}
	named := []string{IndexName}
	known := map[string]digest.Hex{}
	for _, entry := range index.Entries {
		if entry.Blob != "" {
			named, known[entry.Blob] = append(named, entry.Blob), entry.SHA256
		}
	}
	for _, name := range named {
		sum, size, err := sumOf(root, name)
		if err != nil {
			return nil, err
		}
		if want := known[name]; want != "" && want != sum.Hex() { // what grew while it was kept has none
			return nil, fmt.Errorf("export quarantine: %s is not what was kept: it has been changed since", name)
		}
		files = append(files, job.File{Path: name, Bytes: size, SHA256: sum.Hex()})
	}
	to.Private = true
	return files, copies{root, files}.export(ctx, to)
}

func sumOf(root *os.Root, name string) (sum digest.Digest, size int64, err error) {
	file, err := root.Open(name)
	if err != nil {
		return "", 0, fmt.Errorf("export quarantine: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if sum, size, err = digest.From(file); err != nil {
		err = fmt.Errorf("export quarantine: %w", err)
	}
	return sum, size, err
}
