package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// QuarantineLimits bounds what is kept of refused output. Every field is
// required.
type QuarantineLimits struct {
	MaxEntries int   // files and directories that are listed
	MaxBytes   int64 // kept of all files together
	MaxDepth   int   // names in a path
	// Only keeps nothing but the files with these paths, escaped as beneath.Escape does it,
	// and lists no other entry. nil keeps all.
	Only map[string]bool
}

// QuarantineIndex is index.json of a quarantine. Its paths are escaped as
// beneath.Escape does it.
type QuarantineIndex struct {
	Version    int               `json:"version"`
	Complete   bool              `json:"complete"` // false: something was beyond the limits, see Notes
	Notes      []string          `json:"notes"`
	Violations []job.Violation   `json:"violations"`
	Entries    []QuarantineEntry `json:"entries"`
}

// QuarantineEntry is one entry of the refused directory.
type QuarantineEntry struct {
	Path   string     `json:"path"`
	Kind   string     `json:"kind"`
	Bytes  int64      `json:"bytes"`
	Mode   string     `json:"mode"` // octal
	Links  uint64     `json:"links"`
	Blob   string     `json:"blob,omitempty"` // the file that holds the content, where it was kept
	SHA256 digest.Hex `json:"sha256,omitempty"`
	Note   string     `json:"note,omitempty"` // why the content was not kept
}

// IndexName is the name of a quarantine's index.
const IndexName = "index.json"

// Quarantine keeps refused output for those who must look into it, in dst, which
// must exist, be empty and have mode 0700. Each regular file becomes a blob with
// a number for a name and mode 0400, so that no foreign name, mode or type gets
// onto the host; links and special files are listed and never touched. A file
// with several hard links is listed only: its content may not be the run's. What
// is beyond the limits is noted. On error dst is empty again.
func Quarantine(ctx context.Context, dir *os.Root, dst string, reasons []job.Violation, limits QuarantineLimits) error {
	root, err := openStaging(dst)
	if err != nil {
		return fmt.Errorf("quarantine output: %w", err)
	}
	q := quarantiner{root: root, left: limits.MaxBytes, only: limits.Only, index: QuarantineIndex{
		Version: 1, Complete: true, Notes: []string{}, Violations: reasons, Entries: []QuarantineEntry{},
	}}
	if err := q.run(ctx, dir, limits); err != nil {
		return errors.Join(fmt.Errorf("quarantine output: %w", err), emptyStaging(root))
	}
	return root.Close()
}

type quarantiner struct {
	root  *os.Root
	left  int64 // bytes that may still be kept
	only  map[string]bool
	index QuarantineIndex
}

func (q *quarantiner) run(ctx context.Context, dir *os.Root, limits QuarantineLimits) error {
	walk := beneath.Extent{Entries: limits.MaxEntries, Depth: limits.MaxDepth}
	err := beneath.Walk(ctx, dir, walk, func(node *beneath.Node) error { return q.visit(ctx, node) })
	switch {
	case errors.Is(err, beneath.ErrTooMany), errors.Is(err, beneath.ErrChanged):
		q.note(err.Error())
	case err != nil:
		return err
	}
	encoded, err := strictjson.Form{Indent: "\t", Lenient: true}.Encode(q.index)
	if err != nil {
		return fmt.Errorf("encode index: %w", err)
	}
	if err := durable.WriteFile(q.root, IndexName, append(encoded, '\n')); err != nil {
		return err
	}
	return q.root.Chmod(IndexName, 0o400)
}

func (q *quarantiner) note(text string) {
	q.index.Complete = false
	q.index.Notes = append(q.index.Notes, text)
}

func (q *quarantiner) visit(ctx context.Context, node *beneath.Node) error {
	entry := QuarantineEntry{
		Path: beneath.Escape(node.Path), Kind: string(node.Kind), Bytes: node.Bytes,
		Mode: fmt.Sprintf("%04o", node.Mode), Links: node.Links,
	}
	if q.only != nil && !q.only[entry.Path] {
		return nil
	}
	switch {
	case node.Problem != nil:
		q.index.Complete = false
		entry.Note = "not entered: " + node.Problem.Error()
	case node.Kind != beneath.Regular:
	case node.Links != 1:
		entry.Note = "not kept: several hard links"
	default:
		if err := q.keep(ctx, node, &entry); err != nil {
			return err
		}
	}
	q.index.Entries = append(q.index.Entries, entry)
	return nil
}

// keep stores a file's content, or notes why not.
func (q *quarantiner) keep(ctx context.Context, node *beneath.Node, entry *QuarantineEntry) error {
	if node.Bytes > q.left {
		q.index.Complete = false
		entry.Note = "not kept: over the limit of bytes"
		return nil
	}
	src, err := node.Open()
	if errors.Is(err, beneath.ErrChanged) || errors.Is(err, beneath.ErrMount) || errors.Is(err, beneath.ErrUnreadable) {
		q.index.Complete = false
		entry.Note = "not kept: " + err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(q.store(ctx, src, entry), src.Close())
}

func (q *quarantiner) store(ctx context.Context, src *os.File, entry *QuarantineEntry) (err error) {
	blob := fmt.Sprintf("%04d.bin", len(q.index.Entries)+1)
	dst, err := q.root.OpenFile(blob, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o400)
	if err != nil {
		return fmt.Errorf("create blob: %w", err)
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	kept := digest.New() // of what is kept, which may not be all of it
	written, _, err := beneath.Copy(ctx, io.MultiWriter(dst, kept), src, entry.Bytes)
	q.left -= written
	if errors.Is(err, beneath.ErrTooLarge) {
		q.index.Complete = false
		entry.Note = "cut: it grew while it was read"
	} else if err != nil {
		return fmt.Errorf("keep blob: %w", err)
	}
	entry.Blob, entry.Bytes, entry.SHA256 = blob, written, kept.Digest().Hex()
	return nil
}
