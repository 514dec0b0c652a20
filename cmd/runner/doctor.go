package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/container"
	"hotcell/internal/container/kubernetes"
	"hotcell/internal/doctor"
	"hotcell/internal/image"
	"hotcell/internal/policy"
	"hotcell/internal/seccomp"
)

const doctorHelp = `Show what this host can enforce, control by control and engine by engine; the versions
of what the runner relies on, with their known flaws; and what to do about each.

A version is compared with the upstream release of that number. A distribution may
have backported a fix without changing the number. The report says so for such a
version; the distribution's security tracker is authoritative.

With --engine kubernetes, a sandbox that runs nothing is made on each node of the cluster,
or on the --node that is named, and what it had there is shown.

With --policy, also show whether that policy can run here: the host must have every
control that the policy does not call optional.

Exit codes: 0 an engine can be used (and runs the policy), 1 none can, 2 usage,
125 the host could not be examined.`

// doctorOutput is what --json prints.
type doctorOutput struct {
	doctor.Report
	Policy *policyFit `json:"policy,omitempty"`
}

// policyFit says which engines have all that a policy requires.
type policyFit struct {
	Name  string              `json:"name"`
	Runs  []string            `json:"runs"`  // engines that can run it
	Lacks map[string][]string `json:"lacks"` // the others, with the controls that they lack
}

// doctorFlags is what the user gave `runner doctor`.
type doctorFlags struct{ policy, runtime, engine, node string }

func (a *app) doctorCommand() *cobra.Command {
	var flags doctorFlags
	command := &cobra.Command{
		Use:   "doctor [--policy NAME] [--engine NAME]",
		Short: "Show what this host can enforce, and what to do about the rest",
		Long:  doctorHelp,
		Example: `  runner doctor
  runner doctor --policy study-analysis --json
  runner doctor --engine kubernetes --node worker-1`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd, flags) },
	}
	a.addPolicy(command, &flags.policy, "", "also show whether this policy, by `name`, can run here")
	addRuntime(command, &flags.runtime)
	command.Flags().StringVar(&flags.engine, "engine", "", "`name` of an engine: kubernetes, for the nodes of a cluster instead of this host")
	complete(command, "engine", fixed(kubernetes.Name))
	command.Flags().StringVar(&flags.node, "node", "", "`name` of the one node to look at, with --engine kubernetes")
	return command
}

func (a *app) doctor(cmd *cobra.Command, flags doctorFlags) (err error) {
	ctx, name := cmd.Context(), flags.policy
	faults := &flagFaults{command: cmd}
	faults.refuse("engine", flags.engine != kubernetes.Name, kubernetes.Name+": what this host has is shown without it")
	faults.refuse("node", flags.node == "" || flags.engine != kubernetes.Name, "the name of a node, and goes with --engine kubernetes")
	if err := faults.usage(); err != nil {
		return err
	}
	leave, err := a.withoutState()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	var chosen *policy.Policy
	if name != "" {
		found, err := a.policies().Get(name)
		if err != nil {
			return usageError{err}
		}
		chosen = &found
	}
	settings, probed, err := a.examined(ctx, chosen, flags)
	if err != nil {
		return err
	}
	report, err := doctor.Examine(probed, ownComponents(), settings)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	output := doctorOutput{Report: report}
	if chosen != nil {
		output.Policy = fit(*chosen, report.Engines)
	}
	if err := a.printDoctor(output); err != nil {
		return err
	}
	if !output.well() {
		return exitError(1)
	}
	return nil
}

// staleImage is how long a full verification counts: what the check before each run
// cannot see should not stay unseen for longer.
const staleImage = 7 * 24 * time.Hour

