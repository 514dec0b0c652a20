package token

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"hotcell/internal/access"
	"hotcell/internal/digest"
	"hotcell/internal/strictjson"
)

// Entry is what the file says of one token.
type Entry struct {
	ID        string         `json:"id"`   // public, and what a log and the audit chain call it
	Name      string         `json:"name"` // the principal is token:NAME
	SHA256    digest.Hex     `json:"sha256"`
	Scopes    []access.Scope `json:"scopes"`
	CreatedAt time.Time      `json:"created_at"`
	ExpiresAt time.Time      `json:"expires_at"`
	RevokedAt time.Time      `json:"revoked_at,omitzero"` // it stays in the file: its name is not given again
}

// Principal is who sends the token.
func (e Entry) Principal() access.Principal {
	return access.Principal{Name: "token:" + e.Name, Scopes: slices.Clone(e.Scopes)}
}

// Sum is the hash of the entry, by which the audit chain names it.
func (e Entry) Sum() (digest.Hex, error) {
	text, err := strictjson.Encode(e)
	return digest.Of(text).Hex(), err
}

// State is active, expired or revoked.
func (e Entry) State(now time.Time) string {
	switch {
	case !e.RevokedAt.IsZero():
		return "revoked"
	case !now.Before(e.ExpiresAt):
		return "expired"
	}
	return "active"
}

// file is the form on the disk.
type file struct {
	Version int     `json:"version"`
	Tokens  []Entry `json:"tokens"`
}

const (
	version   = 1
	maxTokens = 10_000
	maxFile   = 8 << 20 // bytes: that many, each with all scopes
)

// DefaultPath is the file of a host.
const DefaultPath = "/etc/hotcell/tokens.json"

// MaxLife is how long a token may be valid. None is without end: nobody misses one that was lost.
const MaxLife = 366 * 24 * time.Hour

var (
	idPattern   = regexp.MustCompile(`^[0-9a-f]{12}$`)
	namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`)
)

// ErrName is wrapped for a name that no token can have, or that one has.
var ErrName = errors.New("choose another name")

// CheckName refuses what no token is called.
func CheckName(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("token %.70q: %w: want at most 63 small letters, digits, dots, hyphens and underscores, with a letter or digit first", name, ErrName)
	}
	return nil
}

// parse reads a file, strictly.
func parse(data []byte) (file, error) {
	var read file
	if err := strictjson.DecodeAll(data, maxFile, &read); err != nil {
		return file{}, err
	}
	if read.Version != version {
		return file{}, fmt.Errorf("it is of version %d: this runner reads version %d", read.Version, version)
	}
	return read, read.check()
}

// check finds all faults: two entries that a request could be told by are one too many.
func (f file) check() error {
	if len(f.Tokens) > maxTokens {
		return fmt.Errorf("there are more than %d tokens", maxTokens)
	}
	var faults []error
	seen := map[string]bool{}
	for index, entry := range f.Tokens {
		if err := entry.check(); err != nil {
			faults = append(faults, fmt.Errorf("tokens[%d]: %w", index, err))
		}
		for _, one := range []string{"id " + entry.ID, "name " + entry.Name, "sha256 " + string(entry.SHA256)} {
			if seen[one] {
				faults = append(faults, fmt.Errorf("tokens[%d]: the %.80q stands twice", index, one))
			}
			seen[one] = true
		}
		const told = 20
		if len(faults) > told {
			break
		}
	}
	return errors.Join(faults...)
}

func (e Entry) check() error {
	var faults []error
	if !idPattern.MatchString(e.ID) {
		faults = append(faults, errors.New("its id has not 12 hexadecimal digits"))
	}
	faults = append(faults, CheckName(e.Name), e.SHA256.Check(), CheckScopes(e.Scopes))
	if e.CreatedAt.IsZero() || !e.ExpiresAt.After(e.CreatedAt) || e.ExpiresAt.Sub(e.CreatedAt) > MaxLife {
		faults = append(faults, errors.New("it must expire after it was made, and within a year"))
	}
	return errors.Join(faults...)
}

// CheckScopes refuses none, unknown ones and repetitions.
func CheckScopes(scopes []access.Scope) error {
	if len(scopes) == 0 {
		return errors.New("it has no scope: it could do nothing")
	}
	for index, one := range scopes {
		if !slices.Contains(access.Scopes(), one) {
			return fmt.Errorf("there is no scope %.40q: known are %s", one, listed(access.Scopes()))
		}
		if slices.Contains(scopes[:index], one) {
			return fmt.Errorf("the scope %s stands twice", one)
		}
	}
	return nil
}

func listed(scopes []access.Scope) string {
	words := make([]string, len(scopes))
	for index, one := range scopes {
		words[index] = string(one)
	}
	return strings.Join(words, ", ")
}

// Asked is a token that somebody wants.
type Asked struct {
	Name   string
	Scopes []access.Scope
	Life   time.Duration
}

// New makes a token and its entry, which is in no file yet.
func New(asked Asked, now time.Time) (token string, entry Entry, err error) {
	if asked.Life <= 0 || asked.Life > MaxLife {
		return "", Entry{}, fmt.Errorf("a token expires within a year: choose from 1s to %dd", int(MaxLife.Hours())/24)
	}
	var id [6]byte
	rand.Read(id[:]) // never returns an error: see crypto/rand
	token = generate()
	now = now.UTC().Truncate(time.Second)
	entry = Entry{
		ID: hex.EncodeToString(id[:]), Name: asked.Name, SHA256: hash(token), Scopes: slices.Clone(asked.Scopes),
		CreatedAt: now, ExpiresAt: now.Add(asked.Life.Round(time.Second)),
	}
	if err := entry.check(); err != nil {
		return "", Entry{}, err
	}
	return token, entry, nil
}
