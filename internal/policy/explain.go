package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/wire"
)

// Explanation says a policy in words. Every line is computed from the policy.
type Explanation struct {
	Name        string     `json:"name"`
	Description string     `json:"description"`
	SHA256      digest.Hex `json:"sha256"`
	Sections    []Section  `json:"sections"`
	Weaker      []Weakness `json:"weaker_than_baseline"`
}

// Section is one part of an explanation. Lines are sentences or short lists.
type Section struct {
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

// Explain says what p allows and forbids, and in what it is weaker than the
// baseline.
func Explain(p Policy) (Explanation, error) {
	base, err := baseline()
	if err != nil {
		return Explanation{}, err
	}
	floor, err := loadedFloor()
	if err != nil {
		return Explanation{}, err
	}
	return Explanation{
		Name: p.Name, Description: p.Description, SHA256: p.SHA256,
		Sections: []Section{
			{"The code finds", p.finds()},
			{"The code may import", p.mayImport()},
			{"The code is refused", p.refuses(floor)},
			{"It runs within", p.Limits.words()},
			{"It is isolated by", p.Isolation.words(p.Image)},
			{"What comes out", p.Output.words(p)},
			{"On the host it may call", p.Tools.words()},
			{"Its data", p.Attestation.words()},
			{"Disclosure", p.Disclosure.words()},
			{"Sessions", p.Session.words()},
			{"What is recorded", p.Record.words(p)},
		},
		Weaker: weaknesses(p, base),
	}, nil
}

func (p Policy) finds() []string {
	lines := []string{"DATA, the directory of the run's bundle, read-only, and a DataFrame for each of its tables", "OUTPUT, an empty directory, which is also its working directory"}
	if tables := p.Guard.RequiredTables; len(tables) > 0 {
		lines = append(lines, "always the table "+strings.Join(tables, ", ")+": a run whose bundle lacks it is refused")
	}
	switch p.Guard.Inputs {
	case wire.InputsData:
		lines = append(lines, fmt.Sprintf("data, a dict with the request's inputs, at most %s as JSON", p.Limits.Inputs))
	case wire.InputsContext:
		lines = append(lines, fmt.Sprintf("context, with the request's inputs, steps and config, at most %s as JSON, and tools", p.Limits.Inputs))
	case wire.InputsNames:
		lines = append(lines, fmt.Sprintf("a variable for each of the request's inputs, at most %s as JSON, a function for each tool, and final_answer(value), which ends the run", p.Limits.Inputs))
	default:
		lines = append(lines, "no inputs: a request may bring code only")
	}
	if len(p.Guard.Preloaded) > 0 {
		lines = append(lines, "without importing it: "+strings.Join(p.preloaded(), ", "))
	}
	return lines
}

func (p Policy) preloaded() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(p.Guard.Preloaded)) {
		if module := p.Guard.Preloaded[name]; module != name {
			name += " (" + module + ")"
		}
		all = append(all, name)
	}
	return all
}

func (p Policy) mayImport() []string {
	if p.Guard.Mode == GuardOff {
		return []string{"whatever the image has: the guard is off"}
	}
	if slices.Contains(p.Guard.DeniedSyntax, "Import") && slices.Contains(p.Guard.DeniedSyntax, "ImportFrom") {
		return []string{"nothing: the import statement itself is refused"}
	}
	if len(p.Guard.Imports) == 0 {
		return []string{"nothing"}
	}
	lines := []string{fmt.Sprintf("these %s by exact name, and of each what it documents as public:", count(len(p.Guard.Imports), "module"))}
	return append(lines, grouped(p.Guard.Imports)...)
}

// grouped sorts modules by package: first those without submodules, then a line
// for each package.
func grouped(modules []string) []string {
	below := map[string][]string{}
	for _, module := range modules {
		first, rest, _ := strings.Cut(module, ".")
		below[first] = append(below[first], rest)
	}
	var single, lines []string
	for _, first := range slices.Sorted(maps.Keys(below)) {
		names := below[first]
		if slices.Equal(names, []string{""}) {
			single = append(single, first)
			continue
		}
		lines = append(lines, packageLine(first, names))
	}
	if single != nil {
		lines = append([]string{strings.Join(single, ", ")}, lines...)
	}
	return lines
}

