package crate

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"hotcell/internal/beneath"
)

// payload is where the crate is in its bag.
const payload = "data"

// bag is a BagIt directory (RFC 8493) that is written as the only one of a zip.
type bag struct {
	zip   *zip.Writer
	dir   string // its name
	crate *made
	sums  map[string]string // SHA-512 in hex, by the path in the bag
	bytes int64             // of the payload
	files int               // of the payload
}

func (m *made) write(ctx context.Context, w io.Writer) error {
	out := &bag{zip: zip.NewWriter(w), dir: m.result().RunID.String(), crate: m, sums: map[string]string{}}
	metadata, err := m.metadata()
	if err != nil {
		return err
	}
	workflow, err := m.workflow()
	if err != nil {
		return err
	}
	for _, one := range []struct {
		name    string
		content []byte
	}{
		{metadataFile, metadata},
		{path.Join(workflowDir, metadataFile), workflow},
		{eventsFile, m.lines()},
	} {
		if err := out.add(path.Join(payload, one.name), bytes.NewReader(one.content)); err != nil {
			return err
		}
	}
	for _, one := range m.parts {
		if err := out.copy(ctx, one); err != nil {
			return err
		}
	}
	if err := out.tags(); err != nil {
		return err
	}
	return out.zip.Close()
}

// lines are the events as they stand in the chain.
func (m *made) lines() []byte {
	var all []byte
	for _, event := range m.Events {
		all = append(append(all, event.Line...), '\n')
	}
	return all
}

// tags writes what a bag says of its payload, and of itself.
func (b *bag) tags() error {
	info := fmt.Sprintf("External-Identifier: %s\nExternal-Description: Run %s, recorded by Hotcell\nPayload-Oxum: %d.%d\n",
		b.crate.urn("crate"), b.dir, b.bytes, b.files)
	for _, tag := range []struct{ name, text string }{
		{"bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"},
		{"bag-info.txt", info},
		{"manifest-sha512.txt", b.manifest(true)},
	} {
		if err := b.add(tag.name, strings.NewReader(tag.text)); err != nil {
			return err
		}
	}
	return b.add("tagmanifest-sha512.txt", strings.NewReader(b.manifest(false)))
}

// manifest names what is of the payload so far, or what is not.
func (b *bag) manifest(ofPayload bool) string {
	var names []string
	for name := range b.sums {
		if strings.HasPrefix(name, payload+"/") == ofPayload {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "%s  %s\n", b.sums[name], lineBreaks.Replace(name))
	}
	return text.String()
}

// lineBreaks are written otherwise in a manifest: RFC 8493, section 2.1.3.
var lineBreaks = strings.NewReplacer("%", "%25", "\n", "%0A", "\r", "%0D")

// copy adds a file of the record, if it is what it was.
func (b *bag) copy(ctx context.Context, one part) error {
	file, err := b.crate.Files.Open(one.source)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s of the record: %w", one.source, fs.ErrInvalid)
	}
	size := one.bytes
	if size < 0 {
		size = info.Size()
	}
	to, err := b.create(path.Join(payload, one.name))
	if err != nil {
		return err
	}
	if err := beneath.CopyNamed(ctx, to, file, one.want.Digest(), size); err != nil {
		return fmt.Errorf("%s of the record: %w", one.source, err)
	}
	to.close()
	return nil
}

func (b *bag) add(name string, content io.Reader) error {
	to, err := b.create(name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, content); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	to.close()
	return nil
}

// entry is a file of the bag that is being written.
type entry struct {
	io.Writer
	bag   *bag
	name  string
	hash  hash.Hash
	bytes int64
}

func (b *bag) create(name string) (*entry, error) {
	header := &zip.FileHeader{Name: path.Join(b.dir, name), Method: zip.Deflate, Modified: b.crate.result().Provenance.StartedAt.UTC()}
	header.SetMode(0o644)
	to, err := b.zip.CreateHeader(header)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return &entry{Writer: to, bag: b, name: name, hash: sha512.New()}, nil
}

// Write implements io.Writer.
func (e *entry) Write(p []byte) (int, error) {
	n, err := e.Writer.Write(p)
	e.hash.Write(p[:n])
	e.bytes += int64(n)
	return n, err
}

// close notes what was written.
func (e *entry) close() {
	e.bag.sums[e.name] = hex.EncodeToString(e.hash.Sum(nil))
	if strings.HasPrefix(e.name, payload+"/") {
		e.bag.files++
		e.bag.bytes += e.bytes
	}
}
