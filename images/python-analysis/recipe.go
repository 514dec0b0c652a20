// Package pythonanalysis carries the recipe of the image python-analysis and the
// source of the guard that goes into it, so that the runner can build the image
// on a machine that has nothing but the runner.
//
// It decides nothing: internal/image reads and runs what is in it. README.md
// beside it explains the recipe.
package pythonanalysis

import (
	"embed"
	"io/fs"
)

// Name is the image's name in a store.
const Name = "python-analysis"

// Suite is the Debian release that the image is made of.
const Suite = "trixie"

// The guard's modules begin with an underscore, which go:embed leaves out unless
// told "all:". That brings byte code of test runs too; internal/image takes only
// sources.
//
//go:embed recipe all:guard/src
var files embed.FS

// Recipe returns the files that the base layer is made from: packages.txt,
// mmdebstrap.options, sources.list, select.py and finish.py.
func Recipe() fs.FS { return sub("recipe") }

// Guard returns the guard's source directory, which holds the Python package
// hotcell_guard.
func Guard() fs.FS { return sub("guard/src") }

func sub(dir string) fs.FS {
	tree, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // dir is a constant that go:embed has checked
	}
	return tree
}
