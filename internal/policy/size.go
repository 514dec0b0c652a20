package policy

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"github.com/dustin/go-humanize"
)

// Size is a number of bytes, written as "512MiB".
type Size int64

// UnmarshalText reads what ParseSize does.
func (s *Size) UnmarshalText(text []byte) error {
	size, err := ParseSize(string(text))
	*s = Size(size)
	return err
}

var sizePattern = regexp.MustCompile(`^([0-9]{1,19}(?:\.[0-9]{1,9})?) ?([A-Za-z]*)$`)

// ParseSize reads a number above zero with a unit: B, KiB, MiB, GiB or TiB, or Docker's
// k, m, g and t, which are the same. Letters may be large or small. It refuses what is
// two sizes to two readers: 512 alone, which is bytes or megabytes, and 512MB, which is
// 1000² to some programs and 1024² to Docker.
func ParseSize(text string) (int64, error) {
	found := sizePattern.FindStringSubmatch(text)
	if found == nil {
		return 0, sizeFault(text, "")
	}
	unit := strings.ToLower(found[2])
	switch unit {
	case "":
		return 0, sizeFault(text, " (512 alone could be bytes or megabytes)")
	case "kb", "mb", "gb", "tb":
		return 0, sizeFault(text, fmt.Sprintf(" (%s is a power of 1000 to some programs, and of 1024 to Docker)", found[2]))
	}
	power := strings.Index("bkmgt", unit[:1])
	if power < 0 || len(unit) > 1 && (power == 0 || unit[1:] != "i" && unit[1:] != "ib") {
		return 0, sizeFault(text, "")
	}
	bytes, _ := new(big.Rat).SetString(found[1]) // the pattern's digits are a number
	bytes.Mul(bytes, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(10*power))))
	if !bytes.IsInt() || bytes.Sign() == 0 || !bytes.Num().IsInt64() {
		return 0, sizeFault(text, "")
	}
	return bytes.Num().Int64(), nil
}

func sizeFault(text, why string) error {
	return fmt.Errorf("size %q: want a number above zero with a unit, for example 512MiB, 512m or 1G%s", text, why)
}

// String writes the size in powers of 1024, for messages.
func (s Size) String() string { return humanize.IBytes(uint64(max(s, 0))) }
