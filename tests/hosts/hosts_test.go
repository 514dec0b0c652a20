package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEveryCheckHasAScriptAndEveryScriptAGuest(t *testing.T) {
	used := map[string]bool{}
	for _, guest := range guests() {
		for _, check := range guest.checks {
			used[check.name+".sh"] = true
			require.Positive(t, check.limit, check.name)
		}
	}
	entries, err := scripts.ReadDir("checks")
	require.NoError(t, err)
	for _, entry := range entries {
		require.True(t, used[entry.Name()], "%s is in no guest's list", entry.Name())
		delete(used, entry.Name())
	}
	require.Empty(t, used)
}

func TestEveryGuestHasAProcessor(t *testing.T) {
	for _, guest := range guests() {
		require.NotEmpty(t, processors()[guest.arch].emulator, guest.name)
	}
}

func TestTheSmokeTriesSomething(t *testing.T) {
	plans, err := plan(options{smoke: true}, nil)
	require.NoError(t, err)
	require.NotEmpty(t, plans)
}

func TestWhatThereIsNotIsRefused(t *testing.T) {
	_, err := plan(options{}, []string{"sarge"})
	require.ErrorContains(t, err, `unknown guest "sarge"`)
	_, err = plan(options{only: "statuses,statusses"}, nil)
	require.ErrorContains(t, err, `unknown check "statusses"`)
	_, err = plan(options{only: "arm64"}, []string{"trixie"})
	require.ErrorContains(t, err, "none of these guests has such a check")
	_, err = plan(options{only: "statuses", smoke: true}, nil)
	require.ErrorContains(t, err, "-smoke and -checks both choose")
}

func TestARunnerForEveryGuestIsLookedForBeforeTheFirstBoots(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("another user is refused before that")
	}
	missing := filepath.Join(t.TempDir(), "runner")
	require.ErrorContains(t, try(t.Context(), options{runner: missing}, []string{"arm64"}), "there is no runner for arm64 (make build, and make cross")
}

func TestThePackageIsLookedForBeforeTheFirstBoots(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("another user is refused before that")
	}
	chosen := options{runner: os.Args[0], only: "service", packages: t.TempDir()}
	require.ErrorContains(t, try(t.Context(), chosen, []string{"trixie"}), "0 packages for this machine")
	for _, version := range []string{"1", "2"} {
		name := filepath.Join(chosen.packages, "hotcell_"+version+"_"+runtime.GOARCH+".deb")
		require.NoError(t, os.WriteFile(name, []byte(version), 0o600))
		_, err := debianPackage(chosen)
		require.Equal(t, version == "1", err == nil, "one, and no other beside it")
	}
}

func TestTheUsageNamesEveryCheck(t *testing.T) {
	for _, guest := range guests() {
		require.Contains(t, usage(), guest.name+" (")
		for _, check := range guest.checks {
			require.Contains(t, usage(), check.name)
		}
	}
}

func TestARecipeIsNamedAfterAllThatItIsMadeFrom(t *testing.T) {
	one := guests()[0]
	other := one
	other.packages = append([]string{"hello"}, one.packages...)
	require.NotEqual(t, one.recipe(), other.recipe())
	require.True(t, strings.HasPrefix(one.recipe(), one.name+"-"))
}

func TestACheckThatTheGuestDoesNotTellOfHasFailed(t *testing.T) {
	plan := planned{guest{name: "sid"}, []check{{name: "first", limit: time.Minute}, {name: "second", limit: time.Minute}}}
	share := t.TempDir()
	all, err := readResults(share, plan)
	require.ErrorContains(t, err, "told nothing")
	require.Equal(t, []result{{"sid", "first", notRun, 0}, {"sid", "second", notRun, 0}}, all)

	tell := func(lines string) {
		require.NoError(t, os.MkdirAll(filepath.Join(share, "out"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(share, "out", "results"), []byte(lines), 0o600))
	}
	tell("first 0 12\n")
	all, err = readResults(share, plan)
	require.NoError(t, err)
	require.Equal(t, []result{{"sid", "first", 0, 12}, {"sid", "second", notRun, 0}}, all)
	require.ErrorContains(t, conclude(all, "elsewhere"), "1 of 2 checks failed: their logs are in elsewhere")

	for _, lines := range []string{"first\n", "first zero 12\n", "first 0 12 more\n"} {
		tell(lines)
		_, err = readResults(share, plan)
		require.ErrorContains(t, err, "the guest told", lines)
	}
}
