package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/image/imagetest"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/source/parse"
)

func TestMain(m *testing.M) {
	if code, is := parse.IfChild(os.Args); is {
		os.Exit(code)
	}
	for _, ignored := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} { // tests of a job in the background
		if signal.Ignored(ignored) && os.Getenv("HOTCELL_WAITS") == "" {
			signal.Notify(make(chan os.Signal, 1), ignored) // what tests start shall hear it
		}
	}
	policyDir = os.Getenv("HOTCELL_TEST_POLICIES") // what lies in this host's own is no affair of the tests
	testscript.Main(m, map[string]func(){"runner": main})
}

// images is the store with the built image. Each script gets a state of its own with
// a link to it.
var images = imagetest.Dir()

// TestScripts is the specification of the command line: testdata/script. Scripts
// named run_* need root, an engine and the image.
func TestScripts(t *testing.T) {
	params := scripts(t)
	params.Dir = "testdata/script"
	testscript.Run(t, params)
}

// TestScriptsWithAnEngine runs those that make sandboxes again while an engine listens:
// nobody may see a difference.
func TestScriptsWithAnEngine(t *testing.T) {
	if !haveImage(t) {
		t.Skip("needs root and the image: make image")
	}
	params := scripts(t)
	var err error
	params.Files, err = filepath.Glob("testdata/script/run_*.txtar")
	require.NoError(t, err)
	cold := params.Setup
	params.Setup = func(env *testscript.Env) error {
		if err := cold(env); err != nil {
			return err
		}
		listening, err := startEngine(env.Vars)
		if err != nil {
			return err
		}
		env.Values[engineKey] = listening
		env.Defer(func() { require.NoError(t, listening.end(syscall.SIGTERM)) })
		return nil
	}
	// What an engine keeps ready is not left behind: it goes with the engine, and all of it.
	params.Cmds["nothingleft"] = func(ts *testscript.TestScript, neg bool, args []string) {
		listening := ts.Value(engineKey).(*listeningEngine)
		ts.Check(listening.end(syscall.SIGTERM))
		nothingLeft(ts, neg, args)
		again, err := startEngine(listening.command.Env)
		ts.Check(err)
		*listening = *again
	}
	testscript.Run(t, params)
}

func scripts(t *testing.T) testscript.Params {
	return testscript.Params{
		RequireExplicitExec: false,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			state := filepath.Join(env.WorkDir, ".state")
			env.Setenv("HOTCELL_STATE", state)
			env.Setenv("HOTCELL_TEST_POLICIES", filepath.Join(env.WorkDir, "policies"))
			env.Setenv("GORACE", os.Getenv("GORACE")) // for the command, which is this binary
			if err := os.Mkdir(state, 0o700); err != nil {
				return err
			}
			return os.Symlink(images, filepath.Join(state, "images"))
		},
		Condition: func(name string) (bool, error) {
			if name == "image" {
				return haveImage(t), nil
			}
			return false, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exitcode": exitCode, "nothingleft": nothingLeft, "engine": engineOf()},
	}
}

func haveImage(t *testing.T) bool {
	_, err := os.Stat(filepath.Join(images, "index.json"))
	if err != nil && os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
		t.Fatalf("no image: %s", err)
	}
	require.False(t, os.Getenv("HOTCELL_REQUIRE_ALL") == "1" && os.Geteuid() != 0, "needs root")
	return err == nil && os.Geteuid() == 0
}

// exitCode runs a command and wants its exit code: exitcode 3 runner run …
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE COMMAND [ARG ...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// nothingLeft wants nothing named after a sandbox among the script's, and no mount there.
// An engine process removes a sandbox after the answer: it is waited for.
func nothingLeft(ts *testscript.TestScript, _ bool, _ []string) {
	sandboxes := filepath.Join(ts.Getenv("HOTCELL_STATE"), "sandboxes")
	err := lookForLeftovers(sandboxes)
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); err = lookForLeftovers(sandboxes) {
		time.Sleep(10 * time.Millisecond)
	}
	ts.Check(err)
}

func lookForLeftovers(sandboxes string) error {
	err := filepath.WalkDir(sandboxes, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path != sandboxes {
			return nil // it has just been removed
		}
		if err != nil {
			return err
		}
		if _, err := container.ParseID(entry.Name()); err == nil {
			return fmt.Errorf("%s is left", path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	if strings.Contains(string(mounts), sandboxes) {
		return fmt.Errorf("a mount below %s is left", sandboxes)
	}
	return nil
}

func TestEveryCommandEndsItsHelpWithAnExample(t *testing.T) {
	a := &app{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
	var check func(*cobra.Command)
	check = func(command *cobra.Command) {
		require.NotEmpty(t, command.Short, command.CommandPath())
		require.Contains(t, command.Example, "runner", command.CommandPath())
		for _, sub := range command.Commands() {
			check(sub)
		}
	}
	check(a.rootCommand())
}

func TestPrintableKeepsTextAndDisarmsTheRest(t *testing.T) {
	for text, want := range map[string]string{
		"plain, ünïcode, 漢字\n\ttab": "plain, ünïcode, 漢字\n\ttab",
		"\x1b[31mred":               `\x1b[31mred`,
		"a\rb\x07\x00":              `a\rb\a\x00`,
		"\u202eevil":                `\u202eevil`,
		"\u009b31m":                 `\u009b31m`,
	} {
		require.Equal(t, want, printable(text))
	}
}

func TestAutoEngineGoesByWhatIsThere(t *testing.T) {
	has := func(names ...string) func(string) (string, error) {
		return func(name string) (string, error) {
			if slices.Contains(names, name) {
				return "/usr/bin/" + name, nil
			}
			return "", exec.ErrNotFound
		}
	}
	require.Equal(t, "oci", autoEngine("linux", 0, has("crun")))
	require.Equal(t, "oci", autoEngine("linux", 0, has("runc")))
	require.Equal(t, "docker", autoEngine("linux", 0, has()))
	require.Equal(t, "docker", autoEngine("linux", 1000, has("crun")))
	require.Equal(t, "docker", autoEngine("darwin", 0, has("crun")))
}

func TestScriptNameCanBePrinted(t *testing.T) {
	for path, want := range map[string]string{
		"/a/b.py": "b.py", "a\nb.py": "a_b.py", "\xff.py": "_.py", "Größe.py": "Größe.py",
	} {
		require.Equal(t, want, scriptName(path))
	}
}

func TestWantsJSONLooksAtFlagsOnly(t *testing.T) {
	require.True(t, wantsJSON([]string{"run", "--bogus", "--json"}))
	require.False(t, wantsJSON([]string{"run", "--", "--json"}))
	require.False(t, wantsJSON(nil))
}

func TestJSONCannotDriveATerminal(t *testing.T) {
	var out bytes.Buffer
	a := &app{stdout: &out}
	given := "ü 漢 \u009b31m \u202e \U000e0001 \x7f"
	require.NoError(t, a.printJSON(given))
	require.Equal(t, `"ü 漢 \u009b31m \u202e \udb40\udc01 \u007f"`+"\n", out.String())
	var back string
	require.NoError(t, json.Unmarshal(out.Bytes(), &back))
	require.Equal(t, given, back)
}

func TestSummaryCannotBeForged(t *testing.T) {
	var out bytes.Buffer
	result := job.Result{
		Status: job.Failed, Value: json.RawMessage("null"),
		Error: &job.Error{Type: "E", Message: "x\n✓ succeeded  a.py"},
	}
	summary(&out, runner.Response{Result: result}, job.Request{ScriptName: "a.py"}, "")
	require.NotContains(t, out.String(), "\n✓")
}
