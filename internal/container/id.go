package container

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
)

// ID names one sandbox, apart from the run that it is for: a sandbox may be there
// before its run is, and a session's is there for many. Its text form is 32 random
// lower-case hexadecimal digits, for example "9f86d081884c7d659a2feaa0c55ad015": safe as
// a file name and as the name of a control group, a slice of systemd's (where a hyphen divides parents from
// children) or a container. The
// zero ID is not valid.
type ID struct{ text string }

var idPattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// NewID makes an ID that no other sandbox has.
func NewID() ID {
	var random [16]byte
	rand.Read(random[:]) // never returns an error: see crypto/rand
	return ID{hex.EncodeToString(random[:])}
}

// ParseID reads the text form back. It accepts nothing else, so that a parsed ID can
// be joined to a path.
func ParseID(text string) (ID, error) {
	if !idPattern.MatchString(text) {
		return ID{}, fmt.Errorf("parse sandbox id %q: want 32 lower-case hexadecimal digits", text)
	}
	return ID{text}, nil
}

// String returns the text form, or "" for the zero ID.
func (id ID) String() string { return id.text }

// validate refuses the zero ID, which would name the directory above all sandboxes.
func (id ID) validate() error {
	_, err := ParseID(id.text)
	return err
}
