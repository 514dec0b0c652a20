// Package anchor makes checkpoints of an audit chain, which are kept where who can write the
// chain cannot, and compares the chain with them: that is how a chain that was cut, rolled
// back or made again is found.
//
// A checkpoint is a C2SP tlog-checkpoint: the root of a Merkle tree (RFC 6962) whose leaves
// are the chain's lines, each without its end. It decides what a checkpoint says and what a
// difference means. It does not decide who signs (internal/signing), what a line is
// (internal/records), or where checkpoints go (cmd/runner).
package anchor

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/transparency-dev/formats/log"
	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"

	"hotcell/internal/digest"
	"hotcell/internal/signing"
)

// originPrefix begins the origin of a chain, which the hash of its first event ends.
const originPrefix = "hotcell-audit/"

// maxCheckpoint bounds a checkpoint in bytes. Ours have below 400.
const maxCheckpoint = 16 << 10

// Origin names a chain, by its first event.
func Origin(first digest.Hex) string { return originPrefix + string(first) }

// Tree is a Merkle tree that grows. It is not for concurrent use.
type Tree struct {
	nodes map[compact.NodeID][]byte
	leafs *compact.Range
}

// NewTree is empty.
func NewTree() *Tree {
	factory := compact.RangeFactory{Hash: rfc6962.DefaultHasher.HashChildren}
	return &Tree{nodes: map[compact.NodeID][]byte{}, leafs: factory.NewEmptyRange(0)}
}

// Add appends a line, without its newline.
func (t *Tree) Add(line []byte) error {
	leaf := rfc6962.DefaultHasher.HashLeaf(line)
	t.nodes[compact.NewNodeID(0, t.leafs.End())] = leaf
	err := t.leafs.Append(leaf, func(id compact.NodeID, hash []byte) { t.nodes[id] = hash })
	if err != nil {
		return fmt.Errorf("grow tree: %w", err)
	}
	return nil
}

// Size is how many lines there are.
func (t *Tree) Size() int64 { return int64(t.leafs.End()) }

// Root is that of all lines.
func (t *Tree) Root() ([]byte, error) {
	if t.leafs.End() == 0 {
		return rfc6962.DefaultHasher.EmptyRoot(), nil
	}
	root, err := t.leafs.GetRootHash(nil)
	if err != nil {
		return nil, fmt.Errorf("compute root: %w", err)
	}
	return root, nil
}

// Inclusion proves that a line, the first being 0, is in the tree: RFC 6962, 2.1.1.
func (t *Tree) Inclusion(index int64) ([][]byte, error) {
	if index < 0 || index >= t.Size() {
		return nil, errors.New("prove inclusion: there is no such line")
	}
	wanted, err := proof.Inclusion(uint64(index), t.leafs.End())
	if err != nil {
		return nil, fmt.Errorf("prove inclusion: %w", err)
	}
	hashes := make([][]byte, len(wanted.IDs))
	for n, id := range wanted.IDs {
		hash, known := t.nodes[id]
		if !known {
			return nil, errors.New("prove inclusion: a node is missing")
		}
		hashes[n] = hash
	}
	hashes, err = wanted.Rehash(hashes, rfc6962.DefaultHasher.HashChildren)
	if err != nil {
		return nil, fmt.Errorf("prove inclusion: %w", err)
	}
	return hashes, nil
}

// Checkpoint is what a chain was at one moment.
type Checkpoint struct {
	Origin string
	Size   int64 // events
	Root   []byte
}

// Of makes the checkpoint of a tree over a whole chain.
func Of(tree *Tree, first digest.Hex) (Checkpoint, error) {
	root, err := tree.Root()
	if err != nil {
		return Checkpoint{}, err
	}
	if tree.Size() == 0 {
		return Checkpoint{}, errors.New("make checkpoint: the chain has no event yet")
	}
	return Checkpoint{Origin(first), tree.Size(), root}, nil
}

// Text is the checkpoint without a signature.
func (c Checkpoint) Text() []byte {
	return log.Checkpoint{Origin: c.Origin, Size: uint64(c.Size), Hash: c.Root}.Marshal()
}

// Sign is the checkpoint as it is kept elsewhere.
func (c Checkpoint) Sign(key signing.Key) ([]byte, error) { return key.Note(c.Text(), c.Origin) }

// Open reads a checkpoint that key has signed.
func Open(signed []byte, key signing.Public) (Checkpoint, error) {
	origin, _, ok := bytes.Cut(signed, []byte("\n"))
	if !ok || len(signed) > maxCheckpoint || !strings.HasPrefix(string(origin), originPrefix) {
		return Checkpoint{}, errors.New("it is no checkpoint of an audit chain")
	}
	first := digest.Hex(origin[len(originPrefix):])
	if err := first.Check(); err != nil {
		return Checkpoint{}, errors.New("it is no checkpoint of an audit chain")
	}
	text, err := key.OpenNote(signed, string(origin))
	if err != nil {
		return Checkpoint{}, err
	}
	var read log.Checkpoint
	rest, err := read.Unmarshal(text)
	if err != nil || len(rest) > 0 || len(read.Hash) != rfc6962.DefaultHasher.Size() || read.Size == 0 || read.Size > 1<<50 {
		return Checkpoint{}, errors.New("it is no checkpoint of an audit chain")
	}
	return Checkpoint{read.Origin, int64(read.Size), read.Hash}, nil
}

// Difference is what a chain is that an anchor does not fit.
type Difference string

// The differences.
const (
	Same       Difference = ""
	OtherChain Difference = "other_chain" // the anchor is of another, or this one was made again from its beginning
	Shorter    Difference = "shorter"     // events are missing at the end
	Rewritten  Difference = "rewritten"   // events that the anchor has seen are others
)

// Comparison follows a chain up to the size of an anchor.
type Comparison struct {
	anchor Checkpoint
	tree   *Tree
	at     []byte // the root when the tree had the anchor's size
}

// Compare begins with an empty chain.
func Compare(anchor Checkpoint) *Comparison { return &Comparison{anchor: anchor, tree: NewTree()} }

// Add takes the next line.
func (c *Comparison) Add(line []byte) error {
	if c.tree.Size() >= c.anchor.Size {
		return nil
	}
	if err := c.tree.Add(line); err != nil {
		return err
	}
	if c.tree.Size() < c.anchor.Size {
		return nil
	}
	root, err := c.tree.Root()
	c.at = root
	return err
}

// Result is told once all lines have been added; first is the hash of the first event.
func (c *Comparison) Result(first digest.Hex) Difference {
	switch {
	case first != "" && Origin(first) != c.anchor.Origin:
		return OtherChain
	case c.at == nil:
		return Shorter
	case !bytes.Equal(c.at, c.anchor.Root):
		return Rewritten
	default:
		return Same
	}
}
