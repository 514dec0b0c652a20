package notebook

import (
	"fmt"
	"regexp"
	"strings"

	"hotcell/internal/job"
)

// ends has one end of a line for all that end one to Python.
var ends = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// plain returns the lines of a cell with pass in place of a notebook's commands, and what to
// do about the first most of those.
func plain(source string, most int) ([]string, []job.Violation) {
	if source == "" {
		return nil, nil
	}
	lines := strings.Split(strings.TrimSuffix(ends.Replace(source), "\n"), "\n")
	var found []job.Violation
	var reader reader
	first := true
	for at, line := range lines {
		begin := strings.TrimLeft(line, " \t")
		if !reader.inside() && isCommand(begin) {
			indent := line[:len(line)-len(begin)]
			if len(found) < most {
				found = append(found, job.Violation{Rule: SyntaxError, Line: at + 1, Column: len(indent) + 1, Message: hint(begin)})
			}
			if first && isOtherLanguage(begin) {
				return blank(lines), found
			}
			if first {
				indent = "" // nothing is above that it could belong to
			}
			lines[at] = indent + "pass"
		} else {
			reader.read(line)
		}
		first = first && begin == ""
	}
	return lines, found
}

// blank is a cell that is none of Python's, with as many lines.
func blank(lines []string) []string {
	empty := make([]string, len(lines))
	empty[0] = "pass"
	return empty
}

var (
	asksForHelp  = regexp.MustCompile(`^[%\w.]+\?{1,2}\s*$`)
	keepsAnswer  = regexp.MustCompile(`^[A-Za-z_][\w, ]*=\s*[!%]\s*[\w./~]`)
	commandsName = regexp.MustCompile(`[%!]{1,2}\s*([A-Za-z_]\w{0,30})`)
)

// isCommand looks at the beginning of a statement.
func isCommand(begin string) bool {
	return strings.HasPrefix(begin, "%") || strings.HasPrefix(begin, "!") || strings.HasPrefix(begin, "?") ||
		asksForHelp.MatchString(begin) || keepsAnswer.MatchString(begin)
}

// isOtherLanguage tells whether a cell's first line says that the rest is no Python.
func isOtherLanguage(begin string) bool {
	switch nameOf(begin) {
	case "bash", "sh", "script", "html", "HTML", "javascript", "js", "latex", "markdown", "perl", "ruby", "R", "sql", "svg", "writefile", "cython":
		return strings.HasPrefix(begin, "%%")
	default:
		return false
	}
}

func nameOf(begin string) string {
	if found := commandsName.FindStringSubmatch(begin); found != nil {
		return found[1]
	}
	return ""
}

// hint says what a line is, and what to do about it.
func hint(begin string) string {
	name := nameOf(begin)
	if name == "" {
		return "this line asks a notebook for help and is no Python; remove it"
	}
	mark := "%"
	if strings.Contains(strings.SplitN(begin, name, 2)[0], "!") {
		mark = "!"
	}
	return fmt.Sprintf("%s%s is a notebook's command and no Python; %s", mark, name, instead(mark, name))
}

func instead(mark, name string) string {
	switch name {
	case "pip", "pip3", "conda", "mamba", "apt", "uv":
		return "remove it: nothing can be installed, and the packages of the image are there"
	case "matplotlib", "pylab":
		return "remove it: figures that are open at the end are kept"
	case "time", "timeit", "prun":
		return "remove it, or measure with time.perf_counter()"
	case "run", "load", "load_ext", "autoreload", "reload_ext", "config", "env", "capture":
		return "remove it"
	case "bash", "sh", "script":
		return "no other program can be started: write it in Python"
	case "sql":
		return "there is no SQL: use merge, groupby and query of pandas"
	}
	if mark == "!" {
		return "no other program can be started: write it in Python"
	}
	return "remove it"
}

// reader knows whether a line begins inside a text of several lines, inside brackets or
// after a backslash: then it begins no statement, whatever it begins with.
type reader struct {
	quote     string // that ends the text, or ""
	depth     int    // of brackets
	continued bool
}

func (r *reader) inside() bool { return r.quote != "" || r.depth > 0 || r.continued }

func (r *reader) read(line string) {
	r.continued = false
	for at := 0; at < len(line); {
		switch {
		case r.quote != "":
			at = r.text(line, at)
		case line[at] == '#':
			return
		case line[at] == '\\' && at == len(line)-1:
			r.continued = true
			return
		default:
			at = r.code(line, at)
		}
	}
	if len(r.quote) == 1 {
		r.quote = "" // a text of one line ends with it
	}
}

// text goes on in a text, to its end or to the line's.
func (r *reader) text(line string, at int) int {
	switch {
	case line[at] == '\\':
		return min(at+2, len(line))
	case strings.HasPrefix(line[at:], r.quote):
		at += len(r.quote)
		r.quote = ""
		return at
	default:
		return at + 1
	}
}

// code goes on outside of texts.
func (r *reader) code(line string, at int) int {
	rest := line[at:]
	switch {
	case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, `'''`):
		r.quote = rest[:3]
		return at + 3
	case rest[0] == '"', rest[0] == '\'':
		r.quote = rest[:1]
	case strings.ContainsRune("([{", rune(rest[0])):
		r.depth++
	case strings.ContainsRune(")]}", rune(rest[0])):
		r.depth = max(r.depth-1, 0)
	}
	return at + 1
}
