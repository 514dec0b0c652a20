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

// passing passes over what patterns match, for walk, and knows which have matched something.
type passing struct {
	patterns []string
	met      map[string]bool
}

func passOver(patterns []string) passing {
	return passing{patterns, make(map[string]bool, len(patterns))}
}

func (p passing) pass(name string) (is bool) {
	for _, pattern := range p.patterns {
		if matches(pattern, name) {
			is, p.met[pattern] = true, true
		}
	}
	return is
}

// unmet says which patterns have matched nothing: what a person meant by one would be in the
// bundle, or be left out of it later without a word.
func (p passing) unmet() []string {
	var found []string
	for _, pattern := range p.patterns {
		if !p.met[pattern] {
			found = append(found, beneath.Escape(pattern)+": there is no such file or directory to pass over, or it is in one that is passed over: "+
				"write a name as it is there, or a path from the bundle's directory, as in old/*.csv (--ignore)")
		}
	}
	return found
}

// matches reports whether a pattern is of a path. One without a slash is of a name at any depth.
func matches(pattern, name string) bool {
	if !strings.Contains(pattern, "/") {
		name = path.Base(name)
	}
	is, err := path.Match(pattern, name)
	return err == nil && is
}

// ignoredBy is the first pattern that matches a path or a directory above it, or "".
func ignoredBy(patterns []string, name string) string {
	for _, pattern := range patterns {
		for above := name; above != "."; above = path.Dir(above) {
			if matches(pattern, above) {
				return pattern
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
