// Package output reads the directory that a sandbox left behind, which is
// hostile, and decides what of it may leave.
//
// Verify compares every file with the manifest and with the policy's rules and
// copies what it checks, as it checks it, into a private directory. It yields a
// *Verified, which nothing else can make, or the violations. Export hands a
// Verified to the user; Quarantine keeps what was refused, unread. The package
// does not decide what became of the run (internal/runner) and does not judge
// what a table or a figure discloses.
//
// Call Verify only once every process of the sandbox is dead, or held.
package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// Options is what Verify needs.
type Options struct {
	Dir      *os.Root   // the sandbox's output directory; not closed
	Manifest []Declared // what the guard says that it left; hostile
	Rules    Rules
	// Known are files that Verify found good before, of the same sandbox. One that is
	// still the same, by path, content and role, is read and compared again and not staged.
	Known []Known
	// Staging is an empty directory of ours with mode 0700, on the host. On
	// success it holds the files and belongs to the Verified; otherwise it is
	// empty again.
	Staging string
}

// Declared is one file of the manifest, as the guard sent it.
type Declared struct {
	Path   string
	Bytes  int64
	SHA256 digest.Hex
	Role   string // "figure" or "file"
}

// Known is a file that was verified, and what it was in the sandbox. The two differ where
// metadata was taken from a picture.
type Known struct {
	File    job.File
	Written Declared
}

// The roles that a file can have.
const (
	RoleFigure = "figure"
	RoleFile   = "file"
)

// Rules is what the policy lets out. Every field is required.
type Rules struct {
	MaxFiles   int      // files and directories together
	MaxBytes   int64    // all files together
	MaxDepth   int      // names in a path, the file's own included
	MediaTypes []string // of MediaTypes(); nothing else leaves
	// DropUnaccepted leaves a file behind whose ending is of none of MediaTypes, or whose
	// content is not what its ending says or could not leave, and lets the others go: each
	// of those has been checked by itself. It is held to everything else all the same.
	// Without it such a file is a violation, as every other fault is.
	DropUnaccepted bool
	// RefusePictureMetadata finds a PNG or JPEG picture unfit that says something beside its
	// pixels. Without it that is taken out, and the rest stays byte for byte.
	RefusePictureMetadata bool
}

// Validate reports every fault. An empty list of media types is one: it never
// means "all".
func (r Rules) Validate() error {
	var faults []error
	if r.MaxFiles <= 0 || r.MaxBytes <= 0 || r.MaxDepth <= 0 {
		faults = append(faults, errors.New("output rules: files, bytes and depth must be greater than zero"))
	}
	if len(r.MediaTypes) == 0 {
		faults = append(faults, errors.New("output rules: no media type is allowed: name at least one"))
	}
	for _, name := range r.MediaTypes {
		if !slices.Contains(MediaTypes(), name) {
			faults = append(faults, fmt.Errorf("output rules: media type %q cannot be checked: choose among %s",
				name, strings.Join(MediaTypes(), ", ")))
		}
	}
	return errors.Join(faults...)
}

// Verify checks the whole directory. It returns either a *Verified, which the
// caller closes, or at least one violation, or an error, which means that we
// failed and nothing is known about the output. It reads no file twice and none
// by name after it was opened.
func Verify(ctx context.Context, options Options) (*Verified, []job.Violation, error) {
	if err := options.Rules.Validate(); err != nil {
		return nil, nil, err
	}
	if options.Dir == nil {
		return nil, nil, errors.New("verify output: no output directory")
	}
	staging, err := openStaging(options.Staging)
	if err != nil {
		return nil, nil, err
	}
	v := newVerifier(options, staging)
	if err := v.run(ctx); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("verify output: %w", err), emptyStaging(staging))
	}
	if found := v.found.list(); found != nil {
		return nil, found, emptyStaging(staging)
	}
	return &Verified{staging: staging, path: options.Staging, files: v.files, written: v.written, unchanged: v.unchanged, dropped: v.dropped.list()}, nil, nil
}

type verifier struct {
	dir      *os.Root
	manifest []Declared
	rules    Rules
	staging  *os.Root

	declared map[string]Declared // acceptable entries of the manifest by path
	seen     map[string]bool     // of declared, met as a regular file
	unread   map[string]bool     // directories that could not be opened: each has its violation
	names    beneath.Names       // met in the directory
	bytes    int64
	files    []job.File
	found    violations
	known    map[string]Known
	written  map[string]Declared // of files and unchanged

	unchanged []job.File // as they are known

	dropped violations // files that stay behind, see Rules.DropUnaccepted
}

