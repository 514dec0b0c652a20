package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"

	"hotcell/internal/anchor"
	"hotcell/internal/beneath"
	"hotcell/internal/durable"
	"hotcell/internal/records"
	"hotcell/internal/signing"
	"hotcell/internal/strictjson"
)

// maxReceived bounds what beside the record is read of an export, in bytes, and maxReceivedEvents
// how many events of one run it may have.
const (
	maxReceived       = 64 << 20
	maxReceivedEvents = 1 << 16
)

// receivedExport is an export that somebody has got.
type receivedExport struct {
	dir        *os.Root
	lines      [][]byte
	proofs     map[int64]eventProof // by the number of the event
	checkpoint anchor.Checkpoint
}

// verifyExport checks what records export has made, without the state directory: all that it
// relies on is the key, or the anchor.
func (a *app) verifyExport(ctx context.Context, name string, wanted evidence) error {
	if len(wanted.keys) == 0 && wanted.anchor == nil {
		return usageError{errors.New("an export proves nothing by itself: give --key, or --anchor with --anchor-key, that have come by another way")}
	}
	dir, err := durable.OpenDir(name)
	if err != nil {
		return usageError{err}
	}
	defer dir.Close()
	export := receivedExport{dir: dir}
	if err := export.read(ctx, wanted); err != nil {
		return a.showVerification(records.Verification{Faults: []records.Fault{{Problem: records.Unreadable, Message: err.Error()}}}, wanted)
	}
	options := records.CopyOptions{Lines: export.lines, Included: export.includes, Chain: export.checkpoint.Origin, Besides: []string{eventsName, checkpointName, proofName, keyName}}
	for _, key := range wanted.keys {
		options.Keys = append(options.Keys, key)
	}
	found, err := records.VerifyCopy(ctx, dir, options)
	if err != nil {
		return err
	}
	if fault, wrong := export.keyFault(ctx, wanted.keys); wrong {
		found.Faults = append(found.Faults, fault)
	}
	wanted.anchor, wanted.checkpoint = nil, &export.checkpoint
	return a.showVerification(found, wanted)
}

// read reads what an export has beside the record.
func (r *receivedExport) read(ctx context.Context, wanted evidence) error {
	text, err := beneath.ReadFile(ctx, r.dir, checkpointName, maxReceived)
	if err != nil {
		return err
	}
	if r.checkpoint, err = trusted(text, wanted); err != nil {
		return err
	}
	events, err := beneath.ReadFile(ctx, r.dir, eventsName, maxReceived)
	if err != nil {
		return err
	}
	if bytes.Count(events, []byte("\n")) > maxReceivedEvents {
		return fmt.Errorf("%s has more than the %d events that a run may have here", eventsName, maxReceivedEvents)
	}
	if len(events) > 0 {
		r.lines = bytes.Split(bytes.TrimSuffix(events, []byte("\n")), []byte("\n"))
	}
	text, err = beneath.ReadFile(ctx, r.dir, proofName, maxReceived)
	if err != nil {
		return err
	}
	if err := boundProof(text, len(r.lines)); err != nil {
		return err
	}
	var read proof
	if err := strictjson.DecodeAll(text, maxReceived, &read); err != nil {
		return fmt.Errorf("%s: %w", proofName, err)
	}
	if read.Size != r.checkpoint.Size || len(read.Events) != len(r.lines) {
		return fmt.Errorf("%s is of %s of a chain of %d, and the export has %d of one of %d", proofName, counted(len(read.Events), "event"), read.Size, len(r.lines), r.checkpoint.Size)
	}
	r.proofs = map[int64]eventProof{}
	for _, one := range read.Events {
		r.proofs[one.Seq] = one
	}
	return nil
}

// boundProof refuses what has more in it than so many proofs, before it is decoded: what takes three
// bytes takes many times as much then.
func boundProof(text []byte, events int) error {
	const hashes = 64 // of a tree of any size
	for _, one := range []struct {
		mark    string
		of, all int // an event has at most, and the whole besides
	}{{"{", 1, 1}, {"[", 1, 1}, {`"`, 2*hashes + 6, 4}, {",", hashes + 3, 1}} {
		if bytes.Count(text, []byte(one.mark)) > one.of*events+one.all {
			return fmt.Errorf("%s has more in it than the proofs of %s", proofName, counted(events, "event"))
		}
	}
	return nil
}

// trusted is the checkpoint of an export, if the anchor is of the same moment, or else a key
// has signed it.
func trusted(text []byte, wanted evidence) (anchor.Checkpoint, error) {
	if wanted.anchor == nil {
		checkpoint, err := openAnchor(text, wanted.keys)
		if err != nil {
			err = fmt.Errorf("%s: %w", checkpointName, err)
		}
		return checkpoint, err
	}
	if !bytes.HasPrefix(text, wanted.anchor.Text()) {
		return anchor.Checkpoint{}, fmt.Errorf("%s is not that of the anchor, which has seen %s: nothing here leads from one to the other; have the run exported and the chain anchored with no event between them",
			checkpointName, counted(int(wanted.anchor.Size), "event"))
	}
	return *wanted.anchor, nil
}

// includes reports whether an event is proven to be in the chain.
func (r *receivedExport) includes(event records.Event, line []byte) bool {
	one, known := r.proofs[event.Seq]
	if !known || one.Index != event.Seq-1 {
		return false
	}
	hashes := make([][]byte, len(one.Inclusion))
	for n, text := range one.Inclusion {
		hash, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return false
		}
		hashes[n] = hash
	}
	return r.checkpoint.Includes(one.Index, line, hashes)
}

// keyFault tells of a public key in the export that is none of those that were given: nothing
// was checked by it, and whoever takes it for the right one is wrong.
func (r *receivedExport) keyFault(ctx context.Context, keys []signing.Public) (fault records.Fault, wrong bool) {
	text, err := beneath.ReadFile(ctx, r.dir, keyName, maxReceived)
	if err != nil || len(keys) == 0 { // there is none where nothing was signed
		return fault, false
	}
	for _, key := range keys {
		if encoded, err := key.PEM(); err == nil && bytes.Equal(encoded, text) {
			return fault, false
		}
	}
	return records.Fault{Problem: records.Changed, Path: keyName, Message: keyName + " is none of the keys that were given"}, true
}
