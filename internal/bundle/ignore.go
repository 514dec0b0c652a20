package bundle

import (
	"path"
	"strings"

	"hotcell/internal/beneath"
)

// maxIgnored is how many patterns a manifest has.
const maxIgnored = 64

// checkIgnored wants patterns of path.Match that a person can read.
func checkIgnored(patterns []string) []FieldFault {
	if len(patterns) > maxIgnored {
		return []FieldFault{{"ignored", "has more than 64 patterns"}}
	}
	for _, pattern := range patterns {
		if found := checkText("ignored", pattern); found != nil {
			return found
		}
		if _, err := path.Match(pattern, ""); err != nil || strings.HasPrefix(pattern, "/") || strings.HasSuffix(pattern, "/") || len(pattern) > beneath.MaxName {
			return []FieldFault{{"ignored", "has a pattern that matches nothing: name files or directories, as in .DS_Store, *.tmp or old/*.csv"}}
		}
	}
	return nil
}

// ignoredBy is the first pattern that matches a path or a directory above it, or "". One
// without a slash matches a name at any depth.
func ignoredBy(patterns []string, name string) string {
	for at := range patterns {
		for above := name; above != "."; above = path.Dir(above) {
			what := above
			if !strings.Contains(patterns[at], "/") {
				what = path.Base(above)
			}
			if is, err := path.Match(patterns[at], what); err == nil && is {
				return patterns[at]
			}
		}
	}
	return ""
}

// checkIgnores finds files of the bundle that are ignored, too.
func (c *fileChecker) checkIgnores(patterns []string, file DataFile) {
	if pattern := ignoredBy(patterns, file.Path); pattern != "" {
		c.add(ManifestPath, file, "it is a file of the bundle, and is ignored by %s", beneath.Escape(pattern))
	}
}
