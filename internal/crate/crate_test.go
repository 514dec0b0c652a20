package crate_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/crate"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
	"hotcell/internal/signing"
)

const script = "pd.DataFrame().to_csv(OUTPUT / 'a.txt')\n"

// released is a name that must be written otherwise in a URI.
const released = "tables/50% of all.txt"

var started = time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)

type signer struct {
	signing.Public
	key signing.Key
}

func (s signer) Envelope(ctx context.Context, statement []byte) ([]byte, error) {
	return s.key.Envelope(ctx, statement)
}
func (s signer) SignEvent(ctx context.Context, body []byte) ([]byte, error) {
	return s.key.SignEvent(ctx, body)
}

// recorded is a store with one signed run, and what a crate of it is made of.
func recorded(t *testing.T, change func(*records.Entry)) (*records.Store, job.ID) {
	t.Helper()
	store, err := records.Open(t.TempDir())
	require.NoError(t, err)
	key, err := signing.Generate()
	require.NoError(t, err)
	store.SignWith(signer{key.Public(), key})
	id := job.NewID(started)
	draft, err := store.Begin(t.Context(), id, records.Asked{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, draft.Discard(t.Context())) })
	entry := records.Entry{
		Result: job.Result{
			RunID: id, Status: job.Succeeded, Value: json.RawMessage("null"),
			Charts: []job.Chart{}, Files: []job.File{}, Violations: []job.Violation{}, Warnings: []job.Violation{}, ToolCalls: []job.ToolCall{},
			Provenance: job.Provenance{
				Runner: "v1.2.3", Policy: "study-analysis", PolicySHA256: digest.Of([]byte("policy")).Hex(), Image: digest.Of([]byte("image")), Bundle: digest.Of([]byte("bundle")),
				Data:       &job.Data{Name: "visits", Version: "1.0", Study: "S-17", Deidentification: job.Deidentification{Method: "synthetic", AttestedBy: "A. Tester", AttestedOn: "2026-11-01"}},
				CodeSHA256: digest.Of([]byte(script)).Hex(), InputsSHA256: digest.Of([]byte("{}")).Hex(), Guard: job.GuardEnforced,
				CPU: job.CPU{Features: []string{}}, Controls: []job.Control{}, StartedAt: started, Script: "count.py",
			},
		},
		Code: []byte(script), KeepCode: true, ScriptName: "count.py", Actor: job.Actor{UID: new(uint32(0)), User: "root", SudoUser: "anna"},
	}
	if change != nil {
		change(&entry)
	}
	if entry.Result.Status == job.Succeeded {
		entry.Verified = verified(t, draft)
		entry.Result.Files = entry.Verified.Files()
	}
	_, err = draft.Commit(t.Context(), entry)
	require.NoError(t, err)
	return store, id
}

func verified(t *testing.T, draft *records.Draft) *output.Verified {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tables"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, released), []byte("x\n"), 0o644))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	found, violations, err := output.Verify(t.Context(), output.Options{
		Dir: root, Staging: draft.Staging(),
		Manifest: []output.Declared{{Path: released, Bytes: 2, SHA256: digest.Of([]byte("x\n")).Hex(), Role: output.RoleFile}},
		Rules:    output.Rules{MaxFiles: 10, MaxBytes: 1 << 20, MaxDepth: 2, MediaTypes: []string{"text/plain"}},
	})
	require.NoError(t, err)
	require.Empty(t, violations)
	t.Cleanup(func() { require.NoError(t, found.Close()) })
	return found
}

func sourceOf(t *testing.T, store *records.Store, id job.ID) crate.Source {
	t.Helper()
	record, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	source := crate.Source{Record: record, Files: os.DirFS(store.Path(id)), Runner: "v1.2.4"}
	_, err = store.Lines(t.Context(), func(event records.Event, line []byte) error {
		if event.RunID == id {
			source.Events = append(source.Events, crate.ChainEvent{Event: event, Line: bytes.Clone(line)})
		}
		return nil
	})
	require.NoError(t, err)
	return source
}

// unpacked makes a crate and unpacks it.
func unpacked(t *testing.T, source crate.Source) (bag string, packed []byte) {
	t.Helper()
	var to bytes.Buffer
	require.NoError(t, crate.Write(t.Context(), &to, source))
	packed = bytes.Clone(to.Bytes())
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, archive))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "one directory, the bag")
	return filepath.Join(dir, entries[0].Name()), packed
}

// graphOf reads a metadata file.
func graphOf(t *testing.T, file string) *graph {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var document struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	require.NoError(t, json.Unmarshal(text, &document))
	return &graph{document.Context, document.Graph}
}

