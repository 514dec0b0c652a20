package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"hotcell/internal/beneath"
)

// CreateOptions is what Create needs. Every field is required, but Tables.
type CreateOptions struct {
	Dir              string
	Name             string
	Version          string // of the data
	Study            string
	Deidentification Deidentification
	// Tables names the DataFrames by the path of their file; "" means that the
	// file is none. A CSV, JSON Lines or Parquet file that is not in it gets its
	// base name, with underscores for what a Python name cannot hold.
	Tables map[string]string
}

// Create writes bundle.json into a directory of data. The same files and options
// give the same bytes. It refuses links, hard links and whatever is not a regular
// file, and a directory that has a bundle.json; such errors are a *Fault.
func Create(ctx context.Context, options CreateOptions) (manifest Manifest, err error) {
	root, err := openSource(options.Dir)
	if err != nil {
		return Manifest{}, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if _, err := root.Lstat(ManifestName); err == nil {
		return Manifest{}, fault("%s has a %s: remove it to make another", options.Dir, ManifestName)
	}
	manifest = Manifest{
		Version: formatVersion, Name: options.Name, BundleVersion: options.Version, Study: options.Study,
		Deidentification: options.Deidentification,
	}
	if manifest.Files, err = describe(ctx, root, options.Tables); err != nil {
		return Manifest{}, err
	}
	manifest.sortFiles()
	if err := manifest.Validate(); err != nil {
		return Manifest{}, err
	}
	return manifest, writeManifest(root, manifest)
}

func openSource(dir string) (*os.Root, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fault("open bundle: %s", err)
	}
	if !info.IsDir() {
		return nil, fault("open bundle: %s is not a directory", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open bundle: %w", err)
	}
	return root, nil
}

// writeManifest leaves no half-written file.
func writeManifest(root *os.Root, manifest Manifest) (err error) {
	encoded, err := manifest.encode()
	if err != nil {
		return err
	}
	file, err := root.OpenFile(ManifestName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: %w", ManifestName, err)
	}
	_, err = file.Write(encoded)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", ManifestName, err), root.Remove(ManifestName))
	}
	return nil
}

// describe hashes every file of a directory.
func describe(ctx context.Context, root *os.Root, tables map[string]string) ([]File, error) {
	var files []File
	used := make(map[string]bool)
	err := walk(ctx, root, func(node *beneath.Node) error {
		file, err := describeFile(ctx, node)
		if err != nil {
			return err
		}
		file.Table, err = tableOf(file, tables)
		used[file.Path] = true
		files = append(files, file)
		return err
	})
	for name := range tables {
		if err == nil && !used[name] {
			err = fault("%s: there is no such file to make a table of", beneath.Escape(name))
		}
	}
	return files, err
}

func describeFile(ctx context.Context, node *beneath.Node) (file File, err error) {
	if err := checkFilePath(node.Path); err != nil {
		return File{}, fault("%s: %s: rename it", beneath.Escape(node.Path), err)
	}
	src, err := node.Open()
	if err != nil {
		return File{}, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	written, sum, err := beneath.Copy(ctx, io.Discard, src, node.Bytes)
	if err == nil && written != node.Bytes {
		err = beneath.ErrChanged
	}
	if err != nil {
		return File{}, fmt.Errorf("hash %s: %w", node.Path, err)
	}
	return File{Path: node.Path, Bytes: written, SHA256: sum, MediaType: mediaTypeOf(node.Path)}, nil
}

// tableOf finds a table's name for a file that can be one.
func tableOf(file File, tables map[string]string) (string, error) {
	if name, given := tables[file.Path]; given {
		return name, nil
	}
	if tableFormats[file.MediaType] == "" {
		return "", nil
	}
	base := path.Base(file.Path)
	name := strings.Map(identifierRune, strings.TrimSuffix(base, path.Ext(base)))
	if !isTableName(name) {
		return "", fault("%s: its name makes no Python name: say which table it is to be", file.Path)
	}
	return name, nil
}

func identifierRune(r rune) rune {
	if r < 0x80 && identifierPattern.MatchString("x"+string(r)) {
		return r
	}
	return '_'
}

// walk visits the regular files of a bundle's directory and refuses everything
// else, as a *Fault.
func walk(ctx context.Context, root *os.Root, file func(*beneath.Node) error) error {
	limits := beneath.Limits{Entries: 2*MaxFiles + 1, Depth: maxDepth}
	err := beneath.Walk(ctx, root, limits, func(node *beneath.Node) error {
		if reason := unfit(node); reason != "" {
			return fault("%s: %s", beneath.Escape(node.Path), reason)
		}
		if node.Kind == beneath.Directory {
			return nil
		}
		return file(node)
	})
	if errors.Is(err, beneath.ErrTooMany) {
		return fault("the bundle has too many files and directories: at most %d files", MaxFiles)
	}
	return err
}

// unfit says why an entry cannot be in a bundle, or "".
func unfit(node *beneath.Node) string {
	switch {
	case node.Problem != nil:
		return node.Problem.Error()
	case node.Kind == beneath.Directory:
		return ""
	case node.Kind == beneath.Symlink:
		return "it is a symbolic link: put a copy of the file in its place"
	case node.Kind != beneath.Regular:
		return fmt.Sprintf("it is a %s: a bundle holds regular files only", node.Kind)
	case node.Links != 1:
		return fmt.Sprintf("it has %d hard links, so it can be changed under another name: put a copy in its place", node.Links)
	case node.Special():
		return "it has its setuid, setgid or sticky bit set: clear it"
	}
	return ""
}
