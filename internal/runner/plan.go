package runner

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/answer"
	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

// Profile is a seccomp profile that has been read.
type Profile struct {
	// Digest of all that Compile reads: equal ones have equal Filters.
	Digest digest.Digest
	// Compile checks both stages and compiles them, which takes some milliseconds.
	Compile func() (Filters, error)
}

// Filters are the two stages of a seccomp profile.
type Filters struct {
	// Container is what the runtime loads before the guard's first instruction.
	Container *specs.LinuxSeccomp
	// ContainerProgram is Container in UserCode's form: what is forked from a template
	// loads it by itself. It is nil where nothing can be forked.
	ContainerProgram []byte
	// Template reads and checks what the runtime loads for a template, which takes some
	// milliseconds.
	Template func() (*specs.LinuxSeccomp, error)
	// UserCode is what the guard loads for all threads before the first byte of user
	// code is compiled: an array of struct sock_filter.
	UserCode []byte
}

// plan is everything about a run that digests decide. Runs share it at the same time,
// so that nothing in it changes once it is made.
type plan struct {
	spec    container.Spec // with the policy's own limits
	filters Filters        // but for Container, which is the spec's
	rules   wire.Rules
	answers answer.Rules
	data    *job.Data // what the bundle says of itself, or nil
	compare *compared // what the bundle has, where the policy has what leaves compared with it
}

// planKey has a digest of each thing that a plan is made of.
type planKey struct {
	policy, image, bundle, profile digest.Digest
	runtime                        string
	signers                        string // of the bundle's attestation, which the plan's data has
}

// planFor returns the plan of these, which a run before may have made. data is nil for
// a run without.
func (r *Runner) planFor(chosen policy.Policy, data *bundle.Bundle, runtime string) (*plan, error) {
	image, err := r.options.Image(chosen.Image)
	if err != nil {
		return nil, err
	}
	profile, err := r.options.Profile(chosen.Isolation.Seccomp)
	if err != nil {
		return nil, err
	}
	key := planKey{image: image, profile: profile.Digest, runtime: runtime}
	if key.policy, err = digestOf(chosen); err != nil {
		return nil, err
	}
	if data != nil {
		key.bundle, key.signers = data.Digest, fmt.Sprint(data.SignedBy)
	}
	if found := r.plans.get(key); found != nil {
		return found, nil
	}
	made, err := newPlan(key, chosen, profile)
	if err == nil {
		made.data, made.compare = dataOf(data), newCompared(data)
		r.plans.put(key, made)
	}
	return made, err
}

// digestOf is of the policy as it is here, and not as its file's digest has it: a
// catalog may change what it gives, as a self-test's does.
func digestOf(chosen policy.Policy) (digest.Digest, error) {
	encoded, err := json.Marshal(chosen)
	if err != nil {
		return "", fmt.Errorf("encode policy %s: %w", chosen.Name, err)
	}
	return digest.Of(encoded), nil
}

func newPlan(key planKey, chosen policy.Policy, profile Profile) (*plan, error) {
	filters, err := profile.Compile()
	if err != nil {
		return nil, err
	}
	if len(filters.UserCode) == 0 { // the guard takes an empty one for none
		return nil, fmt.Errorf("seccomp profile %s has no stage for user code", chosen.Isolation.Seccomp)
	}
	terms, err := policy.Resolve(chosen, job.Overrides{})
	if err != nil {
		return nil, err
	}
	rules := guardRules(chosen)
	rules.Endings = output.Endings(chosen.Output.MediaTypes)
	return &plan{
		spec: container.Spec{
			Image: key.image, Bundle: key.bundle, Command: pythonanalysis.Command(), Environment: environment(terms.Limits),
			Seccomp: filters.Container, Runtime: key.runtime, Limits: terms.Limits, Optional: chosen.Isolation.MayLack(),
		},
		filters: filters, rules: rules,
		answers: answer.Rules{Form: chosen.Output.Answer, MaxFigures: chosen.Guard.MaxFigures, Stdout: terms.Limits.StdoutBytes},
	}, nil
}

// environment is that of every sandbox with these limits. The numbers of threads are
// those of the policy's limits, not of what a request has tightened: an idle sandbox has
// its environment already, and how a library divides its sums, and so their last digits,
// is the same for all requests.
func environment(limits job.Limits) []string {
	return pythonanalysis.Environment(container.ScratchDir, max(1, (limits.CPUMillis+999)/1000))
}

// requires reports whether no run of the plan goes without the control.
func (p *plan) requires(control string) bool { return !slices.Contains(p.spec.Optional, control) }

// dataOf is what a record says of a bundle beside its digest.
func dataOf(data *bundle.Bundle) *job.Data {
	if data == nil {
		return nil
	}
	manifest := data.Manifest
	attested := manifest.Deidentification
	return &job.Data{
		Name: manifest.Name, Version: manifest.BundleVersion, Study: manifest.Study,
		Deidentification: job.Deidentification{
			Method: string(attested.Method), AttestedBy: attested.AttestedBy, AttestedOn: attested.AttestedOn,
			Tool: attested.Tool, ValidUntil: attested.ValidUntil, Protocol: attested.Protocol, SignedBy: data.SignedBy,
		},
	}
}

// ruleReplaced is the rule of a warning: the script works on a table some of whose text was
// lost when its bundle was made.
const ruleReplaced = "bundle.encoding"

// replaced says of which tables some bytes were no text of their encoding.
func replaced(data *bundle.Bundle) []job.Violation {
	var told []job.Violation
	if data == nil {
		return nil
	}
	for _, file := range data.Manifest.Files {
		if encoding := file.Encoding; encoding != nil && encoding.Replaced > 0 {
			told = append(told, job.Violation{Rule: ruleReplaced, Path: file.Path, Message: fmt.Sprintf(
				"bytes that are no %s became U+FFFD in table %s: %d of them", encoding.Name, file.Table, encoding.Replaced)})
		}
	}
	return told
}

// maxPlans is far more than one host's policies and bundles in use at a time. A plan
// takes some tens of kilobytes.
const maxPlans = 64

// plans keeps the plans that were used last. It may be used concurrently.
type plans struct {
	mu   sync.Mutex
	kept []keptPlan // the one used last is the last
}

type keptPlan struct {
	key  planKey
	plan *plan
}

// get returns nil where there is none.
func (p *plans) get(key planKey) *plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	index := slices.IndexFunc(p.kept, func(one keptPlan) bool { return one.key == key })
	if index < 0 {
		return nil
	}
	found := p.kept[index]
	p.kept = append(slices.Delete(p.kept, index, index+1), found)
	return found.plan
}

// put keeps a plan, and forgets the one that was not used for the longest time.
func (p *plans) put(key planKey, made *plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = slices.DeleteFunc(p.kept, func(one keptPlan) bool { return one.key == key }) // of another run at the same time
	p.kept = append(p.kept, keptPlan{key, made})
	p.kept = slices.Delete(p.kept, 0, max(0, len(p.kept)-maxPlans))
}
