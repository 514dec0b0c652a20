package disclosure

import (
	"bytes"
	"context"
	"io"

	"hotcell/internal/identifiers"
)

// patterns looks for identifiers in a text.
func (l *looker) patterns(_ context.Context, from io.Reader) error {
	return eachPiece(from, l.patternsIn)
}

func (l *looker) patternsIn(line int64, piece []byte) {
	for _, ours := range l.options.Ours {
		if bytes.Contains(piece, []byte(ours)) {
			piece = bytes.ReplaceAll(piece, []byte(ours), bytes.Repeat([]byte("_"), len(ours)))
		}
	}
	var found map[identifiers.Class]int64
	identifiers.Find(piece, func(class identifiers.Class, _, _ int) bool {
		if found == nil {
			found = map[identifiers.Class]int64{}
		}
		found[class]++
		return true
	})
	if found != nil {
		l.found(line, found)
	}
}

func (l *looker) found(line int64, times map[identifiers.Class]int64) {
	for _, info := range identifiers.Classes() {
		if times[info.Class] > 0 {
			l.find(RulePattern+string(info.Class), line, 0, times[info.Class], "it looks like %s", info.One)
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