func newVerifier(options Options, staging *os.Root) *verifier {
	return &verifier{
		dir: options.Dir, manifest: options.Manifest, rules: options.Rules, staging: staging,
		declared: make(map[string]Declared), seen: make(map[string]bool), unread: make(map[string]bool), files: []job.File{}, known: byPath(options.Known), written: make(map[string]Declared),
	}
}

func byPath(files []Known) map[string]Known {
	known := make(map[string]Known, len(files))
	for _, each := range files {
		known[each.File.Path] = each
	}
	return known
}

func (v *verifier) run(ctx context.Context) error {
	if len(v.manifest) > v.rules.MaxFiles {
		v.found.add(RuleTooManyFiles, "", "your script wrote more than %d files", v.rules.MaxFiles)
		return nil
	}
	v.checkManifest()
	limits := beneath.Extent{Entries: v.rules.MaxFiles, Depth: v.rules.MaxDepth}
	err := beneath.Walk(ctx, v.dir, limits, func(node *beneath.Node) error { return v.visit(ctx, node) })
	switch {
	case errors.Is(err, beneath.ErrTooMany):
		v.found.add(RuleTooManyFiles, "", "your script wrote more than %d files and directories", v.rules.MaxFiles)
		return nil
	case errors.Is(err, beneath.ErrChanged):
		v.found.add(RuleChanged, "", "the output directory changed while it was read")
		return nil
	case err != nil:
		return err
	}
	v.checkMissing()
	return nil
}

// checkManifest accepts or refuses each entry on its own merits.
func (v *verifier) checkManifest() {
	var names beneath.Names
	for _, entry := range v.manifest {
		if err := beneath.CheckPath(entry.Path); err != nil {
			v.found.add(RulePath, entry.Path, "your script wrote a file whose path cannot leave: %s", err)
			continue
		}
		if _, twice := v.declared[entry.Path]; twice {
			v.found.add(RuleDuplicate, entry.Path, "it was reported twice when your script ended")
			continue
		}
		if clash := names.Add(entry.Path); clash != "" {
			v.found.add(RuleClash, entry.Path, "its path cannot be distinguished from %q on every file system", beneath.Escape(clash))
		}
		if fault := entry.fault(); fault != "" {
			v.found.add(RuleManifest, entry.Path, "what was reported of it when your script ended is malformed: %s", fault)
		}
		v.declared[entry.Path] = entry
	}
}

func (d Declared) fault() string {
	switch {
	case d.Bytes < 0:
		return "its size is negative"
	case d.SHA256.Check() != nil:
		return "its sha256 is not 64 lower-case hexadecimal digits"
	case d.Role != RoleFigure && d.Role != RoleFile:
		return "its role is neither figure nor file"
	}
	return ""
}

func (v *verifier) checkMissing() {
	for _, entry := range v.manifest {
		if _, accepted := v.declared[entry.Path]; accepted && !v.seen[entry.Path] && !v.hidden(entry.Path) {
			v.found.add(RuleMissing, entry.Path, "it was reported when your script ended, but there is no such regular file")
		}
	}
}

// hidden tells of a file below a directory that was not opened, for which that stands.
func (v *verifier) hidden(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if v.unread[dir] {
			return true
		}
	}
	return false
}

// openStaging refuses a directory in which somebody else could meet or change
// the files.
func openStaging(path string) (*os.Root, error) {
	above, err := durable.OpenDir(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("open staging directory: %w", err)
	}
	defer above.Close()
	named, err := above.Lstat(filepath.Base(path))
	if err != nil {
		return nil, fmt.Errorf("open staging directory: %w", err)
	}
	staging, err := above.OpenRoot(filepath.Base(path))
	if err != nil {
		return nil, fmt.Errorf("open staging directory: %w", err)
	}
	if err := fitStaging(staging, named); err != nil {
		return nil, errors.Join(fmt.Errorf("open staging directory %s: %w", path, err), staging.Close())
	}
	return staging, nil
}

// fitStaging looks at what was opened.
func fitStaging(staging *os.Root, named fs.FileInfo) error {
	info, err := staging.Stat(".")
	if err != nil {
		return err
	}
	if !os.SameFile(info, named) || !durable.Own(info) || info.Mode().Perm()&0o077 != 0 {
		return errors.New("it must be a directory of our own with mode 0700")
	}
	entries, err := fs.ReadDir(staging.FS(), ".")
	if err == nil && len(entries) > 0 {
		err = errors.New("it is not empty")
	}
	return err
}

// emptyStaging removes what was staged of a refused output, and closes staging.
func emptyStaging(staging *os.Root) error {
	entries, err := fs.ReadDir(staging.FS(), ".")
	for _, entry := range entries {
		err = errors.Join(err, staging.RemoveAll(entry.Name()))
	}
	if err = errors.Join(err, staging.Close()); err != nil {
		return fmt.Errorf("empty staging directory: %w", err)
	}
	return nil
}
