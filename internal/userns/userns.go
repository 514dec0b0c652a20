// Package userns runs a program as root of a user namespace of its own, for a user
// without root.
//
// It decides which ids of the namespace stand for which of the user's: the user is
// root in it, and all other ids are the user's subordinate ones. So programs that need
// root and several owners (mmdebstrap, tar, mounts) work, and what they leave belongs
// to the user. It gives the user no new right: the kernel judges every access to the
// host by the ids outside. It does not decide what is run; only
// cmd/runner calls it, to build an image.
package userns

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// enough is how many subordinate ids are needed: 1 to 65535, of which Debian's packages
// use up to 65534.
const enough = 65535

// idRange is a line of /etc/subuid or /etc/subgid.
type idRange struct{ first, count uint64 }

// owned returns the ranges in a file as subuid(5) has it that belong to one of the
// owners, a name and a number of the same user. What it cannot read gives nothing:
// newuidmap has the last word on every range.
func owned(content []byte, owners ...string) []idRange {
	var found []idRange
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		parts := strings.Split(strings.TrimSpace(lines.Text()), ":")
		if len(parts) != 3 {
			continue
		}
		first, err := strconv.ParseUint(parts[1], 10, 32)
		if err != nil {
			continue
		}
		count, err := strconv.ParseUint(parts[2], 10, 32)
		if err != nil || count == 0 {
			continue
		}
		for _, owner := range owners {
			if owner != "" && parts[0] == owner {
				found = append(found, idRange{first, count})
				break
			}
		}
	}
	return found
}

// mapping returns the arguments of newuidmap(1) that make the user root and map all
// other numbers to the user's ranges, one after the other.
func mapping(user int, ranges []idRange) (arguments []string, err error) {
	arguments = []string{"0", strconv.Itoa(user), "1"}
	next := uint64(1)
	for _, given := range ranges {
		count := min(given.count, enough+1-next)
		if count == 0 {
			break
		}
		arguments = append(arguments, strconv.FormatUint(next, 10), strconv.FormatUint(given.first, 10), strconv.FormatUint(count, 10))
		next += count
	}
	if next <= enough {
		return nil, fmt.Errorf("%d subordinate ids instead of %d", next-1, enough)
	}
	return arguments, nil
}
