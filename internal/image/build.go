package image

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// ErrNotRoot is returned by Build for everybody but root, who may be root of a user
// namespace (internal/userns).
var ErrNotRoot = errors.New("building needs root, or a user namespace of one's own")

// ErrUnknownArchitecture is wrapped by Build for one for which no image can be made
// here: the caller's mistake.
var ErrUnknownArchitecture = errors.New("unknown architecture")

// BuildOptions says how to build. The zero value is right for most machines.
type BuildOptions struct {
	// Progress gets lines for people to read; nil for none.
	Progress io.Writer
	// Mirror and SecurityMirror are URLs of Debian archives; "" for those of the
	// host's own apt configuration and, failing these, deb.debian.org. Packages are
	// verified with Debian's keys wherever they come from.
	Mirror, SecurityMirror string
	// Refresh fetches the packages again where the base layer is already there, to
	// take up Debian's security updates.
	Refresh bool
	// Packed leaves the image's root file system in its layers, from which an engine
	// that asks for it has it unpacked: a daemon has no use for it.
	Packed bool
	// Architecture is the one that the image is for, as Go calls it; "" for this
	// machine's. For another, the image's own programs run by emulation while it is
	// built, and it is not unpacked: see Rootfs.
	Architecture string

	// compiler is a tree of this machine's architecture whose Python compiles an image
	// for another one; "" where the image's own does.
	compiler, compilerVersion string
}

func (o BuildOptions) report(format string, arguments ...any) {
	if o.Progress != nil {
		// Progress is for people; losing it must not fail a build.
		_, _ = fmt.Fprintf(o.Progress, format+"\n", arguments...)
	}
}

