// Package vectors holds inputs of the formats that others read and write too, each with
// the class of what is to become of it, for this implementation and for any other. The
// form is told by its README.
//
// It reads the files and compares. The package whose format it is judges, in its own
// tests, and says which classes there are.
package vectors

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/mail"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Accepted is the class of what is as it must be, in every format.
const Accepted = "accepted"

//go:embed bundles frames paths
var files embed.FS

// Vector is one file.
type Vector struct {
	Name   string            // of the file
	Expect string            // a class
	Fields map[string]string // what its format has in the header besides, with names as in "Call-Bytes"
	// Payload is what stands below the header, as it is written there: see Unescape.
	Payload string
}

// Bytes is the payload of a format that is nothing but bytes.
func (v Vector) Bytes(t testing.TB) []byte {
	t.Helper()
	payload, err := Unescape(v.Payload)
	require.NoError(t, err, v.Name)
	return payload
}

// Unescape puts the byte in the place of each percent sign and its two hexadecimal digits
// (RFC 3986).
func Unescape(text string) ([]byte, error) {
	payload, err := url.PathUnescape(text)
	return []byte(payload), err
}

// Load reads all vectors of a format, whose header has these fields besides its own.
func Load(t testing.TB, format string, fields ...string) []Vector {
	t.Helper()
	below, err := fs.Sub(files, format)
	require.NoError(t, err)
	all, err := load(below, fields)
	require.NoError(t, err)
	return all
}

// Run judges each vector as a test of its own. It fails for a vector of another class than
// judge says, for one whose class is not listed, and for a class without a vector.
func Run(t *testing.T, all []Vector, classes []string, judge func(t *testing.T, vector Vector) (class string)) {
	t.Helper()
	require.Empty(t, unknown(all, classes))
	for _, vector := range all {
		t.Run(vector.Name, func(t *testing.T) {
			require.Equal(t, vector.Expect, judge(t, vector))
		})
	}
}

// unknown says which vectors have a class that is not listed, and which classes have none.
func unknown(all []Vector, classes []string) []string {
	var faults []string
	met := map[string]bool{}
	for _, vector := range all {
		met[vector.Expect] = true
		if !slices.Contains(classes, vector.Expect) {
			faults = append(faults, fmt.Sprintf("%s expects the class %q, which is unknown", vector.Name, vector.Expect))
		}
	}
	for _, class := range classes {
		if !met[class] {
			faults = append(faults, fmt.Sprintf("the class %q has no vector", class))
		}
	}
	return faults
}

func load(below fs.FS, fields []string) ([]Vector, error) {
	names, err := fs.Glob(below, "*")
	if err != nil {
		return nil, err
	}
	var all []Vector
	for _, name := range names {
		text, err := fs.ReadFile(below, name)
		if err != nil {
			return nil, err
		}
		vector, err := parse(text, fields)
		if err != nil {
			return nil, fmt.Errorf("read vector %s: %w", name, err)
		}
		vector.Name = strings.TrimSuffix(name, path.Ext(name))
		all = append(all, vector)
	}
	return all, nil
}

func parse(text []byte, fields []string) (Vector, error) {
	message, err := mail.ReadMessage(bytes.NewReader(text))
	if err != nil {
		return Vector{}, err
	}
	names := slices.Sorted(slices.Values(append([]string{"Expect", "Comment"}, fields...)))
	if given := slices.Sorted(maps.Keys(message.Header)); !slices.Equal(given, names) {
		return Vector{}, fmt.Errorf("its header has the fields %v, not %v", given, names)
	}
	vector := Vector{Expect: message.Header.Get("Expect"), Fields: map[string]string{}}
	for name, values := range message.Header {
		if len(values) > 1 || values[0] == "" {
			return Vector{}, fmt.Errorf("%s is empty, or stands there twice", name)
		}
		vector.Fields[name] = values[0]
	}
	payload, err := io.ReadAll(message.Body)
	if err != nil {
		return Vector{}, err
	}
	var ended bool
	if vector.Payload, ended = strings.CutSuffix(string(payload), "\n"); !ended {
		return Vector{}, errors.New("it does not end with a line feed")
	}
	return vector, nil
}
