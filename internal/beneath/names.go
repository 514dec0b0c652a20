package beneath

import "strings"

// Names collects paths and finds those that some file system would take for one.
// The zero value is ready. Not for concurrent use.
type Names struct {
	spelled map[string]string // folded path of a file or directory → how it was first spelled
}

// Add records a path and every directory above it. It returns the earlier path
// with which one of them clashes, or "". The same path twice does not clash.
func (n *Names) Add(name string) (clash string) {
	if n.spelled == nil {
		n.spelled = make(map[string]string)
	}
	for end := range len(name) + 1 {
		if end < len(name) && name[end] != '/' {
			continue
		}
		if earlier := n.addOne(name[:end]); clash == "" {
			clash = earlier
		}
	}
	return clash
}

func (n *Names) addOne(name string) (clash string) {
	key := Fold(strings.ToValidUTF8(name, "\uFFFD"))
	earlier, known := n.spelled[key]
	if !known {
		n.spelled[key] = name
		return ""
	}
	if earlier == name {
		return ""
	}
	return earlier
}
