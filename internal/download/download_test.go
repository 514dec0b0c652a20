package download_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/download"
)

var content = bytes.Repeat([]byte("a,b\n1,2\n"), 50_000)

// place is a directory, and the options to fetch content into it from a server.
func place(t *testing.T, serve http.HandlerFunc) (string, download.Options) {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	return dir, download.Impatient(download.Options{
		URL: server.URL + "/table.csv", SHA256: digest.Of(content).Hex(), MaxBytes: 1 << 20, Dir: root, Name: "table.csv",
	}, time.Minute)
}

func whole(w http.ResponseWriter, r *http.Request) {
	http.ServeContent(w, r, "table.csv", time.Time{}, bytes.NewReader(content))
}

func requireWhole(t *testing.T, dir string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, "table.csv"))
	require.NoError(t, err)
	require.Equal(t, digest.Of(content), digest.Of(got))
	require.NoFileExists(t, filepath.Join(dir, "table.csv.part"))
}

func TestFetchIsToldOfItsProgress(t *testing.T) {
	dir, options := place(t, whole)
	var last, of int64
	options.Progress = func(done, total int64) { last, of = done, total }
	require.NoError(t, download.Fetch(t.Context(), options))
	requireWhole(t, dir)
	require.EqualValues(t, len(content), last)
	require.EqualValues(t, len(content), of)
	require.ErrorContains(t, download.Fetch(t.Context(), options), "is there already")
}

func TestFetchGoesOnWhereItBrokeOff(t *testing.T) {
	var asked atomic.Int64
	var ranges []string
	dir, options := place(t, func(w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		if asked.Add(1) == 1 {
			w.Header().Set("Content-Length", strconv.Itoa(len(content)))
			_, _ = w.Write(content[:100_000])
			panic(http.ErrAbortHandler)
		}
		whole(w, r)
	})
	require.NoError(t, download.Fetch(t.Context(), options))
	requireWhole(t, dir)
	require.Len(t, ranges, 2)
	require.Regexp(t, `^bytes=[0-9]+-$`, ranges[1])
}

// What a process that was killed has left is gone on with, whatever it is.
func TestFetchGoesOnWithAPart(t *testing.T) {
	for name, part := range map[string][]byte{
		"a beginning": content[:4096], "nothing": {}, "all of it": content, "something else": bytes.Repeat([]byte("x"), 5000),
		"more than all": append(bytes.Clone(content), content...),
	} {
		t.Run(name, func(t *testing.T) {
			dir, options := place(t, whole)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "table.csv.part"), part, 0o600))
			require.NoError(t, download.Fetch(t.Context(), options))
			requireWhole(t, dir)
		})
	}
}

func TestFetchBeginsAnewWhereTheServerKnowsNoRanges(t *testing.T) {
	dir, options := place(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
	require.NoError(t, os.WriteFile(filepath.Join(dir, "table.csv.part"), content[:4096], 0o600))
	require.NoError(t, download.Fetch(t.Context(), options))
	requireWhole(t, dir)
}

func TestFetchKeepsNothingThatIsNotWhatWasAskedFor(t *testing.T) {
	for name, test := range map[string]struct {
		serve http.HandlerFunc
		spoil func(*download.Options)
		want  string
		tries int64
	}{
		"other content":        {serve: func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("other")) }, want: "not what the sha256 names", tries: 1},
		"no file":              {serve: http.NotFound, want: "answers 404 Not Found", tries: 1},
		"a broken server":      {serve: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, want: "answers 502 Bad Gateway", tries: 5},
		"too much, as it says": {serve: whole, spoil: func(o *download.Options) { o.MaxBytes = 1000 }, want: "more than 1000 bytes: allow more with --max-size", tries: 1},
		"too much, without a word": {serve: func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			_, _ = w.Write(content)
		}, spoil: func(o *download.Options) { o.MaxBytes = 1000 }, want: "more than 1000 bytes", tries: 1},
		"a server that sends nothing": {serve: func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, spoil: func(o *download.Options) { *o = download.Impatient(*o, 20*time.Millisecond) }, want: "the server sent nothing for 20ms", tries: 5},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			dir, options := place(t, func(w http.ResponseWriter, r *http.Request) { asked.Add(1); test.serve(w, r) })
			if test.spoil != nil {
				test.spoil(&options)
			}
			require.ErrorContains(t, download.Fetch(t.Context(), options), test.want)
			require.Empty(t, entries(t, dir))
			require.Equal(t, test.tries, asked.Load())
		})
	}
}

func TestFetchRefusesWhatMeansNothing(t *testing.T) {
	_, options := place(t, whole)
	for name, spoil := range map[string]func(*download.Options){
		"begin with https://":       func(o *download.Options) { o.URL = "ftp://example.org/x" },
		"and name a host":           func(o *download.Options) { o.URL = "https:///x" },
		"64 lower-case hexadecimal": func(o *download.Options) { o.SHA256 = digest.Hex(strings.ToUpper(string(o.SHA256))) },
	} {
		spoilt := options
		spoil(&spoilt)
		require.ErrorContains(t, download.Fetch(t.Context(), spoilt), name)
	}
}

func TestFetchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir, options := place(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(content[:70_000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	options.Progress = func(int64, int64) { cancel() }
	err := download.Fetch(ctx, options)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "the same command goes on with them")
	require.Equal(t, []string{"table.csv.part"}, entries(t, dir))
}

// A link in the place of the part leads nowhere outside of the directory.
func TestFetchWritesBelowItsDirectoryOnly(t *testing.T) {
	dir, options := place(t, whole)
	victim := filepath.Join(t.TempDir(), "victim")
	require.NoError(t, os.WriteFile(victim, []byte("mine"), 0o600))
	require.NoError(t, os.Symlink(victim, filepath.Join(dir, "table.csv.part")))
	require.Error(t, download.Fetch(t.Context(), options))
	got, err := os.ReadFile(victim)
	require.NoError(t, err)
	require.Equal(t, "mine", string(got))
}
