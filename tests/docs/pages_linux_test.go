package docs_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/image/imagetest"
	"hotcell/tests/runnertest"
)

var update = flag.Bool("update", false, "write the commands' real output into the pages")

// runnerDir has the command under test, and images is the store that it uses.
// TestMain alone sets them.
var runnerDir, images string

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := buildAndTest(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func buildAndTest(m *testing.M) (code int, err error) {
	images = imagetest.Dir()
	runnerDir, err = os.MkdirTemp("", "hotcell-docs-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(runnerDir)) }()
	if _, err := runnertest.Build(context.Background(), runnerDir); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

func TestPagesWorkAsWritten(t *testing.T) {
	requireImage(t)
	pages, err := filepath.Glob("../../docs/policies/*.md")
	require.NoError(t, err)
	policies, err := filepath.Glob("../../policies/*.yaml")
	require.NoError(t, err)
	require.Len(t, pages, len(policies), "each policy has a page")
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) { runPage(t, page) })
	}
}

func TestTheWayFromAFileToItsRecordWorksAsWritten(t *testing.T) {
	requireImage(t)
	runPage(t, "../../docs/records.md")
}

func requireImage(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(images, "index.json")); err != nil || os.Geteuid() != 0 {
		if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
			t.Fatal("needs root and the image: make image")
		}
		t.Skip("needs root and the image: make image")
	}
}

func runPage(t *testing.T, page string) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	reader := newReader(t)
	written := fences.ReplaceAllStringFunc(string(text), func(block string) string {
		parts := fences.FindStringSubmatch(block)
		language, name, body := parts[1], parts[2], parts[3]
		switch {
		case name != "":
			reader.file(name, body)
		case language == "console":
			return "```console\n" + reader.console(body) + "```\n"
		}
		return block
	})
	require.Positive(t, reader.commands, "the page shows no command")
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(written), 0o644))
	}
}

// fences finds fenced blocks: language, name of a file or "", body.
var fences = regexp.MustCompile("(?ms)^```([a-z]+)(?: ([^\n]+))?\n(.*?)^```\n")

// reader does what a page says.
type reader struct {
	t        *testing.T
	dir      string // empty at first
	state    string
	commands int
}

func newReader(t *testing.T) *reader {
	base := t.TempDir()
	r := &reader{t: t, dir: filepath.Join(base, "work"), state: filepath.Join(base, "state")}
	require.NoError(t, os.Mkdir(r.dir, 0o755))
	require.NoError(t, os.Mkdir(r.state, 0o700))
	require.NoError(t, os.Symlink(images, filepath.Join(r.state, "images")))
	return r
}

func (r *reader) file(name, body string) {
	r.t.Helper()
	require.True(r.t, filepath.IsLocal(name), name)
	path := filepath.Join(r.dir, name)
	require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(r.t, os.WriteFile(path, []byte(body), 0o644))
}

// console runs a block's commands and returns the block with their real output.
func (r *reader) console(body string) string {
	r.t.Helper()
	var written strings.Builder
	for step := range strings.SplitSeq(strings.TrimPrefix(body, "$ "), "\n$ ") {
		command, want, _ := strings.Cut(strings.TrimRight(step, "\n"), "\n")
		got := strings.TrimRight(r.run(command), "\n")
		if !*update {
			require.Equal(r.t, masked(want), masked(got), command)
		}
		fmt.Fprintf(&written, "$ %s\n", command)
		if got != "" {
			written.WriteString(got + "\n")
		}
		r.commands++
	}
	return written.String()
}

// run is one command's output, with the state where a reader has it.
func (r *reader) run(command string) string {
	r.t.Helper()
	// The day is in the manifest, and so in every digest that a page shows.
	if strings.Contains(command, "bundle create ") {
		require.Contains(r.t, command, "--attested-on", "the page would be wrong tomorrow: %s", command)
	}
	command = strings.ReplaceAll(command, "/var/lib/hotcell", r.state)
	cmd := exec.CommandContext(r.t.Context(), "bash", "-c", command)
	cmd.Dir = r.dir
	cmd.Env = []string{"PATH=" + runnerDir + ":" + os.Getenv("PATH"), "HOTCELL_STATE=" + r.state, "LANG=C.UTF-8"}
	output, err := cmd.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		require.NoError(r.t, err, command)
	}
	return strings.ReplaceAll(string(output), r.state, "/var/lib/hotcell")
}

// masks is what differs from run to run, from host to host and from image to
// image; nothing else may differ.
var masks = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(?m)^( +used +).*$`), "${1}TIMES"},
	{regexp.MustCompile(`(?m)  [0-9.]+(?:µs|ms|s) wall$|\b[0-9.]+(?:µs|ms|s)$`), "TIME"}, // of a step or a tool call, at a line's end
	{regexp.MustCompile(`(?m)^ +without .*\n`), ""},                                      // optional controls that this host lacks
	{regexp.MustCompile(`[0-9a-f]{64}`), "SHA256"},
	{regexp.MustCompile(`[0-9]{13}-[0-9a-f]{16}`), "RUN"},
	{regexp.MustCompile(`run_[0-9TZ]+_`), "run_TIME_"},
	{regexp.MustCompile(`(oci|docker) \([^)]*\)`), "ENGINE"},
	{regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}`), "TIME"},
	{regexp.MustCompile(`(?m)^(  runner +).*$`), "${1}VERSIONS"},                              // of runner, runtime and kernel
	{regexp.MustCompile(`( files?, )[0-9.]+ [KMG]?i?B`), "${1}SIZE"},                          // of all that is kept
	{regexp.MustCompile(`(?m)^[0-9A-Za-z+/]{43}=$`), "ROOT"},                                  // of a checkpoint
	{regexp.MustCompile(`\+[0-9a-f]{8}\+[0-9A-Za-z+/=]+| [0-9A-Za-z+/]{80,}=*`), "SIGNATURE"}, // or its key
	{regexp.MustCompile(`(\.(?:png|svg|pdf)  )[0-9.]+ [KMG]?i?B`), "${1}SIZE"},
}

func masked(text string) string {
	for _, mask := range masks {
		text = mask.what.ReplaceAllString(text, mask.with)
	}
	return text
}

func TestMasksHideOnlyWhatDiffers(t *testing.T) {
	first := "✓ succeeded  a.py\n  policy   p · oci (runc 1.1.5)\n  without  user_namespace, as the policy allows: x\n  used     64ms wall\n  files    a.png  19 KiB, image/png\n  record   /var/lib/hotcell/runs/1795234449654-c3b4dd814f958fde\n"
	second := "✓ succeeded  a.py\n  policy   p · oci (crun 1.8)\n  used     1.2s wall\n  files    a.png  18 KiB, image/png\n  record   /var/lib/hotcell/runs/1795234449655-c3b4dd814f958fdf\n"
	require.Equal(t, masked(first), masked(second))
	for _, changed := range []string{
		strings.Replace(second, "succeeded", "failed", 1), strings.Replace(second, "policy   p", "policy   q", 1),
		strings.Replace(second, "a.png", "b.png", 1), second + "more\n",
	} {
		require.NotEqual(t, masked(first), masked(changed))
	}
}
