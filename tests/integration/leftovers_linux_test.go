package integration_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// requireNothingLeft wants everything of the workspace's runs to be gone, but for
// their records.
func (w *workspace) requireNothingLeft() {
	w.t.Helper()
	w.endEngine()
	ids := w.sandboxes.ids()
	require.NotEmpty(w.t, w.runs.ids(), "no run was begun: there is nothing to be left")
	require.Empty(w.t, processesOf(w.t, ids), "processes of a sandbox")
	require.Empty(w.t, groupsOf(w.t, ids), "control groups of a sandbox")
	names := append(slices.Clone(ids), filepath.Join(w.state, "sandboxes"))
	require.Empty(w.t, processesNaming(w.t, append(names, w.state)), "processes")
	require.Empty(w.t, mountsNaming(w.t, names), "mounts in some mount namespace")
	require.Empty(w.t, entriesNaming(w.t, "/run/hotcell-mounts", ids), "mount points")
	require.Empty(w.t, w.dockerObjects(ids), "objects in the Docker daemon")
	w.requireOwnFilesOnly()
	w.requireRecordsWhole()
}

// processesOf returns the processes in the control groups of sandboxes. A zombie is its
// parent's affair.
func processesOf(t *testing.T, ids []string) []string {
	t.Helper()
	return processes(t, "cgroup", ids)
}

func processesNaming(t *testing.T, names []string) []string {
	t.Helper()
	return processes(t, "cmdline", names)
}

// processes returns those of which the named file in /proc holds one of texts.
func processes(t *testing.T, file string, texts []string) []string {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/" + file)
	require.NoError(t, err)
	var found []string
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err == nil && containsAny(string(content), texts) && !isZombie(filepath.Dir(path)) {
			found = append(found, filepath.Base(filepath.Dir(path)))
		}
	}
	return found
}

var zombie = regexp.MustCompile(`(?m)^State:\s+[ZX]`)

func isZombie(process string) bool {
	status, err := os.ReadFile(filepath.Join(process, "status"))
	return err != nil || zombie.Match(status) // an error: it has ended
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// groupsOf looks in every hierarchy.
func groupsOf(t *testing.T, ids []string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir("/sys/fs/cgroup", func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another's, removed while we looked
		}
		if err == nil && containsAny(entry.Name(), ids) {
			found = append(found, path)
		}
		return err
	})
	require.NoError(t, err)
	return found
}

// mountsNaming looks in every mount namespace that a process is in.
func mountsNaming(t *testing.T, names []string) []string {
	t.Helper()
	handles, err := filepath.Glob("/proc/[0-9]*/ns/mnt")
	require.NoError(t, err)
	seen := map[string]bool{}
	var found []string
	for _, handle := range handles {
		namespace, err := os.Readlink(handle)
		if err != nil || seen[namespace] {
			continue
		}
		mounts, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(handle)), "mountinfo"))
		if err != nil {
			continue // it ended while we looked
		}
		seen[namespace] = true
		for line := range strings.Lines(string(mounts)) {
			if containsAny(line, names) {
				found = append(found, namespace+" "+line)
			}
		}
	}
	return found
}

func entriesNaming(t *testing.T, dir string, names []string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	var found []string
	for _, entry := range entries {
		if containsAny(entry.Name(), names) {
			found = append(found, entry.Name())
		}
	}
	return found
}

func (w *workspace) dockerObjects(ids []string) []string {
	w.t.Helper()
	if w.target.engine != "docker" {
		return nil
	}
	api := dockerClient(w.t)
	containers, err := api.ContainerList(w.t.Context(), client.ContainerListOptions{All: true})
	require.NoError(w.t, err)
	volumes, err := api.VolumeList(w.t.Context(), client.VolumeListOptions{})
	require.NoError(w.t, err)
	var names []string
	for _, each := range containers.Items {
		names = append(names, each.Names...)
	}
	for _, each := range volumes.Items {
		names = append(names, each.Name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return !containsAny(name, ids) })
}

