package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// knob is one limit of a policy's that an administrator can tighten for this host.
type knob struct {
	key   string
	want  string // what a value looks like
	parse func(text string) (int64, error)
	show  func(int64) string
	get   func(*Policy) int64
	set   func(*Policy, int64)
	least int64 // below it no run starts
	up    bool  // tightening is more of it
}

// knobs are all there are. What a policy keeps as evidence is tightened by keeping more.
func knobs() []knob {
	return []knob{
		timeKnob("wall_clock", func(p *Policy) *time.Duration { return &p.Limits.WallClock }),
		sizeKnob("memory", minMemory, func(p *Policy) *Size { return &p.Limits.Memory }),
		numberKnob("pids", minPIDs, func(p *Policy) *int64 { return &p.Limits.PIDs }),
		sizeKnob("stdout", 1, func(p *Policy) *Size { return &p.Limits.Stdout }),
		sizeKnob("stderr", 1, func(p *Policy) *Size { return &p.Limits.Stderr }),
		sizeKnob("output_bytes", 1, func(p *Policy) *Size { return &p.Limits.OutputBytes }),
		numberKnob("output_files", 1, func(p *Policy) *int64 { return &p.Limits.OutputFiles }),
		figuresKnob(), codeKnob(),
	}
}

func timeKnob(key string, of func(*Policy) *time.Duration) knob {
	return knob{
		key: key, want: "a time such as 60s", least: 1,
		parse: func(text string) (int64, error) {
			value, err := time.ParseDuration(text)
			return int64(value), err
		},
		show: func(value int64) string { return time.Duration(value).String() },
		get:  func(p *Policy) int64 { return int64(*of(p)) },
		set:  func(p *Policy, value int64) { *of(p) = time.Duration(value) },
	}
}

func sizeKnob(key string, least int64, of func(*Policy) *Size) knob {
	return knob{
		key: key, want: "a size such as 256MiB or 256m", least: least, parse: ParseSize,
		show: func(value int64) string { return Size(value).String() },
		get:  func(p *Policy) int64 { return int64(*of(p)) },
		set:  func(p *Policy, value int64) { *of(p) = Size(value) },
	}
}

func numberKnob(key string, least int64, of func(*Policy) *int64) knob {
	return knob{
		key: key, want: "a whole number such as 32", least: least, parse: wholeNumber,
		show: func(value int64) string { return strconv.FormatInt(value, 10) },
		get:  func(p *Policy) int64 { return *of(p) },
		set:  func(p *Policy, value int64) { *of(p) = value },
	}
}

func figuresKnob() knob {
	one := numberKnob("figures", 0, nil)
	one.get = func(p *Policy) int64 { return int64(p.Guard.MaxFigures) }
	one.set = func(p *Policy, value int64) { p.Guard.MaxFigures = int(value) }
	return one
}

// codeKnob is record.keep_code. Code that is not kept leaves only its sha256 to say what
// ran: an administrator's choice can keep more than the policy does, and not less.
func codeKnob() knob {
	choices := []string{string(KeepCodeNever), string(KeepCodeOnSuccess), string(KeepCodeAlways)}
	return knob{
		key: "keep_code", want: "on_success or always", up: true,
		parse: func(text string) (int64, error) {
			index := slices.Index(choices, text)
			if index < 0 {
				return 0, strconv.ErrSyntax
			}
			return int64(index), nil
		},
		show: func(value int64) string { return choices[value] },
		get:  func(p *Policy) int64 { return int64(kept[p.Record.KeepCode]) },
		set:  func(p *Policy, value int64) { p.Record.KeepCode = KeepCode(choices[value]) },
	}
}

// wholeNumber reads decimal digits only: of 010 and 1_000 programs make different numbers.
func wholeNumber(text string) (int64, error) {
	if text != "0" && (text == "" || text[0] < '1' || text[0] > '9') {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(text, 10, 64)
}

func findKnob(key string) (knob, bool) {
	all := knobs()
	index := slices.IndexFunc(all, func(one knob) bool { return one.key == key })
	if index < 0 {
		return knob{}, false
	}
	return all[index], true
}

func knobKeys() string {
	var keys []string
	for _, one := range knobs() {
		keys = append(keys, one.key)
	}
	return strings.Join(keys, ", ")
}

// tighten has the value take the place of a policy's own limit, which may be tighter by
// another setting. own is the policy as its file has it.
func (k knob) tighten(own Policy, to *Policy, text string) error {
	value, err := k.parse(text)
	if err != nil {
		return fmt.Errorf("it is %q: want %s", text, k.want)
	}
	limit := k.get(&own)
	switch {
	case value < k.least:
		return fmt.Errorf("%s is too little: give it at least %s", k.show(max(value, 0)), k.show(k.least))
	case !k.up && value > limit:
		return fmt.Errorf("%s is above the %s of policy %s: it can only tighten", k.show(value), k.show(limit), own.Name)
	case k.up && value < limit:
		return fmt.Errorf("%s keeps less than the %s of policy %s: it can only tighten", k.show(value), k.show(limit), own.Name)
	}
	if current := k.get(to); !k.up && value < current || k.up && value > current {
		k.set(to, value)
	}
	return nil
}