func packageLine(name string, below []string) string {
	itself := slices.Contains(below, "")
	below = slices.DeleteFunc(slices.Clone(below), func(one string) bool { return one == "" })
	if !itself {
		return fmt.Sprintf("%s, not itself but its %s", name, strings.Join(below, ", "))
	}
	return fmt.Sprintf("%s with its %s", name, strings.Join(below, ", "))
}

func (p Policy) refuses(floor importFloor) []string {
	if p.Guard.Mode == GuardOff {
		return []string{"nothing: the guard is off, for probes of the container; a run needs --allow-unguarded, and its record says so"}
	}
	lines := []string{
		"before it runs, by vetting, with all findings at once: every import that is not listed above, syntax that nobody has classified, interpreter internals",
		fmt.Sprintf("whatever a policy says: %s and %s with all below them, such as os, sys, subprocess, socket, ctypes and pickle", count(len(floor.Denied), "module"), count(len(floor.DeniedSubmodules), "submodule")),
	}
	for _, more := range []struct {
		what  string
		names []string
	}{{"this syntax", p.Guard.DeniedSyntax}, {"these builtins", p.Guard.DeniedBuiltins}, {"these attributes", p.Guard.DeniedAttributes}} {
		if len(more.names) > 0 {
			lines = append(lines, more.what+": "+strings.Join(more.names, ", "))
		}
	}
	return lines
}

func (l Ceilings) words() []string {
	lines := []string{
		fmt.Sprintf("memory %s with swap off, files in /tmp and OUTPUT included; %d processes and threads; %s CPU", l.Memory, l.PIDs, cpus(l.resolved().CPUMillis)),
		fmt.Sprintf("wall clock %s; CPU time %s of all processes together; %d open files", l.WallClock, l.CPUTime, l.OpenFiles),
		fmt.Sprintf("code %s; /tmp %s; OUTPUT %s in %d files and directories", l.Code, l.Scratch, l.OutputBytes, l.OutputFiles),
		fmt.Sprintf("stdout %s; stderr %s; result, charts and manifest together %s", l.Stdout, l.Stderr, l.Report),
	}
	return append(lines, budgetWords("operations", l.Operations), budgetWords("loop iterations", l.LoopIterations))
}

func budgetWords(what string, most int64) string {
	if most == 0 {
		return what + " are not counted, unless the request asks for it"
	}
	return fmt.Sprintf("%d %s", most, what)
}

func (i Isolation) words(image string) []string {
	lines := []string{
		fmt.Sprintf("a container of its own, made from the image %s by digest, without a network", image),
		i.Warm.words(),
		"the seccomp profile " + i.Seccomp,
		"required of the host: " + strings.Join(without(container.Controls(), i.MayLack()), ", "),
	}
	if optional := i.MayLack(); len(optional) > 0 {
		lines = append(lines, "used where the host has it, and recorded: "+strings.Join(optional, ", "))
	}
	return lines
}

func (w Warm) words() string {
	if w == WarmAllowed {
		return "a sandbox that is used once, but may have been there before the run: its Python is then forked from a template that has imported its packages and loaded the bundle's tables, and its memory is laid out as in other runs of that template: an address that a script learns in one of them is the same in the others"
	}
	return "a sandbox that is made for the run and used once: its Python starts anew, with a memory layout that it shares with no other run"
}

func (o Output) words(p Policy) []string {
	answers := map[AnswerForm]string{
		AnswerStdout: "what the code prints", AnswerResult: "its result, or the value of its last expression, as text",
		AnswerChart: "output and chart of its result, or what it prints",
		AnswerLast:  "the value of its last expression, or what its last statement has assigned, as text",
	}
	full := "is cut at its limit, and marked"
	if o.WhenStdoutIsFull == OverflowEnd {
		full = "ends the run at its limit"
	}
	return []string{
		"the answer: " + answers[o.Answer],
		"stdout " + full,
		fmt.Sprintf("files that the host has verified, with at most %d names in their path, of these types: %s", o.MaxDepth, strings.Join(o.MediaTypes, ", ")),
		o.OnUnacceptedFile.words(),
		o.PictureMetadata.words(),
		fmt.Sprintf("at most %d figures of matplotlib and plotly together", p.Guard.MaxFigures),
	}
}

