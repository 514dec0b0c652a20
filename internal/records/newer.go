package records

import (
	"bytes"
	"fmt"
	"strconv"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// maxDepth bounds how deep a line of a newer runner may be.
const maxDepth = 16

// parseNewerLine reads of a line of a newer version what a line of any version has: its
// number, the hashes, the last of which is its last member, and its run. The error is
// ErrNewer only where the line's own hash holds: whoever changes a line does not make it a
// newer runner's by a number.
func parseNewerLine(text []byte, version int) (Event, error) {
	if err := strictjson.CheckValue(text, maxDepth); err != nil {
		return Event{}, err
	}
	members := strictjson.Members(text)
	event := Event{Version: version}
	var err error
	if event.Seq, err = strconv.ParseInt(string(members["seq"]), 10, 64); err != nil || event.Seq < 1 {
		return Event{}, fmt.Errorf("it is of version %d, and has no number", version)
	}
	for name, into := range map[string]*digest.Hex{"prev_sha256": &event.PrevSHA256, "sha256": &event.SHA256} {
		*into = digest.Hex(bytes.Trim(members[name], `"`))
		if into.Check() != nil {
			return Event{}, fmt.Errorf("it is of version %d, and has no hash", version)
		}
	}
	body, whole := bytes.CutSuffix(text, []byte(`,"sha256":"`+string(event.SHA256)+`"}`))
	if !whole || digest.Of(append(bytes.Clone(body), '}')).Hex() != event.SHA256 {
		return Event{}, errAltered
	}
	if id, err := job.ParseID(string(bytes.Trim(members["run_id"], `"`))); err == nil {
		event.RunID = id
	}
	return event, fmt.Errorf("it is of version %d: %w", version, ErrNewer)
}