// imageSettings tells when each image was last compared with its digest.
func (a *app) imageSettings(ctx context.Context) []doctor.Setting {
	if isNothing(a.nothingKept("images", "no image")) {
		return nil
	}
	store, err := a.images()
	if err != nil {
		return nil // the engines say why
	}
	images, err := store.List(ctx)
	if err != nil {
		return []doctor.Setting{{Name: "images", Value: "cannot be read", Advice: err.Error()}}
	}
	var settings []doctor.Setting
	for _, one := range images {
		if !store.Unpacked(one.Digest) {
			continue // every use of its layers compares them with their digests
		}
		settings = append(settings, imageSetting(one, store.VerifiedAt(one.Digest), time.Now()))
	}
	return settings
}

// imageSetting names an image whose name a newer one has by its digest's beginning.
func imageSetting(one image.Image, at, now time.Time) doctor.Setting {
	setting := doctor.Setting{Name: "image " + cmp.Or(one.Name, one.Digest.Short()), Value: "its seal names no full verification", Advice: "run `runner image verify`, and let a timer do it daily"}
	if at.IsZero() {
		return setting
	}
	setting.Value = "its seal says: fully verified " + at.Format(time.DateTime) + " UTC"
	if now.Sub(at) < staleImage {
		setting.Advice = ""
	}
	if current, err := image.Current(one); one.Name != "" && err == nil && !current {
		setting.Advice = "made by another version of the runner: run `runner image build`"
	}
	return setting
}

// probeEngines asks oci once for each runtime that is installed, unless the user
// names one, and docker. The error is a runtime that does not exist.
func (a *app) probeEngines(ctx context.Context, ociRuntime string) ([]doctor.Probed, error) {
	runtimes := installedRuntimes(exec.LookPath)
	if ociRuntime != "" {
		runtimes = []string{ociRuntime}
	}
	var all []doctor.Probed
	for _, name := range runtimes {
		probed := a.probe(ctx, "oci/"+name, "oci", name)
		if errors.Is(probed.Err, container.ErrUnknownRuntime) {
			return nil, usageError{probed.Err}
		}
		all = append(all, probed)
	}
	if len(runtimes) == 0 {
		all = append(all, a.probe(ctx, "oci", "oci", ""))
	}
	return append(all, a.probe(ctx, "docker", "docker", "")), nil
}

func (a *app) probe(ctx context.Context, shown, engine, ociRuntime string) doctor.Probed {
	probed := doctor.Probed{Name: shown}
	made, err := a.construct(engine, ociRuntime)
	if err == nil {
		probed.Host, err = made.Probe(ctx, ociRuntime)
	}
	probed.Err = err
	return probed
}

func installedRuntimes(lookPath func(string) (string, error)) []string {
	return slices.DeleteFunc([]string{"crun", "runc", "runsc"}, func(name string) bool {
		_, err := lookPath(name)
		return err != nil
	})
}

// ownComponents is what this program brings along.
func ownComponents() []container.Component {
	own := []container.Component{{Name: "go", Version: runtime.Version()}}
	if version := seccomp.LibraryVersion(); version != "" {
		own = append(own, container.Component{Name: "libseccomp", Version: version})
	}
	return own
}

func fit(chosen policy.Policy, engines []doctor.Engine) *policyFit {
	found := &policyFit{Name: chosen.Name, Runs: []string{}, Lacks: map[string][]string{}}
	for _, engine := range engines {
		lacking := slices.DeleteFunc(engine.Inactive(), func(control string) bool {
			return slices.Contains(chosen.Isolation.MayLack(), control)
		})
		switch {
		case !engine.Usable:
			found.Lacks[engine.Name] = []string{"engine"}
		case len(lacking) > 0:
			found.Lacks[engine.Name] = lacking
		default:
			found.Runs = append(found.Runs, engine.Name)
		}
	}
	return found
}

func (d doctorOutput) well() bool {
	if d.Policy != nil {
		return len(d.Policy.Runs) > 0
	}
	return slices.ContainsFunc(d.Engines, func(engine doctor.Engine) bool { return engine.Usable })
}

