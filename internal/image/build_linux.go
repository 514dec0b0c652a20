package image

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
)

// selected is where select.py puts the image's tree, inside the Debian tree.
const selected = "/hotcell-root"

// guardPackage is where the guard is installed, as a path in the image.
const guardPackage = "usr/lib/python3/dist-packages/hotcell_guard"

// canBuild wants root of this namespace, which may be the user's own: what is made
// has several owners until it is archived.
func canBuild(architecture string) error {
	if architecture != runtime.GOARCH {
		if err := canEmulate(architecture); err != nil {
			return err
		}
	}
	if os.Geteuid() != 0 {
		return ErrNotRoot
	}
	return nil
}

// makeBase builds the base layer below work, stores and records it, and leaves
// its tree at tree.
func (s *Store) makeBase(ctx context.Context, options BuildOptions, recipe digest.Hex, work, tree string) (base, error) {
	debian := filepath.Join(work, "debian")
	if err := bootstrap(ctx, options, work, debian); err != nil {
		return base{}, err
	}
	created, err := newestFile(filepath.Join(debian, "usr"))
	if err != nil {
		return base{}, err
	}
	options.report("selecting what stays, compiling it and trying it out")
	if err := prepare(ctx, options, debian); err != nil {
		return base{}, err
	}
	made := base{Recipe: recipe, Created: created}
	if made.Packages, err = packages(ctx, debian); err != nil {
		return base{}, err
	}
	if version := made.version(interpreter); options.compiler != "" && version != options.compilerVersion {
		return base{}, fmt.Errorf("%s is %s in the image and %s in this machine's, which compiled it: run `runner image build --refresh` for both", interpreter, version, options.compilerVersion)
	}
	if err := durable.Rename(filepath.Join(debian, selected), tree); err != nil {
		return base{}, err
	}
	options.report("storing the base layer")
	layer, seen, err := s.storeLayer(ctx, tree, ".", created)
	if err != nil {
		return base{}, fmt.Errorf("store base layer: %w", err)
	}
	made.Layer, made.Size, made.Bytes, made.Files = digest.Digest(layer.digest.String()), layer.size, seen.bytes, seen.files
	return made, s.writeBase(made)
}

func (s *Store) writeBase(made base) error {
	content, err := strictjson.Form{Indent: "  "}.Encode(made)
	if err != nil {
		return fmt.Errorf("record base layer: %w", err)
	}
	return writeFile(s.basePath(made.Recipe), append(content, '\n'))
}

// buildMount is where mmdebstrap finds the work directory, in the mount namespace
// of its own that run gives it: apt downloads as a user without rights, who cannot
// pass the state directory. It has to be there already: in a user's namespace nobody
// may make a directory of the host's.
const buildMount = "/mnt"

// bootstrap fetches the packages and extracts them to debian.
func bootstrap(ctx context.Context, options BuildOptions, work, debian string) error {
	sources, err := sourcesList(ctx, options)
	if err != nil {
		return err
	}
	list := filepath.Join(work, "sources.list")
	err = os.WriteFile(list, sources, 0o644) //nolint:forbidigo // below the store's own work directory
	if err != nil {
		return err
	}
	arguments, err := recipeLines("mmdebstrap.options")
	if err != nil {
		return err
	}
	if options.Architecture != runtime.GOARCH {
		arguments = append(arguments, "--architectures="+options.Architecture)
	}
	packages, err := recipeLines("packages.txt")
	if err != nil {
		return err
	}
	options.report("fetching and extracting %s packages for %s (about 150 MB)", pythonanalysis.Suite, pythonanalysis.Name)
	arguments = append(arguments, "--include="+strings.Join(packages, ","), pythonanalysis.Suite,
		filepath.Join(buildMount, filepath.Base(debian)), filepath.Join(buildMount, filepath.Base(list)))
	err = run(ctx, child{
		argv:     append([]string{"sh", "-euc", `mount --bind "$1" "$2"; shift 2; exec "$@"`, "sh", work, buildMount, "mmdebstrap"}, arguments...),
		env:      append(BuildEnvironment(), "TMPDIR="+buildMount),
		network:  true,
		progress: options.Progress,
	})
	if err != nil {
		return fmt.Errorf("fetch Debian packages (is the archive reachable? a proxy is taken from http_proxy and https_proxy): %w", err)
	}
	return nil
}

