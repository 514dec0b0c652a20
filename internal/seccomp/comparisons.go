package seccomp

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"golang.org/x/net/bpf"
)

// comparison is of a word of 32 bits: it holds when the bits of mask are value.
type comparison struct{ mask, value uint32 }

func (c comparison) holds(word uint32) bool { return word&c.mask == c.value }

// comparisons are those that decide a call, by the offset of their word in struct
// seccomp_data.
type comparisons map[uint32][]comparison

func (cs comparisons) add(offset uint32, c comparison) {
	decides := c.mask != 0 && c.value&^c.mask == 0 // the others always have one outcome
	if decides && !slices.Contains(cs[offset], c) {
		cs[offset] = append(cs[offset], c)
	}
}

// firstArgument is the offset of the arguments, eight bytes each, the low word first.
const firstArgument = 16

// arguments returns one set of arguments for each outcome that the comparisons of a call,
// the program's and the profile's, can have together.
func (p *Profile) arguments(through ways, call Call) ([][6]uint64, error) {
	found, err := through.compared(call)
	if err != nil {
		return nil, err
	}
	for _, rule := range p.byName[callName(call.Arch, call.Number)] {
		for _, c := range rule.Conditions {
			offset := firstArgument + 8*uint32(c.Index)
			found.add(offset, comparison{uint32(c.Mask), uint32(c.Value)})
			found.add(offset+4, comparison{uint32(c.Mask >> 32), uint32(c.Value >> 32)})
		}
	}
	return found.arguments()
}

// maxOutcomes bounds the work for one call. No sound profile comes near it.
const maxOutcomes = 1 << 14

var errOutcomes = fmt.Errorf("its conditions have more than %d outcomes together", maxOutcomes)

func (cs comparisons) arguments() ([][6]uint64, error) {
	all := [][6]uint64{{}}
	for offset, of := range cs {
		words, err := tellingApart(of)
		if err != nil || len(all)*len(words) > maxOutcomes {
			return nil, errOutcomes
		}
		var next [][6]uint64
		for _, args := range all {
			for _, word := range words {
				made, at := args, offset-firstArgument
				made[at/8] |= uint64(word) << (at % 8 * 8)
				next = append(next, made)
			}
		}
		all = next
	}
	return all, nil
}

// tellingApart returns words of which each meets other ones of the comparisons: for all
// that can hold at once, one with which these hold and, if one of two ways to choose its
// other bits has it so, no others.
func tellingApart(of []comparison) ([]uint32, error) {
	together := map[comparison]bool{{}: true}
	for _, c := range of {
		for _, with := range slices.Collect(maps.Keys(together)) {
			if (with.value^c.value)&with.mask&c.mask == 0 {
				together[comparison{with.mask | c.mask, with.value | c.value}] = true
			}
		}
		if len(together) > maxOutcomes {
			return nil, errOutcomes
		}
	}
	lowest := bits.TrailingZeros32
	highest := func(free uint32) int { return bits.Len32(free) - 1 }
	var words []uint32
	outcomes := map[string]bool{}
	for met := range together {
		for _, pick := range []func(uint32) int{lowest, highest} {
			word := missing(of, met, pick)
			if outcome := outcomeOf(of, word); !outcomes[outcome] {
				outcomes[outcome] = true
				words = append(words, word)
			}
		}
	}
	return words, nil
}

// missing returns a word that has met's bits and misses the comparisons that these leave
// open, each by one bit, of those that are still free the one that pick chooses.
func missing(of []comparison, met comparison, pick func(uint32) int) uint32 {
	for _, c := range of {
		missed := (met.value^c.value)&met.mask&c.mask != 0
		if free := c.mask &^ met.mask; !missed && free != 0 {
			bit := uint32(1) << pick(free)
			met.mask |= bit
			met.value |= ^c.value & bit
		}
	}
	return met.value
}

func outcomeOf(of []comparison, word uint32) string {
	outcome := make([]byte, len(of))
	for i, c := range of {
		if c.holds(word) {
			outcome[i] = 1
		}
	}
	return string(outcome)
}

// The instructions that filters are made of (linux/bpf_common.h).
const (
	loadWord    = 0x20
	maskWord    = 0x54
	jump        = 0x05
	jumpEqual   = 0x15
	jumpGreater = 0x25
	jumpAtLeast = 0x35
	giveAnswer  = 0x06
)

// register is what a program holds when it is at an instruction: the bits of mask of the
// word at offset.
type register struct {
	offset, mask uint32
	reached      bool
	mixed        bool // it depends on the way to the instruction what it is
}

func (r *register) join(other register) {
	if r.reached {
		other.mixed = other.mixed || r.mixed || *r != other
	}
	*r = other
}

// errMixed is what libseccomp 2.5 makes of some profiles, see verify.
var errMixed = errors.New("it compares one word or another, as the way to it has it: a fault of libseccomp's")

// ways are those that calls can take through a program, which only jumps forward and has
// no way out of itself.
type ways struct {
	program []bpf.RawInstruction
	held    []register // at each instruction, of the call that is followed
}

func waysThrough(program []bpf.RawInstruction) ways {
	return ways{program, make([]register, len(program))}
}

// compared follows all ways of one call.
func (w ways) compared(call Call) (comparisons, error) {
	found, held := comparisons{}, w.held
	clear(held)
	held[0].reached = true
	for at, i := range w.program {
		now := held[at]
		if !now.reached {
			continue
		}
		switch i.Op {
		case giveAnswer:
		case loadWord:
			held[at+1].join(register{offset: i.K, mask: ^uint32(0), reached: true})
		case maskWord:
			now.mask &= i.K
			held[at+1].join(now)
		case jump:
			held[at+1+int(i.K)].join(now)
		case jumpEqual, jumpGreater, jumpAtLeast:
			met, missed, err := found.compare(now, i, call)
			if err != nil {
				return nil, fmt.Errorf("instruction %d: %w", at, err)
			}
			if met {
				held[at+1+int(i.Jt)].join(now)
			}
			if missed {
				held[at+1+int(i.Jf)].join(now)
			}
		default:
			return nil, fmt.Errorf("instruction %d has the unknown code %#x", at, i.Op)
		}
	}
	return found, nil
}

// compare tells which ways lead on from a jump. Those of what is known, the number and the
// architecture, are never both.
func (cs comparisons) compare(held register, i bpf.RawInstruction, call Call) (met, missed bool, err error) {
	if held.mixed {
		return false, false, errMixed
	}
	known := [2]uint32{call.Number, token(call.Arch)}
	switch {
	case held.mask == 0:
		met = jumps(i, 0)
		return met, !met, nil
	case held.offset < 8:
		met = jumps(i, known[held.offset/4]&held.mask)
		return met, !met, nil
	case held.offset < firstArgument:
		return false, false, errors.New("looks at where the call was made")
	case i.Op != jumpEqual:
		return false, false, errors.New("compares an argument otherwise than for equality")
	}
	cs.add(held.offset, comparison{held.mask, i.K})
	return true, true, nil
}

func jumps(i bpf.RawInstruction, word uint32) bool {
	switch i.Op {
	case jumpEqual:
		return word == i.K
	case jumpGreater:
		return word > i.K
	default:
		return word >= i.K
	}
}
