package wire

import (
	"bytes"
	"errors"
	"io"

	"hotcell/internal/strictjson"
)

// MaxViolations is how many a report may list: ten times what the guard sends.
const MaxViolations = 1000

// MaxWarnings is how many a report may list: twice what the guard sends.
const MaxWarnings = 40

// Bounds of a report's shape, which its bytes do not bound: a few bytes of JSON
// become many of memory, or of indented text.
const (
	maxDepth  = 128     // the guard converts 64 levels at most
	maxFiles  = 100_000 // the most that a policy can allow
	maxCharts = 1000    // likewise
	// maxNames is how many names all objects may have together. Readers that refuse a
	// name that appears twice keep a hundred bytes for each.
	maxNames = 500_000
	// maxIndent is how deep all values may be together: each level is two bytes of what
	// --json prints, in front of every value.
	maxIndent = 16 << 20
)

// checkShape reads what the guard says in JSON once, token by token, before it is decoded.
// The error names no value of it.
func checkShape(payload []byte, what string) error {
	most := map[string]int64{"files": maxFiles, "charts": maxCharts, "violations": MaxViolations, "warnings": MaxWarnings}
	decoder := strictjson.NewDecoder(bytes.NewReader(payload))
	member := ""
	names, indent := 0, 0
	for {
		token, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return protocolError(BreachJSON, "%s is not valid JSON", what)
		}
		depth := decoder.StackDepth()
		if depth > maxDepth {
			return protocolError(BreachShape, "%s is nested deeper than %d levels", what, maxDepth)
		}
		if kind, values := decoder.StackIndex(depth); kind == '{' && values%2 == 1 {
			names++
		}
		if indent += depth; indent > maxIndent || names > maxNames {
			return protocolError(BreachShape, "%s has more names, or more values within others, than can be held", what)
		}
		switch depth {
		case 1:
			if _, values := decoder.StackIndex(1); values%2 == 1 && token.Kind() == '"' {
				member = token.String()
			}
		case 2:
			if kind, values := decoder.StackIndex(2); kind == '[' && most[member] > 0 && values > most[member] {
				return protocolError(BreachShape, "%s lists more than %d %s", what, most[member], member)
			}
		}
		if token.Kind() == '0' {
			if err := strictjson.CheckNumber(token.String()); err != nil {
				return protocolError(BreachShape, "%s: %s", what, err)
			}
		}
	}
}
