package image

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// debianBinary is one binary package.
type debianBinary struct {
	Name         string   `json:"name"`
	Version      string   `json:"version"`
	Architecture string   `json:"architecture"`
	Source       string   `json:"source"`
	Licenses     []string `json:"licenses"` // as its copyright file calls them

	files []string // regular files, as paths in the image
}

// maxControl bounds a package's control archive, in bytes. The largest of the
// image's has 2 MB.
const maxControl = 64 << 20

func parseControlArchive(content io.Reader) (binary debianBinary, err error) {
	archive := tar.NewReader(io.LimitReader(content, maxControl))
	for {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return debianBinary{}, err
		}
		switch path.Clean(entry.Name) {
		case "control":
			err = binary.parseControl(archive)
		case "md5sums":
			err = binary.parseFiles(archive)
		}
		if err != nil {
			return debianBinary{}, err
		}
	}
	if binary.Name == "" || binary.Version == "" || binary.Architecture == "" {
		return debianBinary{}, errors.New("control file lacks name, version or architecture")
	}
	return binary, nil
}

func (b *debianBinary) parseControl(control io.Reader) error {
	lines := bufio.NewScanner(control)
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "Package":
			b.Name = value
		case "Version":
			b.Version = value
		case "Architecture":
			b.Architecture = value
		case "Source":
			b.Source, _, _ = strings.Cut(value, " ") // "name (version)"
		}
	}
	if b.Source == "" {
		b.Source = b.Name
	}
	return lines.Err()
}

// parseFiles reads lines of a checksum, two spaces and a path.
func (b *debianBinary) parseFiles(sums io.Reader) error {
	lines := bufio.NewScanner(sums)
	for lines.Scan() {
		_, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			return fmt.Errorf("md5sums: unknown line %q", lines.Text())
		}
		b.files = append(b.files, mergedPath(name))
	}
	return lines.Err()
}

// mergedPath follows the directories that are links into /usr in every Debian
// since bookworm.
func mergedPath(name string) string {
	first, _, _ := strings.Cut(name, "/")
	if slices.Contains([]string{"bin", "lib", "lib64", "sbin"}, first) {
		return "usr/" + name
	}
	return name
}

// transformed is the package whose files are in the image in another form:
// joined into one.
const transformed = "ca-certificates"

// remaining returns the packages of which a file is in the tree, with the
// licences that the copyright files in source name.
func remaining(binaries []debianBinary, source, tree string) ([]debianBinary, error) {
	var kept []debianBinary
	for _, binary := range binaries {
		stays := slices.ContainsFunc(binary.files, func(name string) bool {
			return exists(filepath.Join(tree, name))
		})
		if !stays && binary.Name != transformed {
			continue
		}
		licenses, err := readLicenses(filepath.Join(source, "usr/share/doc", binary.Name, "copyright"))
		if err != nil {
			return nil, fmt.Errorf("read licences of %s: %w", binary.Name, err)
		}
		binary.Licenses = licenses
		kept = append(kept, binary)
	}
	return kept, nil
}

// readLicenses returns the short names in a machine-readable copyright file, and
// none for a file in another form or a package that shares that of another.
func readLicenses(file string) (names []string, err error) {
	content, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return []string{}, nil
	}
	if err != nil {
		return nil, err
	}
	names = []string{}
	if !bytes.HasPrefix(content, []byte("Format:")) {
		return names, nil
	}
	for line := range strings.Lines(string(content)) {
		name, found := strings.CutPrefix(strings.TrimSpace(line), "License:")
		if name = strings.TrimSpace(name); found && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
