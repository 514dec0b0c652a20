package runner

import (
	"bytes"
	"unicode/utf8"

	"hotcell/internal/job"
	"hotcell/internal/policy"
)

// refuse refuses what no guard needs to see. No container is made for it.
func (e *execution) refuse() *verdict {
	if most := e.terms.InputBytes; int64(len(e.request.Inputs)) > most {
		return &verdict{status: job.LimitExceeded, limit: job.LimitInputs, failure: fault("LimitExceeded",
			"the inputs have "+policy.Size(len(e.request.Inputs)).String()+", the policy allows "+policy.Size(most).String()+": put large data into a bundle")}
	}
	return refuseSource(e.request.Code, e.terms.Limits.CodeBytes)
}

func refuseSource(code []byte, most int64) *verdict {
	refuse := func(rule, message string, line int) *verdict {
		return &verdict{status: job.Rejected, violations: []job.Violation{{Rule: rule, Line: line, Column: 1, Message: message}}}
	}
	lineOf := func(offset int) int { return 1 + bytes.Count(code[:offset], []byte("\n")) }
	if int64(len(code)) > most {
		return &verdict{status: job.LimitExceeded, limit: job.LimitCode, failure: fault("LimitExceeded",
			"the script has "+policy.Size(len(code)).String()+", the policy allows "+policy.Size(most).String()+": split it, or read data from the bundle instead of writing it into the script")}
	}
	if len(bytes.TrimSpace(code)) == 0 {
		return refuse("source.empty", "the script is empty", 1)
	}
	if at := bytes.IndexByte(code, 0); at >= 0 {
		return refuse("source.nul", "the script has a NUL byte: is it a text file?", lineOf(at))
	}
	if at := invalidUTF8(code); at >= 0 {
		return refuse("source.encoding", "the script is not valid UTF-8: save it as UTF-8", lineOf(at))
	}
	return nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(code []byte) int {
	for offset := 0; offset < len(code); {
		r, size := utf8.DecodeRune(code[offset:])
		if r == utf8.RuneError && size == 1 {
			return offset
		}
		offset += size
	}
	return -1
}
