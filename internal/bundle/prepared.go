package bundle

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
	"hotcell/internal/table"
	"hotcell/internal/table/prepared"
)

// The store's copy of a bundle has a directory of the store's own: its tables as runs get
// them, and what they are. No manifest can name a file in it, for its name begins with a dot.
const (
	tablesDir      = ".tables"
	tablesIndex    = tablesDir + "/index.json"
	tablesScratch  = tablesDir + "/scratch"
	maxTablesIndex = 8 << 20 // bytes; an entry has about 250
)

// PreparedTable is a table in the form that a run maps: made by the store of the original
// beside it, byte for byte the same each time.
type PreparedTable struct {
	Table   string     `json:"table"`
	Path    string     `json:"path"` // in the store's copy
	Rows    int64      `json:"rows"`
	Columns int        `json:"columns"`
	Bytes   int64      `json:"bytes"`
	SHA256  digest.Hex `json:"sha256"`
}

// preparedTables is the index.
type preparedTables struct {
	Format int             `json:"format"` // prepared.Format
	Tables []PreparedTable `json:"tables"`
}

// isPrepared reports whether runs can have the bundle's tables.
func (b Bundle) isPrepared() bool { return b.Tables != nil }

// unprepared is a bundle whose tables another version of this program has prepared, or none.
func unprepared(b Bundle) error {
	return fault("the tables of bundle %s are not in the form that runs of this version get: make it with `runner bundle prepare %s`", b, b.Reference())
}

// Prepare makes the tables of a store's copy anew that another version of this program has
// prepared, or that are not those of the files beside them. Where nothing is wrong with them,
// it has verified the bundle.
func (s *Store) Prepare(ctx context.Context, sum digest.Digest) (Bundle, error) {
	bundle, err := s.get(ctx, sum)
	if err != nil {
		return Bundle{}, err
	}
	if bundle.isPrepared() {
		err := s.Verify(ctx, sum)
		if _, differs := errors.AsType[*FaultError](err); !differs {
			return bundle, err
		}
	}
	return s.Add(ctx, bundle.Path)
}

// fits wants exactly the tables that the manifest gives a type, each in its own place and with
// its columns: what the store says of its own is held to what the digest names.
func fits(tables []PreparedTable, manifest Manifest) error {
	left := make(map[string]DataFile)
	for _, file := range manifest.Files {
		if file.Schema != nil {
			left[file.Table] = file
		}
	}
	for _, each := range tables {
		file, there := left[each.Table]
		if !there || each.Path != tablePath(each.Table) || each.Columns != len(file.Schema.Fields) {
			return fault("%s: its tables are not those of %s", tablesIndex, ManifestName)
		}
		delete(left, each.Table)
	}
	if len(left) > 0 {
		return fault("%s: it lacks tables of %s", tablesIndex, ManifestName)
	}
	return nil
}

func tablePath(name string) string { return tablesDir + "/" + name + ".table" }

// readTables returns nil where the tables are not prepared, or in another form.
func readTables(ctx context.Context, root *os.Root) ([]PreparedTable, error) {
	if _, err := root.Lstat(tablesIndex); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	data, err := beneath.ReadFile(ctx, root, tablesIndex, maxTablesIndex)
	if err != nil {
		return nil, fmt.Errorf("read prepared tables: %w", err)
	}
	var format int
	if err := strictjson.Decode(strictjson.Members(data)["format"], len("1000000"), &format); err == nil && format != prepared.Format {
		return nil, nil
	}
	var index preparedTables
	if err := strictjson.DecodeAll(data, maxTablesIndex, &index); err != nil {
		return nil, fault("%s: %s", tablesIndex, err)
	}
	if index.Tables == nil {
		index.Tables = []PreparedTable{}
	}
	return index.Tables, nil
}

// addPrepared adds the prepared tables as files to compare with, and their index as the store
// has written it.
func (b Bundle) addPrepared(to map[string]DataFile) error {
	if !b.isPrepared() {
		return nil
	}
	for _, each := range b.Tables {
		to[each.Path] = DataFile{Path: each.Path, Bytes: each.Bytes, SHA256: each.SHA256}
	}
	encoded, err := encodeIndex(b.Tables)
	to[tablesIndex] = DataFile{Path: tablesIndex, Bytes: int64(len(encoded)), SHA256: digest.Of(encoded).Hex()}
	return err
}

