package selftest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Attempt is one script that tries to get past the guard: attempts/CLASS/NAME.py.
// It prints ESCAPED:NAME, and only when it holds evidence.
type Attempt struct {
	Name   string
	Title  string
	Class  string // id of docs/threat-model.md, such as G03
	Source []byte
	// Selected says that it stands for its class in a self-test.
	Selected bool
	// Beyond says that the guard cannot hold it; its sandbox does.
	Beyond bool
}

// LoadAttempts reads CLASS/NAME.py below the root of fsys, by class and name. It is
// strict about what it does not know.
func LoadAttempts(fsys fs.FS) ([]Attempt, error) {
	files, err := fs.Glob(fsys, "*/*.py")
	if err != nil {
		return nil, fmt.Errorf("list attempts: %w", err)
	}
	if len(files) == 0 {
		return nil, errors.New("load attempts: there is no .py file")
	}
	var attempts []Attempt
	var faults []error
	for _, file := range files {
		source, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, fmt.Errorf("load attempt: %w", err)
		}
		attempt, err := parseAttempt(file, string(source))
		if err != nil {
			faults = append(faults, fmt.Errorf("load attempt: %w", err))
			continue
		}
		attempts = append(attempts, attempt)
	}
	return attempts, errors.Join(faults...)
}

func parseAttempt(file, source string) (Attempt, error) {
	attempt := Attempt{Name: strings.TrimSuffix(path.Base(file), ".py"), Class: path.Base(path.Dir(file))}
	parts := strings.SplitN(source, `"""`, 3)
	if len(parts) != 3 || parts[0] != "" || strings.TrimSpace(parts[1]) == "" {
		return Attempt{}, fmt.Errorf(`%s:1: does not begin with a doc string in """`, file)
	}
	// The doc string is not part of what runs: some attempts are about the first line.
	attempt.Source = []byte(strings.TrimPrefix(parts[2], "\n"))
	lines := strings.Split(parts[1], "\n")
	attempt.Title = lines[0]
	for index, line := range lines[1:] {
		if err := attempt.set(line); err != nil {
			return Attempt{}, fmt.Errorf("%s:%d: %w", file, index+2, err)
		}
	}
	return attempt, nil
}

func (a *Attempt) set(line string) error {
	switch {
	case line == "Bytes: escaped":
		a.Source = repetitions.ReplaceAllFunc(a.Source, repeat)
		a.Source = escapes.ReplaceAllFunc(a.Source, unescape)
	case line == "Sandbox: yes":
		a.Selected = true
	case line == "Held by: the sandbox":
		a.Selected, a.Beyond = true, true
	case strings.Contains(line, ": "):
		return fmt.Errorf("unknown line %q", line)
	}
	return nil
}

// escapes are bytes that an editor would not keep: <<0d>>.
var escapes = regexp.MustCompile(`<<(?:[0-9a-f]{2})+>>`)

func unescape(match []byte) []byte {
	decoded, err := hex.DecodeString(string(match[2 : len(match)-2]))
	if err != nil {
		return match // the expression lets nothing else through
	}
	return decoded
}

// repetitions are what nobody wants to read: <<80 times (>>.
var repetitions = regexp.MustCompile(`<<([0-9]{1,7}) times (.*?)>>`)

func repeat(match []byte) []byte {
	parts := repetitions.FindSubmatch(match)
	count, err := strconv.Atoi(string(parts[1]))
	if err != nil {
		return match // the expression lets nothing else through
	}
	return bytes.Repeat(parts[2], count)
}

// Script returns the program to run, told where the bait lies.
func (a Attempt) Script(facts Facts) []byte {
	places := strings.NewReplacer(
		"@CANARY@", facts.Secret, "@OUTSIDE@", filepath.Dir(facts.Secret), "@PORT@", strconv.Itoa(facts.TCPPort),
	)
	return []byte(places.Replace(string(a.Source)))
}

// Claim reads what the attempt printed. It makes no claim to have been held.
func (a Attempt) Claim(stdout string) Claim {
	if strings.Contains(stdout, "ESCAPED:"+a.Name) {
		return ClaimEscaped
	}
	return ClaimNone
}
