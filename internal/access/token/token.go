// Package token makes and reads the tokens of a service: random numbers that programs send, of
// which a file has the hashes.
//
// File is for the command that makes and revokes them, Store for the service that is asked. The
// package decides nothing about what a scope allows.
package token

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"hotcell/internal/access"
	"hotcell/internal/digest"
)

// Prefix begins every token: programs that look for secrets in repositories find it by that.
const Prefix = "hct_"

// A token is Prefix, 256 random bits, and the CRC-32 of both: a token that was mistyped or cut is
// told without a look at the file, and a scanner takes no other text for one.
const (
	randomBytes = 32
	sumBytes    = 4
)

// encoding has no padding, and only one text for each value.
var encoding = base64.RawURLEncoding.Strict()

// generate makes a token.
func generate() string {
	var random [randomBytes]byte
	rand.Read(random[:]) // never returns an error: see crypto/rand
	return spell(random[:])
}

func spell(random []byte) string {
	body := Prefix + encoding.EncodeToString(random)
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(body)))
	return body + encoding.EncodeToString(sum)
}

// check tells a token from what is none, before anything is looked up.
func check(text string) error {
	const mistyped = "the token is cut or mistyped: its checksum is wrong"
	rest, ok := strings.CutPrefix(text, Prefix)
	if !ok || len(rest) != encoding.EncodedLen(randomBytes)+encoding.EncodedLen(sumBytes) {
		return fmt.Errorf("%w: %s", access.ErrUnknown, mistyped)
	}
	random, err := encoding.DecodeString(rest[:encoding.EncodedLen(randomBytes)])
	if err != nil || spell(random) != text {
		return fmt.Errorf("%w: %s", access.ErrUnknown, mistyped)
	}
	return nil
}

// hash is what is kept of a token.
func hash(token string) digest.Hex { return digest.Of([]byte(token)).Hex() }
