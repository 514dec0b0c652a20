package bundle

import (
	"strings"

	"golang.org/x/mod/semver"
)

// newest is the one bundle of the highest version, as Semantic Versioning orders them,
// of several that have one name. It is none where a version is not a semantic one, with or
// without its minor and patch number, and where two are equally high: 1.0 and 1.0.0, or what
// differs after a plus sign.
func newest(bundles []Bundle) (highest Bundle, found bool) {
	for index, bundle := range bundles {
		if !semver.IsValid(bundle.semantic()) {
			return Bundle{}, false
		}
		order := 1
		if index > 0 {
			order = semver.Compare(bundle.semantic(), highest.semantic())
		}
		switch {
		case order > 0:
			highest, found = bundle, true
		case order == 0:
			found = false
		}
	}
	return highest, found
}

func (b Bundle) semantic() string { return "v" + strings.TrimPrefix(b.Manifest.BundleVersion, "v") }

// Reference is NAME@VERSION, which means this bundle and no other of its store.
func (b Bundle) Reference() string { return b.Manifest.Name + "@" + b.Manifest.BundleVersion }
