package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/strictjson"
)

// Text is a run's answer in the form that its policy chose. What did not succeed has
// given none but what it printed.
func (r Rules) Text(result job.Result) string {
	if result.Status == job.Succeeded {
		switch r.Form {
		case policy.AnswerResult, policy.AnswerLast:
			return valueText(result.Value)
		case policy.AnswerChart:
			if given, ok := strictjson.Members(result.Value)["output"]; ok && !isNull(given) {
				return r.cut(valueText(given))
			}
		case policy.AnswerStdout:
		}
	}
	if result.Truncated.Stdout {
		return fmt.Sprintf("%s\n[cut: the policy keeps %s of stdout]", result.Stdout, policy.Size(r.Stdout))
	}
	return result.Stdout
}

// cut bounds a sentence. The guard has cut it, and said so in it, unless it was not the
// guard who spoke.
func (r Rules) cut(text string) string {
	if int64(len(text)) <= r.Stdout || r.Stdout <= 0 {
		return text
	}
	kept := strings.ToValidUTF8(text[:r.Stdout], "")
	return fmt.Sprintf("%s\n[cut: %d of %d bytes; the policy keeps %d]", kept, len(text)-len(kept), len(text), r.Stdout)
}

// valueText is a string itself, and anything else as JSON; nothing is "".
func valueText(value json.RawMessage) string {
	var text string
	if strictjson.Decode(value, len(value), &text) == nil {
		return text // null leaves it empty
	}
	var compact bytes.Buffer
	compact.Grow(len(value))
	if err := json.Compact(&compact, value); err != nil {
		return string(value) // it was strictly decoded, so this does not happen
	}
	return compact.String()
}
