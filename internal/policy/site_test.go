package policy_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/policy"
	"hotcell/policies"
)

// within is study-analysis on a host with these settings.
func within(t *testing.T, file string, environ ...string) (policy.Policy, error) {
	t.Helper()
	site := policy.Site{Environ: append([]string{"PATH=/bin", "HOTCELL_STATE=/x"}, environ...)}
	if file != "" {
		site.File = filepath.Join(t.TempDir(), "limits.yaml")
		require.NoError(t, os.WriteFile(site.File, []byte(file), 0o644))
	}
	return policy.NewCatalog(policies.Files, "").Within(site).Get("study-analysis")
}

func TestAnAdministratorTightens(t *testing.T) {
	plain, err := within(t, "")
	require.NoError(t, err)
	require.Equal(t, 300*time.Second, plain.Limits.WallClock)
	file := `version: 1
policies:
  study-analysis:
    wall_clock: 60s
    memory: 256m
    pids: 32
    stdout: 100000B
    stderr: 1k
    output_bytes: 1MiB
    output_files: 10
    figures: 0
  copilot-chart:
    wall_clock: 1s
    keep_code: always
`
	for name, got := range map[string]func() (policy.Policy, error){
		"in a file": func() (policy.Policy, error) { return within(t, file) },
		"in the environment": func() (policy.Policy, error) {
			return within(t, "", "HOTCELL_LIMIT_STUDY_ANALYSIS_WALL_CLOCK=60s", "HOTCELL_LIMIT_STUDY_ANALYSIS_MEMORY=256m", "HOTCELL_LIMIT_STUDY_ANALYSIS_PIDS=32",
				"HOTCELL_LIMIT_STUDY_ANALYSIS_STDOUT=100000B", "HOTCELL_LIMIT_STUDY_ANALYSIS_STDERR=1k", "HOTCELL_LIMIT_STUDY_ANALYSIS_OUTPUT_BYTES=1MiB",
				"HOTCELL_LIMIT_STUDY_ANALYSIS_OUTPUT_FILES=10", "HOTCELL_LIMIT_STUDY_ANALYSIS_FIGURES=0", "HOTCELL_LIMIT_COPILOT_CHART_KEEP_CODE=always",
				"HOTCELL_LIMIT_COPILOT_CHART_WALL_CLOCK=1s")
		},
		"in both, the tighter one counts": func() (policy.Policy, error) {
			return within(t, file, "HOTCELL_LIMIT_STUDY_ANALYSIS_WALL_CLOCK=120s", "HOTCELL_LIMIT_COPILOT_CHART_KEEP_CODE=on_success")
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := got()
			require.NoError(t, err)
			want := plain.Clone()
			want.Limits.WallClock, want.Limits.Memory, want.Limits.PIDs = time.Minute, 256<<20, 32
			want.Limits.Stdout, want.Limits.Stderr, want.Limits.OutputBytes, want.Limits.OutputFiles = 100_000, 1024, 1<<20, 10
			want.Guard.MaxFigures, want.Record.KeepCode = 0, policy.KeepCodeAlways
			require.Equal(t, want, p)
		})
	}
	p, err := within(t, "", "HOTCELL_LIMIT_STUDY_ANALYSIS_WALL_CLOCK=60s")
	require.NoError(t, err)
	require.Equal(t, plain.SHA256, p.SHA256, "of the policy's file")
}

func TestAnAdministratorKeepsMore(t *testing.T) {
	site := policy.Site{Environ: []string{"HOTCELL_LIMIT_COPILOT_CHART_KEEP_CODE=always"}}
	plain, err := policy.NewCatalog(policies.Files, "").Get("copilot-chart")
	require.NoError(t, err)
	require.Equal(t, policy.KeepCodeOnSuccess, plain.Record.KeepCode)
	kept, err := policy.NewCatalog(policies.Files, "").Within(site).Get("copilot-chart")
	require.NoError(t, err)
	require.Equal(t, policy.KeepCodeAlways, kept.Record.KeepCode)
}