func (a *app) printDoctor(output doctorOutput) error {
	if a.json {
		return a.printJSON(output)
	}
	for _, engine := range output.Engines {
		printEngine(a.stdout, engine)
	}
	if err := printComponents(a.stdout, output.Report); err != nil {
		return err
	}
	printFindings(a.stdout, output.Findings)
	if err := printSettings(a.stdout, output.Settings); err != nil {
		return err
	}
	printFit(a.stdout, output.Policy)
	return nil
}

func printEngine(w io.Writer, engine doctor.Engine) {
	if !engine.Usable {
		fmt.Fprintf(w, "✗ engine %s: %s\n\n", engine.Name, printable(engine.Reason))
		return
	}
	fmt.Fprintf(w, "✓ engine %s (%s)\n", engine.Name, inLine(engine.Runtime))
	var active []string
	for _, control := range engine.Controls {
		if control.Active {
			active = append(active, control.Name)
		}
	}
	fmt.Fprint(w, wrapped("enforces "+strings.Join(active, ", ")))
	for _, control := range engine.Controls {
		switch {
		case !control.Active:
			fmt.Fprintf(w, "  lacks    %s: %s\n           → %s\n", control.Name, inLine(control.Detail), control.Remedy)
		case control.Detail != "":
			fmt.Fprintf(w, "  note     %s: %s\n", control.Name, inLine(control.Detail))
		}
	}
	fmt.Fprintln(w)
}

func printComponents(w io.Writer, report doctor.Report) error {
	fmt.Fprintln(w, "versions")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, component := range report.Components {
		note := "not compared: no advisories are kept for it"
		open := 0
		for _, finding := range report.Findings {
			if finding.Component == component.Name && finding.Version == component.Version {
				open++
			}
		}
		switch {
		case !component.Known:
			note = "this version cannot be compared with advisories"
		case open > 0:
			note = counted(open, "known flaw") + " in upstream's release of this number"
		case slices.Contains(doctor.Covered(), component.Name):
			note = "no known flaw that bears on containment"
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", inLine(component.Name), inLine(component.Version), note)
	}
	fmt.Fprintln(table)
	return table.Flush()
}

func printFindings(w io.Writer, findings []doctor.Finding) {
	if len(findings) == 0 {
		return
	}
	fmt.Fprintln(w, "known flaws of these versions")
	for _, finding := range findings {
		fmt.Fprintf(w, "  %s  %s %s: %s\n", finding.ID, finding.Component, inLine(finding.Version), finding.Title)
		fmt.Fprintf(w, "      fixed in %s%s\n", strings.Join(finding.FixedIn, ", "), backport(finding))
		fmt.Fprintf(w, "      here: %s\n", finding.Here)
	}
	fmt.Fprintln(w)
}

func backport(finding doctor.Finding) string {
	if !finding.Packaged {
		return "; update it"
	}
	return "; this is a distribution's build, which may have the fix: see its security tracker"
}

func printSettings(w io.Writer, settings []doctor.Setting) error {
	if len(settings) == 0 { // of a cluster's nodes
		return nil
	}
	fmt.Fprintln(w, "settings of the host")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, setting := range settings {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", setting.Name, inLine(setting.Value), setting.Advice)
	}
	return table.Flush()
}

func printFit(w io.Writer, fit *policyFit) {
	if fit == nil {
		return
	}
	fmt.Fprintln(w)
	for _, engine := range fit.Runs {
		fmt.Fprintf(w, "✓ policy %s can run on %s\n", fit.Name, engine)
	}
	for _, name := range slices.Sorted(maps.Keys(fit.Lacks)) {
		lacking := fit.Lacks[name]
		switch {
		case slices.Equal(lacking, []string{"engine"}):
			fmt.Fprintf(w, "✗ policy %s cannot run on %s: the engine cannot be used here\n", fit.Name, name)
		default:
			fmt.Fprintf(w, "✗ policy %s cannot run on %s: it requires %s\n", fit.Name, name, strings.Join(lacking, ", "))
		}
	}
}
