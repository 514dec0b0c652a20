package bundle

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"hotcell/internal/digest"
	"hotcell/internal/strictjson"
	"hotcell/internal/table"
)

// Bounds of a manifest.
const (
	MaxManifest = 8 << 20 // bytes; a file's entry has about 300, and 200 more with its encoding
	maxFiles    = 10_000
	maxDepth    = 16 // names in a path
	maxText     = 4096
)

// formatVersion is the format of bundle.json that this package writes. untypedVersion is
// that of bundles whose tables have no types: they are listed, and not used any more.
const (
	formatVersion  = 2
	untypedVersion = 1
)

// Manifest is bundle.json. Every name is required, but those of a file that omit zero.
type Manifest struct {
	Version          int              `json:"version"`        // of the format: 2
	Name             string           `json:"name"`           // lower-case letters, digits and hyphens
	BundleVersion    string           `json:"bundle_version"` // of the data
	Study            string           `json:"study"`          // protocol or study under which the data may be used
	Files            []DataFile       `json:"files"`          // in the order in which their tables are loaded
	Deidentification Deidentification `json:"deidentification"`
	// Ignored are patterns of what lies in the directory and is not of the bundle.
	Ignored []string `json:"ignored,omitzero"`
}

// DataFile is one file of a bundle, as the store has it.
type DataFile struct {
	Path      string     `json:"path"` // relative to the bundle, slash-separated, clean
	Bytes     int64      `json:"bytes"`
	SHA256    digest.Hex `json:"sha256"`
	MediaType string     `json:"media_type"`
	// Table is the DataFrame that runs find it as: an ASCII identifier of Python
	// that is no keyword, no builtin and no name of the run's own.
	Table string `json:"table,omitzero"`
	// Encoding is nil for a file that the store has as it came. Else bytes and sha256 are
	// of the UTF-8 that the store makes of it.
	Encoding *Encoding `json:"encoding,omitzero"`
	// Source is the file of which Create has made this one, or nil for a file that came as it is.
	Source *Source `json:"source,omitzero"`
	// Delimiter is what divides the fields of a CSV table in place of commas: "semicolon",
	// "tab" or "pipe".
	Delimiter string `json:"delimiter,omitzero"`
	// Schema is what a table's columns are. Every table has one but one of Parquet, which has
	// its types in itself.
	Schema *table.Schema `json:"schema,omitzero"`
}

// Deidentification is the attestation that the data may be analysed at all. The
// methods of 45 CFR 164.514(b) are the first two.
type Deidentification struct {
	Method     Method `json:"method"`
	AttestedBy string `json:"attested_by"`
	AttestedOn string `json:"attested_on"` // date, YYYY-MM-DD
	Statement  string `json:"statement"`
	Tool       string `json:"tool,omitzero"`        // with which the data was de-identified
	ValidUntil string `json:"valid_until,omitzero"` // date, YYYY-MM-DD: the last day of it; "" for no end
	Protocol   string `json:"protocol,omitzero"`    // its number, for example an ethics committee's
}

// Expired reports whether the attestation holds no longer on a day (YYYY-MM-DD).
func (d Deidentification) Expired(day string) bool { return d.ValidUntil != "" && day > d.ValidUntil }

// Method is how data was de-identified, or why it did not need to be.
type Method string

// The methods.
const (
	SafeHarbor          Method = "safe_harbor"          // 45 CFR 164.514(b)(2)
	ExpertDetermination Method = "expert_determination" // 45 CFR 164.514(b)(1)
	Synthetic           Method = "synthetic"            // of no person
	PublicUse           Method = "public_use"           // published by its custodian for anyone
)

// Format is how a table's file is read: "csv", "tsv", "jsonl" or "parquet", or "" for a
// file that is not a table. Parquet can be loaded only in an image that has a
// reader for it, such as pyarrow; python-analysis has none.
func (f DataFile) Format() string {
	if f.Table == "" {
		return ""
	}
	return tableFormats[f.MediaType]
}

// tableFormats are the media types that can be loaded as a DataFrame.
var tableFormats = map[string]string{
	"text/csv":                       string(table.CSV),
	"text/tab-separated-values":      string(table.TSV),
	"application/x-ndjson":           string(table.JSONL),
	"application/vnd.apache.parquet": parquet,
}

const parquet = "parquet"

// typed reports whether a file is a table whose columns have the types of a schema.
func (f DataFile) typed() bool { return f.Format() != "" && f.Format() != parquet }

// TableFormat is the format of a typed file as Decode takes it.
func (f DataFile) TableFormat() table.Format {
	if f.Delimiter != "" {
		return table.Delimited(f.Delimiter)
	}
	return table.Format(f.Format())
}

// delimiterProblem says why a file cannot have its delimiter, or "".
func (f DataFile) delimiterProblem() string {
	if f.Delimiter != "" && (f.Format() != string(table.CSV) || !f.TableFormat().Known()) {
		return "only a table of CSV has a delimiter: semicolon, tab or pipe"
	}
	return ""
}

// mediaTypes are the media types by which files are known, by extension. What is
// not here is application/octet-stream.
var mediaTypes = map[string]string{
	".csv":     "text/csv",
	".tsv":     "text/tab-separated-values",
	".jsonl":   "application/x-ndjson",
	".ndjson":  "application/x-ndjson",
	".parquet": "application/vnd.apache.parquet",
	".json":    "application/json",
	".txt":     "text/plain",
	".md":      "text/markdown",
	".pdf":     "application/pdf",
	".html":    "text/html",
	".png":     "image/png",
}

func mediaTypeOf(name string) string {
	if kind, ok := mediaTypes[strings.ToLower(path.Ext(name))]; ok {
		return kind
	}
	return "application/octet-stream"
}

// parseManifest reads and validates bundle.json. Its errors are Faults.
func parseManifest(data []byte) (Manifest, error) {
	return parseVersion(data, Manifest.Validate)
}

// ReadManifest reads bundle.json for who makes another like it. What is wrong with it is a
// *FaultError.
func ReadManifest(data []byte) (Manifest, error) { return parseManifest(data) }

// parseStored is parseManifest for a store, which may have untyped bundles.
func parseStored(data []byte) (Manifest, error) {
	return parseVersion(data, Manifest.validateStored)
}

func parseVersion(data []byte, validate func(Manifest) error) (manifest Manifest, err error) {
	if err := strictjson.DecodeAll(data, MaxManifest, &manifest); err != nil {
		return Manifest{}, manifestFaults([]defect{{ManifestForm, err.Error()}})
	}
	if err := validate(manifest); err != nil {
		return Manifest{}, err
	}
	return manifest, nil
}

// Untyped reports whether the tables have no types, as all had once. No run gets them.
func (m Manifest) Untyped() bool { return m.Version == untypedVersion }

// encode writes the manifest the same way every time.
func (m Manifest) encode() ([]byte, error) {
	encoded, err := strictjson.Form{Indent: "  "}.Encode(m)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", ManifestName, err)
	}
	return append(encoded, '\n'), nil
}

// bytes sums up the files' sizes. Validate has bounded them.
func (m Manifest) bytes() int64 {
	var total int64
	for _, file := range m.Files {
		total += file.Bytes
	}
	return total
}

func (m Manifest) byPath() map[string]DataFile {
	files := make(map[string]DataFile, len(m.Files))
	for _, file := range m.Files {
		files[file.Path] = file
	}
	return files
}

// sortFiles orders the files by path.
func (m Manifest) sortFiles() {
	slices.SortFunc(m.Files, func(a, b DataFile) int { return strings.Compare(a.Path, b.Path) })
}
