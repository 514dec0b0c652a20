package engineapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/admission"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// stateDir is where the host of these tests keeps everything: no front hears of it.
const stateDir = "/srv/hotcell-state"

// errPlaces is an error that names the host's places in all the ways in which errors do.
var errPlaces = errors.Join(
	fmt.Errorf("open policy directory: %w", &fs.PathError{Op: "open", Path: stateDir + "/all policies/p.yaml", Err: fs.ErrPermission}),
	fmt.Errorf("%w: %s/tools.yaml is writable by its group", runner.ErrInput, stateDir),
	fmt.Errorf("look for run: %q exists, and '%s/runs/1'", stateDir+"/runs of all", stateDir),
	&os.LinkError{Op: "rename", Old: stateDir + "/a b", New: stateDir + "/c d", Err: fs.ErrExist},
	fmt.Errorf("dial unix://%s/engine.sock (see file:%[1]s/log)", stateDir),
	&runner.GuardError{Reason: "no image at " + stateDir + "/images"},
)

// toldPlaces is a response that knows its places.
func toldPlaces(id job.ID) runner.Response {
	said := responseOf(job.Succeeded)
	said.Result.RunID = id
	said.RecordDir, said.QuarantineDir, said.CodeFile = stateDir+"/runs/1", stateDir+"/quarantine/1", stateDir+"/runs/1/code.py"
	return said
}

// telling tells of its places wherever it can.
type telling struct{ fails bool }

func (s *telling) err() error {
	if s.fails {
		return errPlaces
	}
	return nil
}

func (s *telling) Outcome(_ context.Context, id job.ID, _ job.Actor) (Outcome, error) {
	if s.fails {
		return Outcome{}, errPlaces
	}
	return Outcome{FateEnded, toldPlaces(id), errPlaces}, nil
}

func (s *telling) Fate(_ context.Context, id job.ID) (Fate, error) {
	if id == idOf(9) && !s.fails {
		return FateEnded, nil
	}
	return FateUnknown, s.err()
}

func (s *telling) List(context.Context, string, int) ([]Recorded, string, error) {
	return nil, "", s.err()
}

func (s *telling) Read(context.Context, job.ID, job.Actor, string) (io.ReadCloser, int64, error) {
	return nil, 0, errPlaces
}

func (s *telling) Policies(context.Context) ([]api.PolicyInfo, error) { return nil, s.err() }

func (s *telling) Policy(context.Context, string) (api.PolicyInfo, error) {
	return api.PolicyInfo{}, s.err()
}

func (s *telling) Bundles(context.Context) ([]api.BundleInfo, error) { return nil, s.err() }

func (s *telling) Bundle(context.Context, string) (api.BundleInfo, error) {
	return api.BundleInfo{}, s.err()
}

func (s *telling) Tools(context.Context) ([]api.ToolInfo, error) { return nil, s.err() }

// placesSession tells of its places in each answer, and in why it is over.
type placesSession struct {
	*playedSession

	id job.ID
}

func (s placesSession) Step(context.Context, runner.Script) (runner.Response, error) {
	return toldPlaces(idOf(5)), errPlaces
}

func (s placesSession) Close(context.Context) (runner.Response, error) {
	return toldPlaces(s.id), errPlaces
}
func (s placesSession) Over() string { return "its sandbox has ended: no " + stateDir + "/sandboxes" }

// TestNoAnswerToAFrontHasAPlaceOfTheHost asks all that a front can ask, of an engine that tells of
// its places whatever it is asked.
func TestNoAnswerToAFrontHasAPlaceOfTheHost(t *testing.T) {
	for _, fails := range []bool{false, true} {
		s := newFrontScene(t, tellsPlaces(fails), admission.Options{Places: 2, Queue: 4, Queues: 8})
		all := &telling{fails: fails}
		front, options := s.server.front, &s.server.front.options
		options.Archive, options.Catalogue = all, all
		options.Prepare = func(context.Context, runner.Ask) (func(context.Context) (runner.Response, error), error) {
			return nil, errPlaces
		}
		s.server.options.About.Daemon = "unix://" + stateDir + "/docker.sock"
		s.server.options.Templates = func() ([]Kind, int64) { return []Kind{{Failure: errPlaces.Error()}}, 0 }
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", s.path)
		}}}
		names := slices.Sorted(maps.Keys(front.handlers))
		require.Len(t, names, 18)
		for _, name := range names {
			for _, asked := range questionsOf(t, name) {
				said := rawAnswer(t, client, name, asked)
				require.NotContains(t, said, "hotcell-state", "%s %s", name, asked)
				require.NotContains(t, said, `_dir":"/`)
			}
		}
		if fails { // it never came
			continue
		}
		require.Equal(t, FateEnded, s.outcome(t, idOf(3)).Fate, "what a run leaves is answered when it has ended")
		for _, name := range []string{"outcome", "follow"} {
			said := rawAnswer(t, client, name, string(encoded(t, question{ID: idOf(3), Principal: "user:anna"})))
			require.NotContains(t, said, "hotcell-state", name)
			require.Contains(t, said, "…/tools.yaml is writable by its group", "what the way out is is told")
		}
	}
}

