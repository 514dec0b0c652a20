package policy

import (
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize"
)

// Size is a number of bytes, written as "512MiB".
type Size int64

// UnmarshalText reads a number with a unit: B, KiB, MiB, GiB, or KB, MB, GB in
// powers of 1000.
func (s *Size) UnmarshalText(text []byte) error {
	size, err := ParseSize(string(text))
	*s = Size(size)
	return err
}

// ParseSize reads what Size.UnmarshalText does, and refuses nothing, zero, and
// what does not fit.
func ParseSize(text string) (int64, error) {
	bytes, err := humanize.ParseBytes(text)
	if !strings.HasSuffix(strings.ToUpper(text), "B") || err != nil || bytes == 0 || bytes > math.MaxInt64 {
		return 0, fmt.Errorf("size %q: want a number above zero with a unit, for example 512MiB", text)
	}
	return int64(bytes), nil
}

// String writes the size in powers of 1024, for messages.
func (s Size) String() string { return humanize.IBytes(uint64(max(s, 0))) }