func TestASettingThatIsNotUnderstoodOrLoosensIsRefusedByName(t *testing.T) {
	const prefix = "HOTCELL_LIMIT_STUDY_ANALYSIS_"
	for variable, words := range map[string]string{
		prefix + "WALL_CLOCK=301s":                   "5m1s is above the 5m0s of policy study-analysis: it can only tighten",
		prefix + "WALL_CLOCK=60":                     `it is "60": want a time`,
		prefix + "WALL_CLOCK=":                       "want a time",
		prefix + "WALL_CLOCK=0s":                     "too little",
		prefix + "WALL_CLOCK=-1s":                    "too little",
		prefix + "MEMORY=1G":                         "1.0 GiB is above the 512 MiB",
		prefix + "MEMORY=256MB":                      "want a size",
		prefix + "MEMORY=1m":                         "too little: give it at least 32 MiB",
		prefix + "PIDS=15":                           "too little: give it at least 16",
		prefix + "PIDS=65":                           "65 is above the 64",
		prefix + "PIDS=0x20":                         "want a whole number",
		prefix + "PIDS=032":                          "want a whole number",
		prefix + "PIDS= 32":                          "want a whole number",
		prefix + "PIDS=99999999999999999999":         "want a whole number",
		prefix + "FIGURES=21":                        "21 is above the 20",
		prefix + "FIGURES=-1":                        "want a whole number",
		prefix + "STDOUT=1m":                         "is above the",
		prefix + "OUTPUT_FILES=65":                   "is above the 64",
		prefix + "OUTPUT_BYTES=65m":                  "is above the 64 MiB",
		prefix + "KEEP_CODE=never":                   "never keeps less than the always of policy study-analysis: it can only tighten",
		prefix + "KEEP_CODE=no":                      "want on_success or always",
		prefix + "WALLCLOCK=60s":                     "limits are wall_clock, memory, pids",
		prefix + "wall_clock=60s":                    "limits are wall_clock",
		prefix + "NETWORK=on":                        "limits are wall_clock",
		"HOTCELL_LIMIT_STUDY_ANALYSE_WALL_CLOCK=60s": "a policy's name and a limit's in capitals",
		"HOTCELL_LIMIT_WALL_CLOCK=60s":               "a policy's name and a limit's",
		"HOTCELL_LIMIT_=1":                           "a policy's name and a limit's",
	} {
		t.Run(variable, func(t *testing.T) {
			_, err := within(t, "", variable)
			require.ErrorIs(t, err, policy.ErrInvalid)
			var fault *policy.SiteError
			require.ErrorAs(t, err, &fault)
			require.ErrorContains(t, err, words)
			name, _, _ := splitVariable(variable)
			require.ErrorContains(t, err, name)
		})
	}
	_, err := within(t, "", prefix+"PIDS=65", prefix+"FIGURES=21")
	require.ErrorContains(t, err, "PIDS")
	require.ErrorContains(t, err, "FIGURES", "all that is wrong is said at once")
}

func splitVariable(text string) (name, value string, found bool) {
	for index := range text {
		if text[index] == '=' {
			return text[:index], text[index+1:], true
		}
	}
	return text, "", false
}

func TestAFileOfLimitsIsReadStrictly(t *testing.T) {
	for file, words := range map[string]string{
		"version: 1\npolicies:\n  study-analysis: {wall_clock: 301s}\n":                 "limits.yaml: study-analysis.wall_clock: 5m1s is above the 5m0s",
		"version: 1\npolicies:\n  study-analysis: {wallclock: 1s}\n":                    "study-analysis.wallclock: there is no such limit: known are wall_clock",
		"version: 1\npolicies:\n  study: {wall_clock: 1s}\n":                            "study: there is no such policy: known are containment-probe",
		"version: 1\npolicies:\n  study-analysis: {pids: true}\n":                       "study-analysis.pids: want a text or a whole number",
		"version: 1\npolicies:\n  study-analysis: {pids: 31.5}\n":                       "want a text or a whole number",
		"version: 1\npolicies:\n  study-analysis: {pids: [32]}\n":                       "want a text or a whole number",
		"version: 1\npolicies:\n  study-analysis: {pids: 0x20}\n":                       "decimal digits",
		"version: 1\npolicies:\n  study-analysis: {pids: 32}\n  study-analysis: {}\n":   "limits.yaml",
		"version: 2\npolicies: {}\n":                                                    "want version: 1",
		"version: 1\n":                                                                  "policies:",
		"version: 1\npolicies: {}\nmore: 1\n":                                           "limits.yaml",
		"policies:\n  study-analysis: &a {pids: 32}\n  copilot-chart: *a\nversion: 1\n": "anchors",
		"": "limits.yaml",
		"version: 1\npolicies: {}\n---\nversion: 1\npolicies: {}\n": "exactly one YAML document",
	} {
		_, err := within(t, file+"\n")
		require.ErrorIs(t, err, policy.ErrInvalid, file)
		require.ErrorContains(t, err, words, file)
	}
}

// Whoever could write it could keep everybody from running.
func TestAFileOfLimitsIsTheAdministrators(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "limits.yaml")
	catalog := policy.NewCatalog(policies.Files, "").Within(policy.Site{File: file})
	get := func() error {
		_, err := catalog.Get("study-analysis")
		return err
	}
	require.NoError(t, get(), "it need not be there")
	require.NoError(t, os.WriteFile(file, []byte("version: 1\npolicies: {}\n"), 0o644))
	require.NoError(t, get())
	for name, spoil := range map[string]func() error{
		"writable by its group":      func() error { return os.Chmod(file, 0o664) },
		"writable by others":         func() error { return os.Chmod(file, 0o646) },
		"in a directory for others":  func() error { return os.Chmod(dir, 0o777) },
		"a link":                     func() error { return errorsOf(os.Rename(file, file+".real"), os.Symlink(file+".real", file)) },
		"a directory":                func() error { return errorsOf(os.Remove(file), os.Mkdir(file, 0o755)) },
		"a pipe that nobody writes":  func() error { return errorsOf(os.Remove(file), unix.Mkfifo(file, 0o644)) },
		"of another user's, by root": func() error { return os.Chown(file, 4242, 4242) },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "of another user's, by root" && os.Geteuid() != 0 {
				t.Skip("needs root")
			}
			require.NoError(t, spoil())
			require.ErrorContains(t, get(), file)
			require.NoError(t, errorsOf(os.RemoveAll(file), os.RemoveAll(file+".real"), os.Chmod(dir, 0o700), os.WriteFile(file, []byte("version: 1\npolicies: {}\n"), 0o644)))
			require.NoError(t, get())
		})
	}
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
