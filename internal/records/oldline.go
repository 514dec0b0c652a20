package records

import (
	"bytes"
	"fmt"
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// oldLine is a line of version 1: only runs had one. No runner of today writes it.
type oldLine struct {
	Seq          int64      `json:"seq"`
	Time         time.Time  `json:"time"`
	RunID        job.ID     `json:"run_id"`
	Status       job.Status `json:"status"`
	RecordSHA256 digest.Hex `json:"record_sha256"`
	TornBytes    int64      `json:"torn_bytes,omitzero"`
	PrevSHA256   digest.Hex `json:"prev_sha256"`
	SHA256       digest.Hex `json:"sha256,omitzero"`
}

func parseOldLine(text []byte) (Event, error) {
	var line oldLine
	if err := strictjson.Decode(text, maxLine, &line); err != nil {
		return Event{}, err
	}
	sealed := line
	sealed.SHA256 = ""
	body, err := strictjson.Encode(sealed)
	if err != nil {
		return Event{}, fmt.Errorf("encode audit line: %w", err)
	}
	sealed.SHA256 = digest.Of(body).Hex()
	encoded, err := strictjson.Encode(sealed)
	if err != nil {
		return Event{}, fmt.Errorf("encode audit line: %w", err)
	}
	if !bytes.Equal(encoded, text) {
		return Event{}, errAltered
	}
	event := Event{
		Version: 1, Seq: line.Seq, Time: line.Time, Kind: KindRun, RunID: line.RunID, Status: line.Status,
		Subjects: []Subject{{Role: RoleRecord, SHA256: line.RecordSHA256}}, TornBytes: line.TornBytes,
		PrevSHA256: line.PrevSHA256, SHA256: line.SHA256,
	}
	return event, event.checkTexts()
}