func (u Unaccepted) words() string {
	if u == UnacceptedDrop {
		return "a file of another type, or of content that cannot leave, stays behind, in quarantine and with a warning, and costs the others nothing"
	}
	return "a file of another type, or of content that cannot leave, costs the run all its files"
}

func (m PictureMetadata) words() string {
	if m == PictureMetadataRefuse {
		return "a PNG or JPEG picture that says more than its pixels (who made it, when, by what) cannot leave"
	}
	return "what a PNG or JPEG picture says beside its pixels (who made it, when, by what) is taken out before it leaves"
}

func (t *Tools) words() []string {
	if t == nil {
		return []string{"nothing"}
	}
	lines := []string{fmt.Sprintf("%d times at most in one script, refused calls included; each for %s at most, with %s of parameters and %s of answer", t.MaxCalls, t.CallTimeout, t.Params, t.Answer)}
	for _, name := range t.Allowed {
		lines = append(lines, t.origin(name))
	}
	return lines
}

func (t *Tools) origin(name string) string {
	if name == "*" {
		return "every tool that the caller of the run brings"
	}
	for _, tool := range t.Registry {
		if tool.Name == name {
			return fmt.Sprintf("%s: the host runs %q", name, tool.Command)
		}
	}
	return name + ": the caller of the run brings it"
}

func (a *Attestation) words() []string {
	if a == nil {
		return []string{"any bundle, whatever is attested of it and whether that has ended"}
	}
	words := []string{"bundles that were de-identified by " + strings.Join(a.Methods, ", ")}
	if len(a.Studies) > 0 {
		words = append(words, "only of the study "+strings.Join(a.Studies, " or "))
	}
	if len(a.Signers) > 0 {
		words = append(words, "only where one of these keys has signed what is attested: "+strings.Join(a.Signers, ", "))
	}
	if a.ValidUntil == ValidUntilRequired {
		words = append(words, "only where the attestation says when it ends")
	}
	if a.Expired == ExpiredAccept {
		return append(words, "also when the attestation has ended")
	}
	return append(words, "not any more when the attestation has ended")
}

func (d *Disclosure) words() []string {
	if d == nil {
		return []string{"nobody looks at what leaves for what it may tell of a person"}
	}
	becomes := "the result says that somebody should look at it"
	if d.Mode != DisclosureFlag {
		becomes = "the run is rejected, and its output stays in quarantine"
	}
	return []string{
		fmt.Sprintf("what leaves is looked at for counts below %d, tables of more than %d rows, %d or more rows of the bundle, its identifiers, and what looks like one", d.MinCell, d.MaxRows, d.CopiedRows),
		"of a finding " + becomes,
	}
}

func (s *Session) words() []string {
	if s == nil {
		return []string{"none: each sandbox runs one script"}
	}
	words := []string{fmt.Sprintf("%d scripts at most in one sandbox, %s from start to end, %s between two scripts", s.MaxSteps, s.WallClock, s.Idle)}
	if s.CPUTime != 0 {
		words = append(words, fmt.Sprintf("CPU time %s of all scripts together", s.CPUTime))
	}
	return words
}

func (r Record) words(p Policy) []string {
	code := map[KeepCode]string{
		KeepCodeOnSuccess: "the code, after success", KeepCodeAlways: "the code, always",
		KeepCodeNever: "not the code: its sha256 only",
	}
	return append([]string{
		"the result, the verified files, who and what made them: policy, image and bundle by digest, engine, kernel, controls",
		code[r.KeepCode],
		"this policy as sha256 " + string(p.SHA256),
	}, r.Retention.words()...)
}

func (r *Retention) words() []string {
	words := []string{}
	for _, part := range r.Parts() {
		words = append(words, fmt.Sprintf("`runner gc` deletes %s: what is %s", part.What, part.Keep))
	}
	if len(words) == 0 {
		words = append(words, "nothing is deleted by `runner gc`")
	}
	return words
}

func count(number int, noun string) string {
	if number == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", number, noun)
}
