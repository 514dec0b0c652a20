package disclosure

import (
	"regexp"
	"strconv"
	"strings"
)

// Counts as the first table of a paper has them, with their shares: 3 (7.0%), 3/43 (7%), 7.0% (3).
var (
	shareBehind = regexp.MustCompile(`(?:^|[\s|:;=(\["'])(\d{1,9})(?: ?/ ?\d{1,9})? ?\( ?\d{1,3}(?:[.,]\d+)? ?(%?) ?\)`)
	shareBefore = regexp.MustCompile(`^\d{1,3}(?:[.,]\d+)? ?% ?\( ?(\d{1,9})(?: ?/ ?\d{1,9})? ?\)$`)
)

// withShare reads a cell that is a count with its share. named is true where a name says that it
// counts: without a percent sign, a mean with its deviation looks the same.
func withShare(cell string, named bool) (count int64, ok bool) {
	const longest = 48
	cell = strings.TrimSpace(cell)
	if len(cell) > longest || !strings.HasSuffix(cell, ")") {
		return 0, false
	}
	found := shareBefore.FindStringSubmatch(cell)
	if behind := shareBehind.FindStringSubmatch(cell); behind != nil && behind[0] == cell && (named || behind[2] != "") {
		found = behind
	}
	if found == nil {
		return 0, false
	}
	count, err := strconv.ParseInt(found[1], 10, 64)
	return count, err == nil
}

// sharesIn are the counts of a line with a share and its sign behind them.
func sharesIn(line []byte) (counts []int64) {
	for _, found := range shareBehind.FindAllSubmatch(line, -1) {
		if count, err := strconv.ParseInt(string(found[1]), 10, 64); err == nil && len(found[2]) > 0 {
			counts = append(counts, count)
		}
	}
	return counts
}
