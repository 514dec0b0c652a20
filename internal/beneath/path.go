package beneath

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Lengths in bytes. 255 is the longest name of every common file system; a whole
// path stays far below PATH_MAX, whatever directory it is later put into.
const (
	MaxName = 255
	MaxPath = 1024
)

// windowsDevices name devices on Windows, whatever follows a dot. Released files
// are opened on analysts' desktops.
var windowsDevices = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true, "conin$": true, "conout$": true,
	"com0": true, "com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt0": true, "lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
}

// PathFault is in one word why CheckPath refuses a path. The words are stable:
// tests/vectors has paths of each.
type PathFault string

// The faults.
const (
	PathEmpty     PathFault = "empty"     // no path, or a name without a byte in it
	PathLong      PathFault = "long"      // more than MaxPath bytes, or a name of more than MaxName
	PathOutside   PathFault = "outside"   // absolute, or with ".." for a name
	PathEncoding  PathFault = "encoding"  // not UTF-8, or not in normal form C
	PathEdge      PathFault = "edge"      // a name that begins or ends with what a shell or a system treats in a way of its own
	PathCharacter PathFault = "character" // reserved somewhere, or not to be seen
	PathNarrow    PathFault = "narrow"    // another name in narrow characters
	PathDevice    PathFault = "device"    // a device's name on Windows
)

// PathFaults are all of them.
func PathFaults() []PathFault {
	return []PathFault{PathEmpty, PathLong, PathOutside, PathEncoding, PathEdge, PathCharacter, PathNarrow, PathDevice}
}

// PathError is the error of CheckPath. It does not repeat the path.
type PathError struct {
	Fault   PathFault
	message string
}

// Error says what is wrong.
func (e *PathError) Error() string { return e.message }

func refused(fault PathFault, format string, values ...any) error {
	return &PathError{fault, fmt.Sprintf(format, values...)}
}

// CheckPath accepts a relative, slash-separated, clean path whose every name is
// printable, normalised (NFC) and means the same on Linux, macOS and Windows, to
// a shell and to a person. The error is a *PathError.
func CheckPath(name string) error {
	switch {
	case name == "":
		return refused(PathEmpty, "the path is empty")
	case len(name) > MaxPath:
		return refused(PathLong, "the path is longer than %d bytes", MaxPath)
	case strings.HasPrefix(name, "/"):
		return refused(PathOutside, "the path is absolute")
	}
	for component := range strings.SplitSeq(name, "/") {
		if err := checkName(component); err != nil {
			return err
		}
	}
	return nil
}

// checkName looks at a name as it is spelled, and as a program reads it that takes
// characters of other widths for those of ASCII.
func checkName(name string) error {
	if err := checkSpelling(name); err != nil {
		return err
	}
	return checkNarrow(norm.NFKC.String(bestFit.Replace(name)))
}

// bestFit is what Windows gives for characters that a code page lacks, where that is
// another character than their compatibility form: dashes are a minus, and a yen, a won
// and a sign of division are what separates paths.
var bestFit = strings.NewReplacer("\u00a5", `\`, "\u20a9", `\`, "\u2216", `\`, "\u29f5", `\`, "\u2044", "/", "\u2215", "/", "\u29f8", "/",
	"\u02ba", `"`, "\u2033", `"`, "\u301d", `"`, "\u301e", `"`, "\u301f", `"`,
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2015", "-", "\u2212", "-", "\u02d7", "-", "\u00ad", "-", "\u02dc", "~", "\u223c", "~")

// checkNarrow is for programs that ask Windows for narrow characters: they find "..",
// separators of paths and arguments, and options, where wide ones stand, and devices.
func checkNarrow(name string) error {
	if strings.ContainsAny(name, `/\"`) || strings.ContainsAny(name[:1], ".-~") {
		return refused(PathNarrow, "a name in the path would be another one in narrow characters")
	}
	if len(name) > 1 && name[1] == ':' && (name[0]|' ' >= 'a' && name[0]|' ' <= 'z') {
		return refused(PathNarrow, "a name in the path would begin with a drive in narrow characters")
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".") // COM¹ is COM1
	if windowsDevices[strings.TrimRight(stem, " ")] {
		return refused(PathDevice, "a name in the path is reserved for a device on Windows")
	}
	return nil
}

func checkSpelling(name string) error {
	switch {
	case name == "":
		return refused(PathEmpty, "the path has an empty name in it")
	case name == "..":
		return refused(PathOutside, "the path leads out of its directory")
	case len(name) > MaxName:
		return refused(PathLong, "a name in the path is longer than %d bytes", MaxName)
	case !utf8.ValidString(name):
		return refused(PathEncoding, "the path is not valid UTF-8")
	case !norm.NFC.IsNormalString(name):
		return refused(PathEncoding, "the path is not in Unicode normal form C")
	case strings.HasPrefix(name, "."), strings.HasPrefix(name, "-"), strings.HasPrefix(name, "~"), strings.HasPrefix(name, " "):
		return refused(PathEdge, "a name in the path begins with %q", name[:1])
	case strings.HasSuffix(name, "."), strings.HasSuffix(name, " "):
		return refused(PathEdge, "a name in the path ends with %q", name[len(name)-1:])
	}
	return checkCharacters(name)
}

// checkCharacters refuses control, format (bidirectional, zero-width), private
// and unassigned characters, every space but U+0020, and what is called printable but
// shows nothing: by such a character a person cannot tell two names apart.
func checkCharacters(name string) error {
	for _, r := range name {
		if !unicode.IsPrint(r) || r == blankBraille || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return refused(PathCharacter, "the path has the unprintable character %U in it", r)
		}
		if strings.ContainsRune(`\:*?"<>|`, r) {
			return refused(PathCharacter, "the path has the reserved character %q in it", r)
		}
	}
	return nil
}

const blankBraille = '\u2800'

// Fold returns a key that two paths share when some file system would take them
// for one: without case and in compatibility normal form.
func Fold(name string) string {
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
}

// maxEscaped bounds what Escape returns, in bytes: a message with a few paths in
// it stays readable.
const maxEscaped = 240

// Escape returns a foreign name in a form that is safe to print and to log: as
// in a Go string literal, without the quotes, cut when long. A plain name stays
// as it is.
func Escape(name string) string {
	cut := ""
	if len(name) > maxEscaped {
		name, cut = name[:maxEscaped], "…"
	}
	quoted := strconv.Quote(name)
	escaped := quoted[1 : len(quoted)-1]
	if len(escaped) > maxEscaped {
		escaped, cut = strings.ToValidUTF8(escaped[:maxEscaped], ""), "…"
	}
	return escaped + cut
}
