package policy

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"hotcell/internal/durable"
	"hotcell/internal/strictyaml"
)

// Catalog finds policies by name: the built-in ones, and those in a directory
// that only its administrator can write. Its methods may be called concurrently.
type Catalog struct {
	builtin fs.FS
	dir     string
	site    Site
	loaded  loaded
}

// NewCatalog returns a catalog of builtin's *.yaml and of dir's, which may be ""
// or absent. The directory and its files must belong to root or to the caller and
// must not be writable by others, and neither may be what lies above them, or nothing of
// the catalog is served.
func NewCatalog(builtin fs.FS, dir string) *Catalog { return &Catalog{builtin: builtin, dir: dir} }

// Within has the catalog give each policy as the host's administrator has tightened it,
// and returns it. Call it before the first use.
func (c *Catalog) Within(site Site) *Catalog {
	c.site = site
	return c
}

// Fixed is a catalog of one policy that has been read: whatever changes on the disk, what
// is said of it and what is used of it are one.
type Fixed struct{ Policy Policy }

// Get returns the policy, whatever its name.
func (f Fixed) Get(string) (Policy, error) { return f.Policy, nil }

// Names returns the name of the policy.
func (f Fixed) Names() ([]string, error) { return []string{f.Policy.Name}, nil }

// ErrUnknown is wrapped by Get for a name that no policy has.
var ErrUnknown = errors.New("unknown policy")

// Names lists all policies, sorted.
func (c *Catalog) Names() ([]string, error) {
	own, err := c.own()
	if err != nil {
		return nil, err
	}
	names, err := yamlNames(c.builtin)
	if err != nil {
		return nil, err
	}
	if own != nil {
		more, err := yamlNames(own.FS())
		own.Close()
		if err != nil {
			return nil, err
		}
		for _, name := range more {
			if slices.Contains(names, name) {
				return nil, fmt.Errorf("policy %s in %s is named like a built-in one: rename it", name, c.dir)
			}
		}
		names = append(names, more...)
	}
	slices.Sort(names)
	return names, nil
}

// BuiltIn is the origin of the policies that the binary carries.
const BuiltIn = "built-in"

// Entry is a policy with the file that it was read from.
type Entry struct {
	Policy Policy // within the host's limits
	Origin string // BuiltIn, or the file's path
	Source []byte // the file's bytes
}

// Get loads one policy by its name.
func (c *Catalog) Get(name string) (Policy, error) {
	found, err := c.Find(name)
	return found.Policy, err
}

// Find loads one policy by its name, with its file.
func (c *Catalog) Find(name string) (Entry, error) {
	names, err := c.Names()
	if err != nil {
		return Entry{}, err
	}
	if !slices.Contains(names, name) {
		return Entry{}, fmt.Errorf("%w %q: known are %s", ErrUnknown, name, strings.Join(names, ", "))
	}
	found := Entry{Origin: BuiltIn}
	found.Source, err = fs.ReadFile(c.builtin, name+".yaml")
	if errors.Is(err, fs.ErrNotExist) {
		found.Origin = path.Join(c.dir, name+".yaml")
		found.Source, err = c.readOwn(name + ".yaml")
	}
	if err != nil {
		return Entry{}, fmt.Errorf("read policy %s: %w", name, err)
	}
	if found.Policy, err = c.loaded.load(name, found.Source); err != nil {
		return found, err
	}
	found.Policy, err = c.site.tightened(found.Policy, names)
	return found, err
}

// maxExample bounds a policy's example, in bytes: a model reads it whole.
const maxExample = 8 << 10

// Example is a script that a policy accepts, as whoever made the policy says: examples/NAME.py of a
// built-in one, and NAME.py beside the file of another. It is "" where there is none.
func (c *Catalog) Example(of Entry) (string, error) {
	name := of.Policy.Name
	text, err := fs.ReadFile(c.builtin, "examples/"+name+".py")
	if of.Origin != BuiltIn {
		text, err = c.readOwn(name + ".py")
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("read the example of policy %s: %w", name, err)
	case len(text) > maxExample:
		return "", fmt.Errorf("read the example of policy %s: it has more than %d bytes", name, maxExample)
	}
	return string(text), nil
}

// own opens the administrator's directory, or returns nil where there is none.
func (c *Catalog) own() (*os.Root, error) {
	if c.dir == "" {
		return nil, nil
	}
	root, err := durable.OpenTrusted(c.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, durable.ErrNotTrusted) {
		return nil, fmt.Errorf("open policy directory: %w: run `chmod go-w` and `chown root` on that one", err)
	}
	if err != nil {
		return nil, fmt.Errorf("open policy directory: %w", err)
	}
	info, err := root.Stat(".")
	if err == nil {
		err = durable.OnlyAdministratorWrites(c.dir, info)
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

func (c *Catalog) readOwn(name string) ([]byte, error) {
	root, err := c.own()
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, fs.ErrNotExist
	}
	defer root.Close()
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", file.Name())
	}
	if err := durable.OnlyAdministratorWrites(path.Join(c.dir, name), info); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(file, strictyaml.MaxBytes+1)) // load refuses the byte too many
}

func yamlNames(fsys fs.FS) ([]string, error) {
	files, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, err
	}
	for index, file := range files {
		files[index] = strings.TrimSuffix(file, ".yaml")
	}
	return files, nil
}
