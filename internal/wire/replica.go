package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"hotcell/internal/strictjson"
)

// Replica is what a guard has reported of a run that was made again without a host, and what
// the script has printed, as hotcell_guard.replicate writes it to a file.
type Replica struct {
	Report
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

// DecodeReplica holds a replica to what a conversation holds a report to.
func DecodeReplica(payload []byte) (Replica, error) {
	if err := checkShape(payload, "report"); err != nil {
		return Replica{}, err
	}
	var replica Replica
	if err := strictjson.DecodeChecked(payload, &replica); err != nil {
		return Replica{}, fmt.Errorf("read replica: %s", withoutPlace(err))
	}
	before := replica.Outcome == OutcomeRejected || replica.Outcome == OutcomeGuardFailed
	if !replica.fits(!before, ModeRun) {
		return Replica{}, protocolError(BreachSense, "report with an outcome that does not fit its fields")
	}
	// The file is indented, and what a script gave is kept as the guard sends it.
	for index, chart := range replica.Charts {
		replica.Charts[index] = compact(chart)
	}
	replica.Result = compact(replica.Result)
	return replica, nil
}

func compact(value json.RawMessage) json.RawMessage {
	var text bytes.Buffer
	if len(value) == 0 || json.Compact(&text, value) != nil {
		return value
	}
	return text.Bytes()
}