// mayStay matches what a state directory keeps between runs: of AppArmor's profile the
// digest under which it was loaded, and newer crun's own compiled filters; and for a
// minute what a runner that was killed while it made a sandbox's directory had of it. A
// runner that was killed while it noted its policy leaves the half of that to the next.
var mayStay = regexp.MustCompile(`^(audit\.jsonl|\.?policies\.seen|retention\.lock|lock|engine\.lock|images(/.*)?|bundles|bundles/\.lock|bundles/sha256-\w+(/.*)?|runs|quarantine` +
	`|(runs|quarantine)/` + runID + `(/.*)?` +
	`|sandboxes(/docker(/owner|/hotcell-sandbox-[0-9a-f]{12}|/\.new-[0-9]+(/lock|/owner)?)?` +
	`|/oci(/owner|/locks|/sandboxes|/hotcell-sandbox-[0-9a-f]{12}|/runtimes(/crun(/\.cache(/seccomp(/[0-9a-f]+)?)?)?|/runc|/runsc)?)?)?)$`)

const runID = `[0-9]{13}-[0-9a-f]{16}`

// requireOwnFilesOnly refuses drafts, locks, sandboxes' files and temporary files.
func (w *workspace) requireOwnFilesOnly() {
	w.t.Helper()
	entries, err := os.ReadDir(w.tmp)
	require.NoError(w.t, err)
	require.Empty(w.t, entries, "temporary files")
	var strange []string
	err = filepath.WalkDir(w.state, func(path string, _ fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, w.state+"/")
		if path != w.state && !mayStay.MatchString(name) {
			strange = append(strange, name)
		}
		return err
	})
	require.NoError(w.t, err)
	require.Empty(w.t, strange, "files in the state directory")
	partial, err := filepath.Glob(w.path(".*"))
	require.NoError(w.t, err)
	require.Empty(w.t, partial, "half of an output directory")
}

// requireRecordsWhole wants a sound audit chain that agrees with the records, each
// of which can be read, and a record for whatever is in quarantine.
func (w *workspace) requireRecordsWhole() {
	w.t.Helper()
	store, err := records.Open(w.state)
	require.NoError(w.t, err)
	_, err = store.VerifyChain(w.t.Context())
	require.NoError(w.t, err)
	list, err := store.List(w.t.Context())
	require.NoError(w.t, err)
	var quarantined []string
	for _, each := range list {
		record, err := store.Get(w.t.Context(), each.RunID)
		require.NoError(w.t, err)
		if record.Quarantined {
			quarantined = append(quarantined, each.RunID.String())
		}
		w.requireFiles(store, record.Result)
	}
	require.ElementsMatch(w.t, quarantined, names(w.t, filepath.Join(w.state, "quarantine")))
}

// requireInterrupted wants so many runs to be told as interrupted, each with who had asked for what.
func (w *workspace) requireInterrupted(many int) {
	w.t.Helper()
	store, err := records.Open(w.state)
	require.NoError(w.t, err)
	told := 0
	for event, err := range store.Events(w.t.Context()) {
		require.NoError(w.t, err)
		if event.Kind != records.KindInterrupted {
			continue
		}
		told++
		require.NotNil(w.t, event.Actor.UID)
		for _, role := range []string{records.RolePolicy, records.RoleImage, records.RoleScript} {
			require.NotEmpty(w.t, event.Subject(role), role)
		}
	}
	require.Equal(w.t, many, told)
}

func (w *workspace) requireFiles(store *records.Store, result job.Result) {
	w.t.Helper()
	for _, file := range result.Files {
		info, err := os.Stat(filepath.Join(store.Path(result.RunID), "files", file.Path))
		require.NoError(w.t, err)
		require.Equal(w.t, file.Bytes, info.Size())
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	found := []string{}
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	return found
}