func TestACrateHasWhatIsKeptOfARun(t *testing.T) {
	store, id := recorded(t, nil)
	bag, _ := unpacked(t, sourceOf(t, store, id))
	record, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	for inCrate, inRecord := range map[string]string{
		"record.json": "record.json", "statement.dsse.json": "statement.dsse.json",
		"workflow/" + record.Code: record.Code, "outputs/" + released: "files/" + released,
	} {
		want, err := os.ReadFile(filepath.Join(store.Path(id), inRecord))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(bag, "data", inCrate))
		require.NoError(t, err)
		require.Equal(t, want, got, inCrate)
	}
	events, err := os.ReadFile(filepath.Join(bag, "data/audit-events.jsonl"))
	require.NoError(t, err)
	chain, err := os.ReadFile(filepath.Join(store.Path(id), "../../audit.jsonl"))
	require.NoError(t, err)
	_, ofRun, _ := strings.Cut(string(chain), "\n") // the first says which key signs
	require.Equal(t, ofRun, string(events))
	info, err := os.ReadFile(filepath.Join(bag, "bag-info.txt"))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^External-Identifier: urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, string(info))
	require.Regexp(t, `(?m)^Payload-Oxum: [0-9]+\.7$`, string(info))
}

// TestOthersCheckTheBag: GNU's sha512sum reads the manifests of the bag, whose lines are its own.
func TestOthersCheckTheBag(t *testing.T) {
	program, err := exec.LookPath("sha512sum")
	if err != nil {
		t.Skip("there is no sha512sum here")
	}
	store, id := recorded(t, func(entry *records.Entry) { entry.Result.Status = job.Failed })
	bag, _ := unpacked(t, sourceOf(t, store, id))
	check := func(manifest string) (string, error) {
		cmd := exec.CommandContext(t.Context(), program, "--strict", "--check", manifest)
		cmd.Dir = bag
		said, err := cmd.CombinedOutput()
		return string(said), err
	}
	for _, manifest := range []string{"manifest-sha512.txt", "tagmanifest-sha512.txt"} {
		said, err := check(manifest)
		require.NoError(t, err, said)
	}
	require.NoError(t, os.Chmod(filepath.Join(bag, "data/record.json"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(bag, "data/record.json"), []byte("{}"), 0o600))
	said, err := check("manifest-sha512.txt")
	require.Error(t, err)
	require.Contains(t, said, "data/record.json: FAILED")
}

// TestTheBagIsWhole: RFC 8493, sections 2.1.3, 2.2.1 and 3.
func TestTheBagIsWhole(t *testing.T) {
	store, id := recorded(t, nil)
	bag, _ := unpacked(t, sourceOf(t, store, id))
	for manifest, payload := range map[string]bool{"manifest-sha512.txt": true, "tagmanifest-sha512.txt": false} {
		text, err := os.ReadFile(filepath.Join(bag, manifest))
		require.NoError(t, err)
		named := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			sum, name, found := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
			require.True(t, found, line)
			name = strings.NewReplacer("%25", "%", "%0A", "\n", "%0D", "\r").Replace(name)
			content, err := os.ReadFile(filepath.Join(bag, name))
			require.NoError(t, err)
			got := sha512.Sum512(content)
			require.Equal(t, hex.EncodeToString(got[:]), sum, name)
			named[name] = true
		}
		require.NoError(t, fs.WalkDir(os.DirFS(bag), ".", func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && path != "tagmanifest-sha512.txt" && strings.HasPrefix(path, "data/") == payload {
				require.True(t, named[path], "%s is not in %s", path, manifest)
			}
			return err
		}))
	}
	declaration, err := os.ReadFile(filepath.Join(bag, "bagit.txt"))
	require.NoError(t, err)
	require.Equal(t, "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n", string(declaration))
}

func TestTheSameRunGivesTheSameBytes(t *testing.T) {
	store, id := recorded(t, nil)
	_, one := unpacked(t, sourceOf(t, store, id))
	_, other := unpacked(t, sourceOf(t, store, id))
	require.Equal(t, one, other)
}

// TestWhatWasChangedIsInNoCrate changes each source of bytes in turn.
func TestWhatWasChangedIsInNoCrate(t *testing.T) {
	for _, name := range []string{"record.json", "statement.dsse.json", "files/" + released, "code"} {
		for how, change := range map[string]func([]byte) []byte{
			"another byte": func(text []byte) []byte { text[0] ^= 1; return text },
			"shorter":      func(text []byte) []byte { return text[:len(text)-1] },
			"longer":       func(text []byte) []byte { return append(text, '\n') },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				store, id := recorded(t, nil)
				source := sourceOf(t, store, id)
				file := filepath.Join(store.Path(id), name)
				if name == "code" {
					file = filepath.Join(store.Path(id), source.Record.Code)
				}
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				require.NoError(t, os.Chmod(file, 0o600))
				require.NoError(t, os.WriteFile(file, change(text), 0o600))
				err = crate.Write(t.Context(), &bytes.Buffer{}, source)
				require.True(t, isOf(err, digest.ErrMismatch, digest.ErrSize), "%v", err)
			})
		}
	}
}

