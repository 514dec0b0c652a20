package runner

import (
	"crypto/rand"
	"encoding/binary"
)

// maxSeed bounds a seed: what JSON, random and numpy take as one number.
const maxSeed = 1<<48 - 1

// newSeed is never 0.
func newSeed() int64 {
	var random [8]byte
	rand.Read(random[:]) // never returns an error: see crypto/rand
	return int64(binary.LittleEndian.Uint64(random[:])%maxSeed) + 1
}
