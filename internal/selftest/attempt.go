package selftest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"hotcell/internal/selftest/header"
)

// Attempt is one script that tries to get past the guard: CLASS/NAME.py.
// It prints ESCAPED:NAME, and only when it holds evidence.
type Attempt struct {
	Name   string
	Title  string
	Class  string // of docs/guard.md, such as G03
	Source []byte // without its header: some attempts are about the first line
	// Selected says that it stands for its class in a self-test.
	Selected bool
	// Beyond says that the guard cannot hold it; its sandbox does.
	Beyond bool
}

// LoadAttempts reads CLASS/NAME.py below the root of fsys, by class and name. All
// faults are reported at once, each with its file and line. A name stands once, in
// whatever class.
func LoadAttempts(fsys fs.FS) ([]Attempt, error) {
	return kind[Attempt]{"attempt", "*/*.py", parseAttempt, func(a Attempt) string { return "name " + a.Name }}.load(fsys)
}

var className = regexp.MustCompile(`^G[0-9]{2}$`)

func parseAttempt(file, text string) (Attempt, error) {
	attempt := Attempt{Name: nameOf(file), Class: path.Base(path.Dir(file))}
	if !className.MatchString(attempt.Class) {
		return Attempt{}, fmt.Errorf("%s: is in no directory of a class, such as G03", file)
	}
	head, err := header.Parse(file, text)
	if err != nil {
		return Attempt{}, err
	}
	attempt.Title, attempt.Source = head.Title, []byte(head.Body)
	err = head.Read(
		header.Flag("Bytes", "escaped", attempt.unescape),
		header.Flag("Selected", "yes", func() { attempt.Selected = true }),
		header.Flag("Held by", "the sandbox", func() { attempt.Selected, attempt.Beyond = true, true }),
	)
	return attempt, err
}

func (a *Attempt) unescape() {
	a.Source = repetitions.ReplaceAllFunc(a.Source, repeat)
	a.Source = escapes.ReplaceAllFunc(a.Source, unescape)
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
