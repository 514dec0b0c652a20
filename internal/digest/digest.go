// Package digest names bytes by their SHA-256, and reads bytes that have been named.
//
// It decides how a digest is written ("sha256:" and 64 lower-case hexadecimal
// digits, or in a member called sha256 the digits alone: Hex), which nothing else in
// this module does, and holds what is read to it (Reader). It does not decide what is named or where it is kept. Bundles, images,
// policies, output and records use it, and the contract of engines.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"
)

// Digest is "sha256:" with 64 lower-case hexadecimal digits, as Parse and Of make it,
// or "" for nothing that is named.
type Digest string

const (
	prefix = "sha256:"
	// HexLen is the number of hexadecimal digits.
	HexLen = sha256.Size * 2
)

// ErrSyntax means that a text is not written like a digest. It does not repeat it.
var ErrSyntax = errors.New("not a digest: want sha256: and 64 lower-case hexadecimal digits")

// Parse accepts one spelling of a digest and no other.
func Parse(text string) (Digest, error) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return "", ErrSyntax
	}
	return FromHex(digits)
}

// Hex is a digest as file names and members called sha256 have it: its 64 digits
// alone, or "" for nothing that is named.
type Hex string

// Digest is the digest that has these digits. It is as right as they are: see Check.
func (h Hex) Digest() Digest {
	if h == "" {
		return ""
	}
	return Digest(prefix + h)
}

// Check is Digest.Check for the digits alone.
func (h Hex) Check() error {
	_, err := FromHex(string(h))
	return err
}

// FromHex is Parse for the digits alone.
func FromHex(digits string) (Digest, error) {
	if len(digits) != HexLen || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", ErrSyntax
	}
	return Digest(prefix + digits), nil
}

// Of names bytes.
func Of(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest(prefix + hex.EncodeToString(sum[:]))
}

// From names what r yields to its end, and tells how many bytes it was.
func From(r io.Reader) (Digest, int64, error) {
	sum := New()
	size, err := io.Copy(sum, r)
	if err != nil {
		return "", size, err
	}
	return sum.Digest(), size, nil
}

// Check is Parse for a Digest that came from somewhere else than this package.
func (d Digest) Check() error {
	_, err := Parse(string(d))
	return err
}

// Hex is the digest without its "sha256:".
func (d Digest) Hex() Hex { return Hex(strings.TrimPrefix(string(d), prefix)) }

// String implements fmt.Stringer.
func (d Digest) String() string { return string(d) }

// shownDigits tell one digest from another in practice.
const shownDigits = 12

// Short is the digest's beginning, for people: "sha256:" and 12 digits.
func (d Digest) Short() string { return string(d[:min(len(d), len(prefix)+shownDigits)]) }

// Prefix returns the digits of a text that begins like a digest, such as a shortened
// one.
func Prefix(text string) (digits string, ok bool) { return strings.CutPrefix(text, prefix) }

// Hash names what is written to it.
type Hash struct{ sum hash.Hash }

// New returns a Hash of nothing yet.
func New() *Hash { return &Hash{sha256.New()} }

// Write implements io.Writer and never returns an error: see hash.Hash.
func (h *Hash) Write(p []byte) (int, error) { return h.sum.Write(p) }

// Digest names what has been written so far.
func (h *Hash) Digest() Digest { return Digest(prefix + hex.EncodeToString(h.sum.Sum(nil))) }