// Build makes the image python-analysis, or returns the one that is there when
// recipe and guard have not changed. One build runs at a time; others wait until
// it has ended. An interrupted build leaves no image, and what it leaves of
// temporary files the next one removes.
func (s *Store) Build(ctx context.Context, options BuildOptions) (image Image, err error) {
	options.Progress = cmp.Or(options.Progress, io.Discard)
	options.Architecture = cmp.Or(options.Architecture, runtime.GOARCH)
	if err := canBuild(options.Architecture); err != nil {
		return Image{}, fmt.Errorf("build image: %w", err)
	}
	release, err := s.lock(ctx, "build")
	if err != nil {
		return Image{}, fmt.Errorf("build image: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	image, err = s.build(ctx, options)
	if err != nil {
		return Image{}, fmt.Errorf("build image: %w", err)
	}
	if options.Packed || options.Architecture != runtime.GOARCH {
		return image, nil
	}
	if _, err := s.Rootfs(ctx, image.Digest); err != nil {
		return Image{}, fmt.Errorf("build image: %w", err)
	}
	return image, nil
}

func (s *Store) build(ctx context.Context, options BuildOptions) (image Image, err error) {
	recipe, guard, err := sources(options.Architecture)
	if err != nil {
		return Image{}, err
	}
	if !options.Refresh {
		if image, ok := s.built(options.Architecture, recipe, guard.sum); ok {
			return image, nil
		}
	}
	work, err := s.stage("build")
	if err != nil {
		return Image{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if options, err = s.withCompiler(ctx, options, work); err != nil {
		return Image{}, err
	}
	tree := filepath.Join(work, "root")
	base, err := s.base(ctx, options, recipe, work, tree)
	if err != nil {
		return Image{}, err
	}
	options.report("adding the guard")
	layer, err := s.guardLayer(ctx, options, guard, tree, base)
	if err != nil {
		return Image{}, fmt.Errorf("add guard: %w", err)
	}
	return s.assemble(options.Architecture, base, layer, guard.sum)
}

// built finds the image of these sources. An image that cannot be read is built
// again, which repairs it.
func (s *Store) built(architecture string, recipe, guard digest.Hex) (Image, bool) {
	image, err := s.ResolveFor(pythonanalysis.Name, architecture)
	return image, err == nil && image.Recipe == recipe && image.Guard == guard
}

// Current reports whether an image was built from the recipe and the guard that this
// program brings.
func Current(image Image) (bool, error) {
	recipe, guard, err := sources(image.Architecture)
	if err != nil {
		return false, err
	}
	return image.Recipe == recipe && image.Guard == guard.sum, nil
}

// base returns the base layer and leaves its tree at tree. It makes the layer
// when there is none of this recipe, or when it is damaged.
func (s *Store) base(ctx context.Context, options BuildOptions, recipe digest.Hex, work, tree string) (base, error) {
	if !options.Refresh {
		if base, err := s.readBase(recipe); err == nil {
			options.report("unpacking the base layer, made from the same recipe before")
			err := s.unpackBase(ctx, base, tree)
			if err == nil || ctx.Err() != nil {
				return base, err
			}
			options.report("making the base layer again: %v", err)
		}
	}
	if err := os.RemoveAll(tree); err != nil {
		return base{}, err
	}
	return s.makeBase(ctx, options, recipe, work, tree)
}

// withCompiler lends an image for another architecture the Python of this machine's
// base layer. Byte code is the same on every architecture, and to compile 15,000 files
// by emulation takes an hour.
func (s *Store) withCompiler(ctx context.Context, options BuildOptions, work string) (BuildOptions, error) {
	if options.Architecture == runtime.GOARCH {
		return options, nil
	}
	native := options
	native.Architecture = runtime.GOARCH
	recipe, _, err := sources(native.Architecture)
	if err != nil {
		return BuildOptions{}, err
	}
	options.compiler = filepath.Join(work, "compiler")
	staging := filepath.Join(work, "native")
	if err := durable.MakeDir(staging, 0o755); err != nil {
		return BuildOptions{}, err
	}
	made, err := s.base(ctx, native, recipe, staging, options.compiler)
	options.compilerVersion = made.version(interpreter)
	return options, err
}

// sources returns the hash of all that the base layer is made from, and the
// guard's sources.
func sources(architecture string) (recipe digest.Hex, guard guardSources, err error) {
	sum := digest.New()
	fmt.Fprintf(sum, "layer format %d\n%s\n", layerFormat, architecture)
	if err := hashTree(sum, pythonanalysis.Recipe(), func(string) bool { return true }); err != nil {
		return "", guardSources{}, fmt.Errorf("hash recipe: %w", err)
	}
	guard, err = readGuard(pythonanalysis.Guard())
	return sum.Digest().Hex(), guard, err
}

// guardSources is the guard as it is installed.
type guardSources struct {
	tree  fs.FS
	names []string // in tree, sorted
	sum   digest.Hex
}

// readGuard takes the package's sources and nothing that working on it leaves
// beside them.
func readGuard(tree fs.FS) (guardSources, error) {
	guard := guardSources{tree: tree}
	err := fs.WalkDir(tree, "hotcell_guard", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && isGuardSource(name) {
			guard.names = append(guard.names, name)
		}
		return err
	})
	if err != nil {
		return guardSources{}, fmt.Errorf("read guard: %w", err)
	}
	slices.Sort(guard.names)
	sum := digest.New()
	if err := hashTree(sum, tree, isGuardSource); err != nil {
		return guardSources{}, fmt.Errorf("hash guard: %w", err)
	}
	guard.sum = sum.Digest().Hex()
	return guard, nil
}

func isGuardSource(name string) bool {
	return strings.HasPrefix(name, "hotcell_guard/") && (path.Ext(name) == ".py" || path.Base(name) == "py.typed")
}

// hashTree adds the names, sizes and bytes of the selected files to sum.
func hashTree(sum io.Writer, tree fs.FS, selected func(string) bool) error {
	return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !selected(name) {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(sum, "%d %s %d\n%s", len(name), name, len(content), content)
		return err
	})
}

// BuildEnvironment returns what programs of a build get of our environment: a fixed
// search path, and the proxies, without which some hospitals reach no archive.
func BuildEnvironment() []string {
	environment := []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"}
	for _, name := range []string{"http_proxy", "https_proxy", "no_proxy"} {
		if value, ok := os.LookupEnv(name); ok {
			environment = append(environment, name+"="+value)
		}
	}
	return environment
}
