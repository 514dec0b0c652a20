package anchor

import (
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
)

// Includes reports whether hashes prove that a line, the first being 0, is in the checkpoint's
// tree: RFC 6962, 2.1.1.
func (c Checkpoint) Includes(index int64, line []byte, hashes [][]byte) bool {
	if index < 0 || index >= c.Size {
		return false
	}
	leaf := rfc6962.DefaultHasher.HashLeaf(line)
	return proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(index), uint64(c.Size), leaf, hashes, c.Root) == nil
}
