package seccomp

import (
	_ "embed"
	"strings"
	"sync"
)

// dockerTable lists what Docker's default profile allows; its head names its
// source and licence.
//
//go:embed docker_default.tsv
var dockerTable string

var dockerCalls = sync.OnceValue(func() map[string]bool {
	calls := map[string]bool{}
	for line := range strings.Lines(dockerTable) {
		if !strings.HasPrefix(line, "#") {
			calls[strings.Fields(line)[0]] = true
		}
	}
	return calls
})

// DockerAllows reports whether Docker's default profile (20.10, Docker's default
// capabilities) lets the named call through, with some arguments at least.
func DockerAllows(name string) bool { return dockerCalls()[name] }

// Comparison sets a profile beside Docker's default one, over the calls of one
// architecture.
type Comparison struct {
	Known       int // calls in this package's table
	Allowed     int // by the profile, with some arguments at least
	Docker      int // by Docker's default profile
	OnlyProfile []string
}

// CompareWithDocker counts what the profile and Docker's default allow on arch, and
// names what only the profile does.
func (p *Profile) CompareWithDocker(arch Arch) Comparison {
	var result Comparison
	for _, name := range Names(arch) {
		action, _ := p.Outcome(arch, name)
		result.Known++
		if DockerAllows(name) {
			result.Docker++
		}
		if action != Allow {
			continue
		}
		result.Allowed++
		if !DockerAllows(name) {
			result.OnlyProfile = append(result.OnlyProfile, name)
		}
	}
	return result
}
