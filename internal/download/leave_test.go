package download_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/download"
)

func entries(t *testing.T, dir string) []string {
	t.Helper()
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, one := range all {
		names = append(names, one.Name())
	}
	return names
}

// TestNoErrorHasASecretOfTheURL: neither of the one that was given, nor of one to which the
// server led.
func TestNoErrorHasASecretOfTheURL(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, serve := range map[string]http.HandlerFunc{
		"an answer": http.NotFound,
		"no server": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, strings.Replace(gone.URL, "http://", "http://user:secret@", 1)+"/x?token=secret#secret", http.StatusFound)
		},
		"another scheme": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///x?token=secret", http.StatusFound)
		},
		"no URL": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://[secret")
			w.WriteHeader(http.StatusFound)
		},
		"a circle": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x?token=secret", http.StatusFound) },
		"a broken end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(content)))
			_, _ = w.Write(content[:5])
			panic(http.ErrAbortHandler)
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, options := place(t, serve)
			options.URL = strings.Replace(options.URL, "http://", "http://secret:secret@", 1) + "?token=secret#secret"
			err := download.Fetch(t.Context(), options)
			require.ErrorContains(t, err, "/table.csv: ")
			require.NotContains(t, err.Error(), "secret")
		})
	}
	_, options := place(t, whole)
	for _, url := range []string{"http://user:secret@[x/", "secret", "ftp://user:secret@host/?secret", "http://host/%zz?secret", "http://host:secret/"} {
		options.URL = url
		err := download.Fetch(t.Context(), options)
		require.ErrorIs(t, err, download.ErrRequest, url)
		require.NotContains(t, err.Error(), "secret")
	}
}

// TestWhoIsLedToIsNotToldTheURLBefore: net/http names it as the referer, its query with it.
func TestWhoIsLedToIsNotToldTheURLBefore(t *testing.T) {
	var told http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { told = r.Header; whole(w, r) }))
	t.Cleanup(other.Close)
	dir, options := place(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) })
	options.URL = strings.Replace(options.URL, "http://", "http://user:secret@", 1) + "?token=secret"
	require.NoError(t, download.Fetch(t.Context(), options))
	requireWhole(t, dir)
	require.Empty(t, told.Get("Referer"))
}

func TestAPartStaysWhereAnotherFetchGoesOnWithIt(t *testing.T) {
	for name, test := range map[string]struct {
		serve   http.HandlerFunc
		stays   bool
		request bool
	}{
		"a broken server":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, true, false},
		"too many requests": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, true, false},
		"a wrong URL":       {http.NotFound, true, true},
		"nobody may":        {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, true, true},
		"other content":     {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("other")) }, false, false},
		"too much":          {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 2<<20)) }, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, options := place(t, test.serve)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "table.csv.part"), content[:100], 0o600))
			err := download.Fetch(t.Context(), options)
			require.Error(t, err)
			require.Equal(t, test.request, errors.Is(err, download.ErrRequest), "%v", err)
			require.Equal(t, name == "other content", errors.Is(err, download.ErrOther))
			if !test.stays {
				require.Empty(t, entries(t, dir))
				return
			}
			require.Equal(t, []string{"table.csv.part"}, entries(t, dir))
			require.ErrorContains(t, err, "table.csv.part has 100 bytes of it: the same command goes on with them")
		})
	}
}
