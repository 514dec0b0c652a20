package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// options is what the user chose.
type options struct {
	cache    string // directory of the disks
	out      string // directory of the logs
	runner   string
	images   string // directory of the image store
	packages string // directory of the Debian package, for the checks that need it
	smoke    bool
	only     string // checks to run, by name, separated by commas; "" for the guest's own
	fresh    bool   // make the disks again
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("hosts: ")
	var chosen options
	flag.StringVar(&chosen.cache, "cache", "/var/cache/hotcell/hosts", "directory in which disks are kept")
	flag.StringVar(&chosen.out, "out", "out/hosts", "directory for logs")
	flag.StringVar(&chosen.runner, "runner", "bin/runner", "the runner to try; for a guest of another architecture its name with that behind it (bin/runner-arm64)")
	flag.StringVar(&chosen.images, "images", "/var/lib/hotcell/images", "image store that the guests get")
	flag.StringVar(&chosen.packages, "packages", "dist", "directory of the Debian package, which some checks install")
	flag.BoolVar(&chosen.smoke, "smoke", false, "only the checks that each change is tried with")
	flag.StringVar(&chosen.only, "checks", "", "only these checks, separated by commas, in the guests that have them")
	flag.BoolVar(&chosen.fresh, "fresh", false, "make the disks again")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage())
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := untilSignalled(chosen, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func usage() string {
	var text strings.Builder
	text.WriteString("usage: hosts [FLAG ...] [GUEST ...]\n\nBoots the guests, all unless some are named, and runs their checks:\n")
	for _, each := range guests() {
		var checks []string
		for _, one := range each.checks {
			checks = append(checks, one.name)
		}
		fmt.Fprintf(&text, "  %s (Debian %s, %s): %s\n", each.name, each.suite, each.arch, strings.Join(checks, ", "))
	}
	return text.String() + "\n"
}

func untilSignalled(chosen options, wanted []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return try(ctx, chosen, wanted)
}

// try boots as many guests at a time as there are processors, of which each keeps one
// busy: the emulator has one thread (machine.go).
func try(ctx context.Context, chosen options, wanted []string) error {
	plans, err := plan(chosen, wanted)
	if err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		return errors.New("needs root: it makes file systems with the owners that they have in a guest")
	}
	for _, each := range plans { // before the first has run for an hour
		if _, err := os.Stat(runnerFor(chosen, each.guest.arch)); err != nil {
			return fmt.Errorf("there is no runner for %s (make build, and make cross for another architecture): %w", each.guest.name, err)
		}
		if _, err := debianPackage(chosen); err != nil && each.packaged() {
			return err
		}
	}
	results := make([][]result, len(plans))
	var booted errgroup.Group
	booted.SetLimit(runtime.NumCPU())
	for index, each := range plans {
		booted.Go(func() error {
			found, err := tryGuest(ctx, chosen, each)
			if err != nil {
				log.Printf("%s: %v", each.guest.name, err)
				found = append(found, result{guest: each.guest.name, check: "boot", code: 1})
			}
			results[index] = found
			return nil // the others go on
		})
	}
	if err := errors.Join(booted.Wait(), context.Cause(ctx)); err != nil {
		return err
	}
	return conclude(slices.Concat(results...), chosen.out)
}

// planned is a guest with the checks that it is to run.
type planned struct {
	guest  guest
	checks []check
}

// plan refuses what there is not.
func plan(chosen options, wanted []string) ([]planned, error) {
	all := guests()
	if chosen.smoke && chosen.only != "" {
		return nil, errors.New("-smoke and -checks both choose the checks: give one of them")
	}
	for _, name := range wanted {
		if !slices.Contains(names(all), name) {
			return nil, fmt.Errorf("unknown guest %q: known are %s", name, strings.Join(names(all), ", "))
		}
	}
	var plans []planned
	for _, each := range all {
		if len(wanted) > 0 && !slices.Contains(wanted, each.name) {
			continue
		}
		checks, err := chosenChecks(each, chosen)
		if err != nil {
			return nil, err
		}
		if len(checks) > 0 {
			plans = append(plans, planned{each, checks})
		}
	}
	if len(plans) == 0 {
		return nil, errors.New("nothing to do: none of these guests has such a check (-h lists them)")
	}
	return plans, nil
}

func chosenChecks(from guest, chosen options) ([]check, error) {
	if chosen.only == "" {
		return slices.DeleteFunc(slices.Clone(from.checks), func(each check) bool { return chosen.smoke && !each.smoke }), nil
	}
	var checks []check
	for name := range strings.SplitSeq(chosen.only, ",") {
		if _, err := scripts.ReadFile("checks/" + name + ".sh"); err != nil {
			return nil, fmt.Errorf("unknown check %q: -h lists them", name)
		}
		index := slices.IndexFunc(from.checks, func(each check) bool { return each.name == name })
		if index < 0 {
			continue // another guest's
		}
		checks = append(checks, from.checks[index])
	}
	return checks, nil
}

// tryGuest is one guest from disk to results.
func tryGuest(ctx context.Context, chosen options, plan planned) (results []result, err error) {
	begun := time.Now()
	disks, err := prepareDisks(ctx, chosen, plan.guest)
	if err != nil {
		return nil, fmt.Errorf("make disks: %w", err)
	}
	share, err := makePayload(ctx, chosen, plan)
	if err != nil {
		return nil, fmt.Errorf("make payload: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(share)) }()
	log.Printf("%s: ready after %s; %d checks", plan.guest.name, time.Since(begun).Round(time.Second), len(plan.checks))
	logs := filepath.Join(chosen.out, plan.guest.name)
	if err := errors.Join(os.RemoveAll(logs), os.MkdirAll(logs, 0o755)); err != nil {
		return nil, err
	}
	booted := boot(ctx, machine{plan: plan, disks: disks, share: share, console: filepath.Join(logs, "console.log")})
	if err := os.CopyFS(logs, os.DirFS(filepath.Join(share, "out"))); err != nil {
		return nil, errors.Join(booted, err)
	}
	results, err = readResults(share, plan)
	return results, errors.Join(booted, err)
}

// conclude prints a line for each check, and fails where one has.
func conclude(all []result, logs string) error {
	failed := 0
	for _, each := range all {
		mark := "✓"
		if each.code != 0 {
			mark = "✗"
			failed++
		}
		fmt.Printf("%s %-14s %-16s %5d s\n", mark, each.guest, each.check, each.seconds)
	}
	fmt.Printf("%d passed, %d failed\n", len(all)-failed, failed)
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed: their logs are in %s", failed, len(all), logs)
	}
	return nil
}
