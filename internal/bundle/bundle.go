// Package bundle keeps the data that runs may read: de-identified files with a
// manifest that names each by its hash.
//
// It decides what a bundle is (Manifest), makes one out of a directory (Create), with the
// types of its tables' columns (internal/table),
// and keeps verified copies in a store (Store), from which alone runs mount
// them. It does not decide who may use a bundle or whether its
// de-identification is sound: it keeps the attestation of those who do.
package bundle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hotcell/internal/digest"
)

// ManifestName is the name of the manifest in a bundle's directory.
const ManifestName = "bundle.json"

// Bundle is one bundle in a store.
type Bundle struct {
	Digest   digest.Digest `json:"digest"` // of the manifest's bytes, which hold every file's hash
	Path     string        `json:"path"`   // of the store's copy, on the host
	Manifest Manifest      `json:"manifest"`
	Bytes    int64         `json:"bytes"` // of all files together
	AddedAt  time.Time     `json:"added_at"`
	// Tables are what runs get of the tables. nil where they are not prepared, or in the form
	// of another version (Store.Prepare).
	Tables []PreparedTable `json:"tables"`
	// SignedBy is what Store.SignedBy found, where somebody has asked it.
	SignedBy []digest.Digest `json:"signed_by,omitempty"`
}

// String names the bundle for people: name@version and the digest's beginning.
func (b Bundle) String() string {
	return fmt.Sprintf("%s (%s)", b.Reference(), b.Digest.Short())
}

// FaultError is an error that lies in a bundle or in how it was named, not in us. Its
// message says what is wrong and what to do.
type FaultError struct {
	message string
	// Fields are the options of Create that are wrong, under their names in
	// bundle.json, for who asks for them under other names. Nil for other faults.
	Fields []FieldFault
	// Manifest has what is wrong with a manifest, in the order in which it was found, each
	// once. Nil where it is not the manifest.
	Manifest []ManifestFault
	// List has all that is wrong, of which the message may have the first only, without the
	// words before; nil for one fault.
	List []string
	// Subject is those words.
	Subject string
}

// ManifestFault is in one word what is wrong with a manifest. The words are stable:
// tests/vectors has manifests of each.
type ManifestFault string

// The faults.
const (
	ManifestForm      ManifestFault = "form"       // not strict JSON with the names and the types of a manifest, or too large
	ManifestVersion   ManifestFault = "version"    // another version of the format
	ManifestField     ManifestFault = "field"      // name, bundle_version, study or a field of deidentification
	ManifestFiles     ManifestFault = "files"      // none, or more than 10,000
	ManifestPath      ManifestFault = "path"       // one that beneath.CheckPath refuses, that is too deep, or is the manifest's
	ManifestClash     ManifestFault = "clash"      // a path twice, two that some file system takes for one, or a file below a file
	ManifestSize      ManifestFault = "size"       // negative, or all together beyond 63 bits
	ManifestDigest    ManifestFault = "digest"     // not 64 lower-case hexadecimal digits
	ManifestMediaType ManifestFault = "media_type" // not one
	ManifestEncoding  ManifestFault = "encoding"   // none that is known, of no text table, or of an impossible source
	ManifestSource    ManifestFault = "source"     // of no table, not beside it, a file of the bundle, or of an unknown format
	ManifestTable     ManifestFault = "table"      // a name that a run cannot have, that is taken, or a file that is no table
	ManifestSchema    ManifestFault = "schema"     // of a table: none, one that is wrong, or one of what has none; a delimiter likewise
)

// ManifestFaults are all of them.
func ManifestFaults() []ManifestFault {
	return []ManifestFault{
		ManifestForm, ManifestVersion, ManifestField, ManifestFiles, ManifestPath, ManifestClash, ManifestSize, ManifestDigest, ManifestMediaType, ManifestEncoding, ManifestSource, ManifestTable, ManifestSchema,
	}
}

// FieldFault is what is wrong with one field of a manifest.
type FieldFault struct {
	Field   string // as in bundle.json, for example "deidentification.method"
	Problem string // completes a sentence that begins with the field: "must be …"
}

// String is the field and what is wrong with it.
func (f FieldFault) String() string { return f.Field + " " + f.Problem }

// Error implements error.
func (f *FaultError) Error() string { return f.message }

func fault(message string, args ...any) error {
	return &FaultError{message: fmt.Sprintf(message, args...)}
}

// maxFaults bounds how many faults of one bundle are told at once.
const maxFaults = 8

// faults puts what is wrong with one bundle into one sentence, or returns nil.
func faults(subject string, found []string) error {
	if len(found) == 0 {
		return nil
	}
	told := slices.Clone(found)
	if more := len(found) - maxFaults; more > 0 {
		told = append(told[:maxFaults], fmt.Sprintf("and %d more", more))
	}
	return &FaultError{message: fmt.Sprintf("%s: %s", subject, strings.Join(told, "; ")), Subject: subject, List: found}
}
