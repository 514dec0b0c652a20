// Package job holds the words that every other package shares: what is asked
// for (Request), what bounds it (Limits), what became of it (Status, Result)
// and what was wrong with it (Violation).
//
// It decides nothing and imports nothing but the standard library, so that any
// package may depend on it.
package job

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// ID names one execution. Its text form is the start as 13 digits of Unix
// milliseconds, a hyphen and 16 random hexadecimal digits, for example
// "1795219431042-9f86d081884c7d65": sortable by start, safe as a file name, a
// cgroup name and a container name. The zero ID is not valid.
type ID struct{ text string }

var idPattern = regexp.MustCompile(`^[0-9]{13}-[0-9a-f]{16}$`)

// NewID makes an ID for a run that starts at now.
func NewID(now time.Time) ID {
	var random [8]byte
	rand.Read(random[:]) // never returns an error: see crypto/rand
	return ID{fmt.Sprintf("%013d-%s", now.UnixMilli(), hex.EncodeToString(random[:]))}
}

// ParseID reads the text form back. It accepts nothing else, so that a parsed ID
// can be joined to a path.
func ParseID(text string) (ID, error) {
	if !idPattern.MatchString(text) {
		return ID{}, fmt.Errorf("parse run id %q: want 13 digits, a hyphen and 16 hexadecimal digits", text)
	}
	return ID{text}, nil
}

// Time is when the ID was made, by the clock of whoever made it; the zero ID has the zero time.
func (id ID) Time() time.Time {
	millis, err := strconv.ParseInt(id.text[:min(len(id.text), 13)], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

// String returns the text form, or "" for the zero ID.
func (id ID) String() string { return id.text }

// MarshalText implements encoding.TextMarshaler.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.text), nil }

// UnmarshalText implements encoding.TextUnmarshaler through ParseID.
func (id *ID) UnmarshalText(text []byte) error {
	parsed, err := ParseID(string(text))
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}