func TestWhatCannotBeACrate(t *testing.T) {
	store, id := recorded(t, func(entry *records.Entry) { entry.KeepCode = false })
	require.ErrorIs(t, crate.Write(t.Context(), &bytes.Buffer{}, sourceOf(t, store, id)), crate.ErrNoCode)

	store, id = recorded(t, nil)
	source := sourceOf(t, store, id)
	source.Events = nil
	require.ErrorIs(t, crate.Write(t.Context(), &bytes.Buffer{}, source), crate.ErrNoEvent)

	decide(t, store, records.Event{RunID: id, OK: new(false)})
	require.ErrorIs(t, crate.Write(t.Context(), &bytes.Buffer{}, sourceOf(t, store, id)), crate.ErrNotReleased)
	decide(t, store, records.Event{RunID: id, OK: new(true)})
	bag, _ := unpacked(t, sourceOf(t, store, id))
	require.Len(t, graphOf(t, filepath.Join(bag, "data/ro-crate-metadata.json")).ofType("AssessAction"), 4)
}

// decide has the chain say that somebody has decided on a run, by the key that is in use.
func decide(t *testing.T, store *records.Store, about records.Event) {
	t.Helper()
	about.Kind = records.KindRelease
	for event, err := range store.Events(t.Context()) {
		require.NoError(t, err)
		if sum := event.Subject(records.RoleKey); sum != "" {
			about.Subjects = []records.Subject{{Role: records.RoleKey, SHA256: sum}}
		}
	}
	require.NoError(t, store.Append(t.Context(), about))
}

// TestUsersWithoutNamesAreApart: what nobody has named is told apart by its number.
func TestUsersWithoutNamesAreApart(t *testing.T) {
	store, id := recorded(t, func(entry *records.Entry) { entry.Actor = job.Actor{UID: new(uint32(1000))} })
	decide(t, store, records.Event{RunID: id, OK: new(true), Actor: job.Actor{UID: new(uint32(1001))}})
	decide(t, store, records.Event{RunID: id, OK: new(true), Actor: job.Actor{UID: new(uint32(1000))}})
	bag, _ := unpacked(t, sourceOf(t, store, id))
	require.Len(t, graphOf(t, filepath.Join(bag, "data/ro-crate-metadata.json")).ofType("Person"), 2)
}

// TestNothingIsClaimedThatHasNotBeen: reviews are those that status and chain tell of.
func TestNothingIsClaimedThatHasNotBeen(t *testing.T) {
	for _, one := range []struct {
		status job.Status
		guard  job.Guard
		want   []string
	}{
		{job.Succeeded, job.GuardEnforced, []string{"#vetting Completed", "#verification Completed"}},
		{job.Succeeded, job.GuardOff, []string{"#verification Completed"}},
		{job.Failed, job.GuardEnforced, []string{"#vetting Completed"}},
		{job.Rejected, job.GuardEnforced, []string{"#vetting Failed"}},
		{job.TimedOut, job.GuardEnforced, nil},
		{job.Cancelled, job.GuardEnforced, nil},
	} {
		t.Run(fmt.Sprint(one.status, " ", one.guard), func(t *testing.T) {
			store, id := recorded(t, func(entry *records.Entry) {
				entry.Result.Status, entry.Result.Provenance.Guard = one.status, one.guard
			})
			bag, _ := unpacked(t, sourceOf(t, store, id))
			g := graphOf(t, filepath.Join(bag, "data/ro-crate-metadata.json"))
			var got []string
			for _, action := range g.ofType("AssessAction") {
				got = append(got, fmt.Sprintf("%s %s", action["@id"], strings.TrimSuffix(strings.TrimPrefix(text(action["actionStatus"]), "http://schema.org/"), "ActionStatus")))
			}
			require.Equal(t, one.want, got)
			require.Empty(t, g.faults(os.DirFS(filepath.Join(bag, "data"))))
		})
	}
}

// TestFindingsWaitForAPerson: what a check for disclosure has found is pending, until somebody decides.
func TestFindingsWaitForAPerson(t *testing.T) {
	for _, one := range []struct {
		review job.Review
		want   string
	}{
		{job.Review{Complete: true}, "Automated disclosure checks: nothing to look at http://schema.org/CompletedActionStatus"},
		{job.Review{Needed: true, Complete: true, Findings: []job.ReviewFinding{{}}}, "Automated disclosure checks: findings: 1, on which nobody has decided: pending http://schema.org/PotentialActionStatus"},
		{job.Review{Needed: true}, "Automated disclosure checks: not complete, findings: 0, on which nobody has decided: pending http://schema.org/PotentialActionStatus"},
	} {
		store, id := recorded(t, func(entry *records.Entry) { entry.Result.Review = &one.review })
		bag, _ := unpacked(t, sourceOf(t, store, id))
		g := graphOf(t, filepath.Join(bag, "data/ro-crate-metadata.json"))
		require.Equal(t, one.want, text(g.get("#disclosure")["name"])+" "+text(g.get("#disclosure")["actionStatus"]))
		require.Empty(t, g.faults(os.DirFS(filepath.Join(bag, "data"))))
		decide(t, store, records.Event{RunID: id, OK: new(true)})
		bag, _ = unpacked(t, sourceOf(t, store, id))
		require.Equal(t, one.review.Needed, graphOf(t, filepath.Join(bag, "data/ro-crate-metadata.json")).get("#disclosure") == nil)
	}
}

func isOf(err error, causes ...error) bool {
	for _, cause := range causes {
		if err != nil && strings.Contains(err.Error(), cause.Error()) {
			return true
		}
	}
	return false
}
