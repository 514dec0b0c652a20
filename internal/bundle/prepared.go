package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
// prepared. Where they are in this version's form already, it verifies the bundle.
func (s *Store) Prepare(ctx context.Context, sum digest.Digest) (Bundle, error) {
	bundle, err := s.get(ctx, sum)
	if err != nil {
		return Bundle{}, err
	}
	if bundle.isPrepared() {
		return bundle, s.Verify(ctx, sum)
	}
	return s.Add(ctx, bundle.Path)
}

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

// files are the prepared tables as files to compare with.
func preparedFiles(tables []PreparedTable) map[string]DataFile {
	files := make(map[string]DataFile, len(tables))
	for _, each := range tables {
		files[each.Path] = DataFile{Path: each.Path, Bytes: each.Bytes, SHA256: each.SHA256}
	}
	return files
}

// sameTables wants the index on the disk to be the one that the bundle was found with.
func sameTables(ctx context.Context, root *os.Root, bundle Bundle) error {
	tables, err := readTables(ctx, root)
	if err != nil {
		return err
	}
	if !slices.Equal(tables, bundle.Tables) {
		return fault("%s: its content differs", tablesIndex)
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
	if err := table.Decode(p.ctx, from, file.tableFormat(), *file.Schema, writer.Row); err != nil {
		return err
	}
	path := tablesDir + "/" + file.Table + ".table"
	to, err := p.dst.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("prepare table: %w", err)
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	made, err := writer.Finish(to)
	p.made = append(p.made, PreparedTable{file.Table, path, made.Rows, made.Columns, made.Bytes, made.SHA256})
	return err
}

// end writes the index.
func (p *preparation) end() error {
	encoded, err := strictjson.Form{Indent: "  "}.Encode(preparedTables{prepared.Format, p.made})
	if err != nil {
		return fmt.Errorf("encode prepared tables: %w", err)
	}
	return durable.WriteFile(p.dst, tablesIndex, append(encoded, '\n'))
}

// isOfStore reports whether a path is below the store's own directory.
func isOfStore(path string) bool { return strings.HasPrefix(path, tablesDir+"/") }
