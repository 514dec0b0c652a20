package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// seenName has the digest of each policy when it was used last. It spares a look at the
// whole chain: who removes it loses the event of one change, and no run's own digest.
const seenName = "policies.seen"

// maxSeen bounds that file in bytes: far more than there are policies.
const maxSeen = 1 << 20

// NotePolicy adds an event where a policy of this name is another than the last time. It
// returns once the event is on the disk.
func (s *Store) NotePolicy(ctx context.Context, actor job.Actor, name string, sum digest.Hex) error {
	seen, err := s.seenPolicies()
	if err != nil {
		return err
	}
	before, known := seen[name]
	if known && before == sum {
		return nil
	}
	if known {
		err := s.Append(ctx, Event{Kind: KindPolicyChanged, Actor: actor, Name: Brief(name), Subjects: []Subject{
			{RolePolicy, Brief(name), sum}, {RolePolicy, "before", before},
		}})
		if err != nil {
			return err
		}
	}
	return s.rememberPolicy(ctx, name, sum)
}

func readSeen(path string) (_ []byte, err error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return io.ReadAll(io.LimitReader(file, maxSeen+1))
}

// seenPolicies is empty where the file is missing or damaged: it proves nothing.
func (s *Store) seenPolicies() (map[string]digest.Hex, error) {
	text, err := readSeen(filepath.Join(s.dir, seenName))
	seen := map[string]digest.Hex{}
	if errors.Is(err, fs.ErrNotExist) {
		return seen, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read policies of runs before: %w", err)
	}
	if err := strictjson.Decode(text, maxSeen, &seen); err != nil {
		return map[string]digest.Hex{}, nil //nolint:nilerr // as if nothing had been seen
	}
	for name, sum := range seen {
		if sum.Check() != nil {
			delete(seen, name)
		}
	}
	return seen, nil
}

func (s *Store) rememberPolicy(ctx context.Context, name string, sum digest.Hex) (err error) {
	release, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	seen, err := s.seenPolicies()
	if err != nil {
		return err
	}
	if seen == nil || len(seen) > maxSeen/200 {
		seen = map[string]digest.Hex{}
	}
	seen[name] = sum
	encoded, err := strictjson.Encode(seen)
	if err != nil {
		return fmt.Errorf("remember policy: %w", err)
	}
	return s.within(func(store *os.Root) error {
		const fresh = "." + seenName
		if err := durable.Remove(store, fresh); err != nil {
			return err
		}
		err := durable.WriteFile(store, fresh, encoded)
		if err == nil {
			err = store.Rename(fresh, seenName)
		}
		if err != nil {
			return errors.Join(err, durable.Remove(store, fresh))
		}
		return nil
	})
}
