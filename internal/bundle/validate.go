package bundle

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hotcell/internal/beneath"
)

var (
	namePattern       = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)
	versionPattern    = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$`)
	identifierPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)
	mediaTypePattern  = regexp.MustCompile(`^[a-z]+/[a-z0-9][a-z0-9.+-]{0,99}$`)
)

// attestedOn is the field that Create looks at once more than Validate.
const attestedOn = "deidentification.attested_on"

const validUntil = "deidentification.valid_until"

// defect is one thing that is wrong with a manifest, and the sentence for it.
type defect struct {
	fault   ManifestFault
	message string
}

// manifestFaults makes one *FaultError of what was found, or nil.
func manifestFaults(found []defect) error {
	var messages []string
	var words []ManifestFault
	for _, each := range found {
		messages = append(messages, each.message)
		if !slices.Contains(words, each.fault) {
			words = append(words, each.fault)
		}
	}
	err := faults(ManifestName, messages)
	if all, ok := errors.AsType[*FaultError](err); ok {
		all.Manifest = words
	}
	return err
}

// Validate reports what is wrong with a manifest, as one *FaultError.
func (m Manifest) Validate() error {
	switch m.Version {
	case formatVersion:
		return m.validate()
	case untypedVersion:
		return manifestFaults([]defect{{ManifestVersion, fmt.Sprintf("its version is %d, in which tables have no types: remove it, and make it again with \"runner bundle create\"", m.Version)}})
	}
	return manifestFaults([]defect{{ManifestVersion, fmt.Sprintf("its version is %d: this program reads version %d", m.Version, formatVersion)}})
}

// validateStored is Validate for what a store may have.
func (m Manifest) validateStored() error {
	if m.Untyped() {
		return m.validate()
	}
	return m.Validate()
}

func (m Manifest) validate() error {
	var found []defect
	for _, field := range m.checkHead() {
		found = append(found, defect{ManifestField, field.String()})
	}
	return manifestFaults(append(found, m.checkFiles()...))
}

// checkHead finds what is wrong with everything but the files.
func (m Manifest) checkHead() []FieldFault {
	var found []FieldFault
	if !namePattern.MatchString(m.Name) {
		found = append(found, FieldFault{"name", `must be 1 to 64 lower-case letters, digits and hyphens, for example "visits-2026"`})
	}
	if !versionPattern.MatchString(m.BundleVersion) {
		found = append(found, FieldFault{"bundle_version", `must be 1 to 64 letters, digits, dots, underscores, hyphens and plus signs, for example "1.0"`})
	}
	found = append(found, checkText("study", m.Study)...)
	found = append(found, checkIgnored(m.Ignored)...)
	return append(found, m.Deidentification.check()...)
}

func (d Deidentification) check() []FieldFault {
	var found []FieldFault
	switch d.Method {
	case SafeHarbor, ExpertDetermination, Synthetic, PublicUse:
	default:
		found = append(found, FieldFault{"deidentification.method", "must be safe_harbor, expert_determination, synthetic or public_use"})
	}
	if _, err := time.Parse(time.DateOnly, d.AttestedOn); err != nil {
		found = append(found, FieldFault{attestedOn, `must be a date such as "2026-11-21"`})
	}
	found = append(found, checkText("deidentification.attested_by", d.AttestedBy)...)
	found = append(found, checkText("deidentification.statement", d.Statement)...)
	if d.Tool != "" {
		found = append(found, checkText("deidentification.tool", d.Tool)...)
	}
	if d.Protocol != "" {
		found = append(found, checkText("deidentification.protocol", d.Protocol)...)
	}
	if d.ValidUntil == "" {
		return found
	}
	if _, err := time.Parse(time.DateOnly, d.ValidUntil); err != nil {
		return append(found, FieldFault{validUntil, `must be a date such as "2028-11-21"`})
	}
	if d.Expired(d.AttestedOn) {
		found = append(found, FieldFault{validUntil, "is before the day of the attestation"})
	}
	return found
}

// checkText wants something that a person wrote, and that a terminal can show.
func checkText(name, text string) []FieldFault {
	if strings.TrimSpace(text) == "" {
		return []FieldFault{{name, "is empty"}}
	}
	if len(text) > maxText {
		return []FieldFault{{name, fmt.Sprintf("is longer than %d bytes", maxText)}}
	}
	for _, r := range text {
		if !unicode.IsPrint(r) && r != '\n' || r == utf8.RuneError {
			return []FieldFault{{name, fmt.Sprintf("has the unprintable character %U in it", r)}}
		}
	}
	return nil
}

func (m Manifest) checkFiles() []defect {
	if len(m.Files) == 0 {
		return []defect{{ManifestFiles, "it has no files"}}
	}
	if len(m.Files) > maxFiles {
		return []defect{{ManifestFiles, fmt.Sprintf("it has more than %d files", maxFiles)}}
	}
	checker := fileChecker{untyped: m.Untyped(), tables: make(map[string]string), paths: make(map[string]bool)}
	for _, file := range m.Files {
		checker.check(file)
	}
	for _, file := range m.Files {
		checker.checkAbove(file)
		checker.checkIgnores(m.Ignored, file)
		if file.Source != nil && checker.paths[file.Source.Path] {
			checker.add(ManifestSource, file, "its source %s is a file of the bundle", beneath.Escape(file.Source.Path))
		}
	}
	return checker.found
}

// fileChecker holds what must be unique among a bundle's files.
type fileChecker struct {
	untyped bool
	names   beneath.Names
	paths   map[string]bool
	tables  map[string]string // name → path
	total   int64
	found   []defect
}

func (c *fileChecker) add(fault ManifestFault, file DataFile, message string, args ...any) {
	c.found = append(c.found, defect{fault, beneath.Escape(file.Path) + ": " + fmt.Sprintf(message, args...)})
}

func (c *fileChecker) check(file DataFile) {
	if err := checkFilePath(file.Path); err != nil {
		c.add(ManifestPath, file, "%s", err)
		return
	}
	if c.paths[file.Path] {
		c.add(ManifestClash, file, "it is named twice")
	}
	c.paths[file.Path] = true
	if clash := c.names.Add(file.Path); clash != "" {
		c.add(ManifestClash, file, "its path cannot be distinguished from %s on every file system", clash)
	}
	if file.Bytes < 0 || file.Bytes > math.MaxInt64-c.total {
		c.add(ManifestSize, file, "its size %d is out of range", file.Bytes)
	} else {
		c.total += file.Bytes
	}
	if file.SHA256.Check() != nil {
		c.add(ManifestDigest, file, "its sha256 is not 64 lower-case hexadecimal digits")
	}
	if !mediaTypePattern.MatchString(file.MediaType) {
		c.add(ManifestMediaType, file, "its media_type is not a media type")
	}
	if file.Encoding != nil {
		if problem := file.Encoding.problem(file); problem != "" {
			c.add(ManifestEncoding, file, "%s", problem)
		}
	}
	if file.Source != nil {
		if problem := file.Source.problem(file); problem != "" {
			c.add(ManifestSource, file, "%s", problem)
		}
	}
	c.checkTable(file)
	c.checkSchema(file)
}

// checkSchema wants the types of each table that has none in itself, and of nothing else.
func (c *fileChecker) checkSchema(file DataFile) {
	switch wants := file.typed() && !c.untyped; {
	case file.Table != "" && tableFormats[file.MediaType] == "":
		return // which checkTable tells
	case wants && file.Schema == nil:
		c.add(ManifestSchema, file, "it has no schema: make the manifest with \"runner bundle create\"")
	case !wants && file.Schema != nil:
		c.add(ManifestSchema, file, "it has a schema and is no table of CSV, TSV or JSON Lines")
	case file.Schema != nil:
		if err := file.Schema.Validate(); err != nil {
			c.add(ManifestSchema, file, "its schema: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
	if problem := file.delimiterProblem(); problem != "" {
		c.add(ManifestSchema, file, "%s", problem)
	}
}

// checkAbove finds a file that would have to be a directory as well.
func (c *fileChecker) checkAbove(file DataFile) {
	for at, letter := range file.Path {
		if above := file.Path[:at]; letter == '/' && c.paths[above] {
			c.add(ManifestClash, file, "%s, which is a file, cannot be a directory too", above)
		}
	}
}

func checkFilePath(name string) error {
	if err := beneath.CheckPath(name); err != nil {
		return err
	}
	if beneath.Fold(name) == ManifestName {
		return errors.New("the name is the manifest's")
	}
	if strings.Count(name, "/") >= maxDepth {
		return fmt.Errorf("the path has more than %d names", maxDepth)
	}
	return nil
}

func (c *fileChecker) checkTable(file DataFile) {
	if file.Table == "" {
		return
	}
	if earlier, twice := c.tables[file.Table]; twice {
		c.add(ManifestTable, file, "its table %q is also that of %s", file.Table, earlier)
	}
	c.tables[file.Table] = file.Path
	if problem := tableNameProblem(file.Table); problem != "" {
		c.add(ManifestTable, file, "%s", problem)
	}
	if problem := hiddenProblem(file.Table); problem != "" && !c.untyped {
		c.add(ManifestTable, file, "%s", problem)
	}
	if tableFormats[file.MediaType] == "" {
		c.add(ManifestTable, file, "a table must be text/csv, text/tab-separated-values, application/x-ndjson or application/vnd.apache.parquet")
	}
}