// prepare runs select.py, and finish.py on what it has selected.
func prepare(ctx context.Context, options BuildOptions, debian string) error {
	if err := os.Mkdir(filepath.Join(debian, selected), 0o755); err != nil {
		return err
	}
	if err := placeReplacements(debian); err != nil {
		return err
	}
	python := script{program: "select.py", arguments: []string{selected}, tree: debian}
	if err := python.run(ctx, options); err != nil {
		return err
	}
	return finish(ctx, options, filepath.Join(debian, selected))
}

// placeReplacements puts the recipe's own modules where select.py looks for them.
func placeReplacements(debian string) error {
	const own = "instead"
	names, err := fs.Glob(pythonanalysis.Recipe(), own+"/*.py")
	if err != nil {
		return err
	}
	for _, name := range names {
		at := filepath.Join(debian, "hotcell-"+own, filepath.Base(name))
		if err := installFile(pythonanalysis.Recipe(), name, at); err != nil {
			return fmt.Errorf("place %s: %w", name, err)
		}
	}
	return nil
}

// finish compiles a tree and tries it out.
func finish(ctx context.Context, options BuildOptions, tree string) error {
	if options.compiler == "" {
		return script{program: "finish.py", tree: tree}.run(ctx, options)
	}
	// What finish.py does when it is given a directory without sources is nothing.
	nothing := []string{"/bundle"}
	lent := script{program: "finish.py", arguments: nothing, then: "compile_image()", tree: tree, lent: true}
	if err := lent.run(ctx, options); err != nil {
		return err
	}
	return script{program: "finish.py", arguments: nothing, then: "cache_fonts(); import_everything()", tree: tree}.run(ctx, options)
}

// script is a program of the recipe, run with the Python of an image's tree.
type script struct {
	program   string
	arguments []string
	then      string // a line of Python to add
	tree      string
	lent      bool // run it with the Python of the tree that compiles, where there is one
}

// run runs it in the tree, without network.
func (p script) run(ctx context.Context, options BuildOptions) error {
	source, err := fs.ReadFile(pythonanalysis.Recipe(), p.program)
	if err != nil {
		return err
	}
	python := child{
		argv:     append([]string{pythonanalysis.Interpreter, "-sBP", "-"}, p.arguments...),
		env:      []string{"PATH=/usr/bin", "LANG=C.UTF-8", "PYTHONHASHSEED=0"},
		stdin:    strings.NewReader(string(source) + p.then + "\n"),
		root:     p.tree,
		progress: options.Progress,
	}
	switch {
	case options.Architecture == runtime.GOARCH:
	case p.lent:
		python = lentTo(python, options.compiler)
	default:
		if python, err = emulated(python, options.Architecture); err != nil {
			return err
		}
	}
	if err := run(ctx, python); err != nil {
		return fmt.Errorf("run %s: %w", p.program, err)
	}
	return nil
}

func packages(ctx context.Context, debian string) ([]debianBinary, error) {
	binaries, err := readArchives(ctx, filepath.Join(debian, "var/cache/apt/archives"))
	if err != nil {
		return nil, err
	}
	return remaining(binaries, debian, filepath.Join(debian, selected))
}

// guardLayer installs and compiles the guard in tree and stores it as a layer.
func (s *Store) guardLayer(ctx context.Context, options BuildOptions, guard guardSources, tree string, made base) (guardLayer, error) {
	for _, name := range guard.names {
		if err := installFile(guard.tree, name, filepath.Join(tree, filepath.Dir(guardPackage), name)); err != nil {
			return guardLayer{}, err
		}
	}
	compiled := script{program: "finish.py", arguments: []string{"/" + guardPackage}, tree: tree, lent: true}
	if err := compiled.run(ctx, options); err != nil {
		return guardLayer{}, err
	}
	layer, seen, err := s.storeLayer(ctx, tree, guardPackage, made.Created)
	return guardLayer{layer: layer, seen: seen}, err
}

func installFile(tree fs.FS, name, path string) error {
	content, err := fs.ReadFile(tree, name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644) //nolint:forbidigo // below the store's own work directory
}

// recipeLines returns the lines of a recipe's file without comments.
func recipeLines(name string) ([]string, error) {
	content, err := fs.ReadFile(pythonanalysis.Recipe(), name)
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines, nil
}