// verifyTables makes the tables anew beside the store's copies, and compares.
func (s *Store) verifyTables(ctx context.Context, bundle Bundle) (err error) {
	draft, err := durable.NewDraft(filepath.Join(s.dir, draftPrefix+"verifying-"+string(bundle.Digest.Hex())+"-"+rand.Text()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, draft.Discard()) }()
	root, err := durable.OpenDir(bundle.Path)
	if err != nil {
		return fmt.Errorf("verify bundle %s: %w", bundle, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	tables, err := newPreparation(ctx, draft.Root())
	if err != nil {
		return err
	}
	files := bundle.Manifest.byPath()
	err = walk(ctx, root, nil, func(node *beneath.Node) error {
		file := files[node.Path]
		if file.Schema == nil {
			return nil
		}
		check := tables.check(file)
		err := readFile(ctx, check, node, file)
		return errors.Join(err, check.end())
	})
	if err != nil {
		return fmt.Errorf("verify bundle %s: make its tables again: %w", bundle, err)
	}
	if !slices.Equal(tables.made, bundle.Tables) {
		return changed(bundle.String(), []string{tablesDir + ": the tables that runs get are not those of its files"})
	}
	return nil
}

// preparation makes the tables of a store's copy.
type preparation struct {
	ctx  context.Context // of the one copy that it is for
	dst  *os.Root
	made []PreparedTable
}

func newPreparation(ctx context.Context, dst *os.Root) (*preparation, error) {
	if err := dst.Mkdir(tablesDir, 0o700); err != nil {
		return nil, fmt.Errorf("prepare tables: %w", err)
	}
	return &preparation{ctx: ctx, dst: dst, made: []PreparedTable{}}, nil
}

// check prepares a table while its bytes are written to it, by which it holds it to its
// schema.
func (p *preparation) check(file DataFile) tableCheck {
	if file.Schema == nil {
		return anything{}
	}
	return read(func(from io.Reader) error { return p.prepare(from, file) })
}

func (p *preparation) prepare(from io.Reader, file DataFile) (err error) {
	scratch, err := p.dst.OpenFile(tablesScratch, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("prepare table: %w", err)
	}
	defer func() { err = errors.Join(err, scratch.Close(), p.dst.Remove(tablesScratch)) }()
	writer, err := prepared.NewWriter(*file.Schema, scratch)
	if err != nil {
		return err
	}
	rows, columns := int64(0), len(file.Schema.Fields)
	err = table.Decode(p.ctx, from, file.TableFormat(), *file.Schema, func(values []table.Value) error {
		rows++
		if err := table.CheckCells(rows, columns, file.mostBytes()); err != nil {
			return err
		}
		return writer.Row(values)
	})
	if err != nil {
		return err
	}
	path := tablePath(file.Table)
	to, err := p.dst.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("prepare table: %w", err)
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	made, err := writer.Finish(to)
	p.made = append(p.made, PreparedTable{file.Table, path, made.Rows, made.Columns, made.Bytes, made.SHA256})
	return err
}

// mostBytes is the size of a file before all of it is read: what a manifest says of one that is
// to be decoded is not yet sure, and U+FFFD has three bytes for one.
func (f DataFile) mostBytes() int64 {
	if f.Encoding != nil {
		return min(f.Bytes, 3*f.Encoding.Bytes)
	}
	return f.Bytes
}

// end writes the index.
func (p *preparation) end() error {
	encoded, err := encodeIndex(p.made)
	if err != nil {
		return err
	}
	return durable.WriteFile(p.dst, tablesIndex, encoded)
}

// encodeIndex writes the index the same way every time.
func encodeIndex(tables []PreparedTable) ([]byte, error) {
	encoded, err := strictjson.Form{Indent: "  "}.Encode(preparedTables{prepared.Format, tables})
	if err != nil {
		return nil, fmt.Errorf("encode prepared tables: %w", err)
	}
	return append(encoded, '\n'), nil
}

// TablesIndex is the file of the store's copy that has the digests of what runs get of the
// tables, by its name and its own digest, which is "" where they are not prepared. No manifest
// has that digest: who keeps it elsewhere sees that the file was edited with what it names.
func (b Bundle) TablesIndex() (name string, sum digest.Hex, err error) {
	if !b.isPrepared() {
		return tablesIndex, "", nil
	}
	encoded, err := encodeIndex(b.Tables)
	return tablesIndex, digest.Of(encoded).Hex(), err
}

// isOfStore reports whether a path is below the store's own directory.
func isOfStore(path string) bool { return strings.HasPrefix(path, tablesDir+"/") }