func tellsPlaces(fails bool) played {
	ended := func(id job.ID) (runner.Response, error) {
		if fails {
			return runner.Response{}, errPlaces
		}
		return toldPlaces(id), errPlaces
	}
	return played{
		run:   func(_ context.Context, ask runner.Ask) (runner.Response, error) { return ended(ask.ID) },
		check: func(context.Context, runner.Ask) (runner.Checked, error) { return runner.Checked{}, errPlaces },
		open: func(ctx context.Context, ask runner.Ask) (Session, error) {
			if fails {
				return nil, errPlaces
			}
			return placesSession{newPlayedSession(ctx, ask), ask.ID}, nil
		},
	}
}

// questionsOf are bodies of requests. A front's is one line, and a session's are several.
func questionsOf(t *testing.T, name string) []string {
	t.Helper()
	asks := func(id job.ID, request request) string {
		return string(encoded(t, given{ID: id, Principal: "user:anna", Request: request}))
	}
	plain := request{Policy: "p", Tools: []tool{}}
	step := string(encoded(t, step{Code: []byte("x"), Name: "step-1.py"}))
	switch name {
	case "engine", "status", "policies", "bundles", "tools":
		return []string{"{}\n"}
	case "resolve", "check":
		broken := plain
		broken.Policy = "broken"
		return []string{asks(job.ID{}, plain), asks(job.ID{}, broken), "no line"}
	case "start":
		return []string{asks(idOf(3), plain), asks(job.ID{}, plain)}
	case "session":
		return []string{asks(idOf(4), plain) + step, asks(idOf(9), plain), asks(idOf(4), plain)}
	}
	var all []string
	for _, id := range []job.ID{idOf(9), idOf(8), {}} {
		all = append(all, string(encoded(t, question{ID: id, Principal: "user:anna", Name: "record"})))
	}
	return all
}

func encoded(t *testing.T, message any) []byte {
	t.Helper()
	text, err := encode(message)
	require.NoError(t, err)
	return text
}

func rawAnswer(t *testing.T, client *http.Client, name, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://engine"+frontPath(name), bytes.NewReader([]byte(body)))
	require.NoError(t, err)
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NotEmpty(t, said, name)
	return strings.ReplaceAll(string(said), `\/`, "/")
}

// TestACommandOfTheHostHearsItsPlaces: what a front does not hear, root does.
func TestACommandOfTheHostHearsItsPlaces(t *testing.T) {
	said := inside().answer(toldPlaces(idOf(1)), errPlaces)
	require.Equal(t, errPlaces.Error(), said.Error.Message)
	require.Equal(t, stateDir+"/runs/1", said.Run.RecordDir)
	require.Equal(t, stateDir+"/runs/1/code.py", said.Run.CodeFile)
}

func TestWhatIsLeftOfAPath(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		"open /var/lib/hotcell/a.yaml: no":     "open …/a.yaml: no",
		"/var/lib/x is there already":          "…/x is there already",
		`open "/var/lib/my state/x": no`:       `open "…/x": no`,
		"`chmod 600 /etc/hotcell/key.pem`":     "`chmod 600 …/key.pem`",
		"a/b, 3/4 and either/or stay; so / is": "a/b, 3/4 and either/or stay; so / is",
		"see https://example.org/a/b":          "see https://example.org/a/b",
		"unix:///run/hotcell/e.sock":           "unix:…/e.sock",
		"=/a/b,/c/d;[/e/f](/g/h)":              "=…/b,…/d;[…/f](…/h)",
		"/a/b\n/c/d":                           "…/b\n…/d",
		"mount /:/a/..//b":                     "mount /:…/b",
	} {
		require.Equal(t, want, withoutPlaces(text, nil))
		require.Equal(t, want, withoutPlaces(want, nil), "it is told the same again")
	}
	var decoded fault
	require.NoError(t, json.Unmarshal(encoded(t, (audience{}).fault(errPlaces)), &decoded))
	require.NotContains(t, decoded.Message, "all policies")
	require.Contains(t, decoded.Message, "open …/p.yaml: permission denied")
	require.Contains(t, decoded.Message, "rename …/a b …/c d: file already exists")
	require.Equal(t, []class{"input", "guard"}, decoded.Classes)
}
