package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"hotcell/api"
)

// fileService lists one file, and answers each time it is asked for as a test says.
func fileService(t *testing.T, listed api.FileInfo, answer func(w http.ResponseWriter, r *http.Request, time int)) *served {
	times := 0
	return serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if strings.HasSuffix(r.URL.Path, "/files") {
			say(w, 200, map[string]any{"files": []any{listed}})
			return
		}
		times++
		answer(w, r, times)
	})
}

func readFile(t *testing.T, client *Client, path string) (string, error) {
	t.Helper()
	from, err := client.OpenFile(t.Context(), parseID(t, testID), path)
	if err != nil {
		return "", err
	}
	defer from.Close()
	content, err := io.ReadAll(from)
	return string(content), err
}

const content = "a file of some length, which is cut in the middle"

func TestAFileIsReadToItsEnd(t *testing.T) {
	listed := file("figures/a b.txt", content)
	service := fileService(t, listed, func(w http.ResponseWriter, r *http.Request, time int) {
		at := 0
		if given := r.Header.Get("Range"); given != "" {
			if r.Header.Get("If-Range") != `"`+listed.SHA256+`"` {
				panic("another file")
			}
			_, _ = fmt.Sscanf(given, "bytes=%d-", &at)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", at, len(content)-1, len(content)))
		}
		w.Header().Set("Content-Type", "text/plain")
		switch time {
		case 1:
			_, _ = w.Write([]byte(content[:10]))
			abort(w)
		case 2: // from the beginning, as one may that knows no ranges
			w.Header().Del("Content-Range")
			_, _ = w.Write([]byte(content[:20]))
			abort(w)
		case 3:
			w.WriteHeader(http.StatusBadGateway)
		case 4:
			refuse(w, 503, 1, "busy")
		default:
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write([]byte(content[at:]))
		}
	})
	got, err := readFile(t, service.client(t), "figures/a b.txt")
	require.NoError(t, err)
	require.Equal(t, content, got)
	require.Equal(t, "/v1/runs/"+testID+"/files/figures/a%20b.txt", service.requests()[1].RequestURI)
	require.Len(t, service.requests(), 6)
}

func TestAFileThatIsAnotherIsNone(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter){
		"another content": func(w http.ResponseWriter) { _, _ = w.Write([]byte(strings.ToUpper(content))) },
		"more of it":      func(w http.ResponseWriter) { _, _ = w.Write([]byte(content + "!")) },
	} {
		service := fileService(t, file("a.txt", content), func(w http.ResponseWriter, _ *http.Request, _ int) { answer(w) })
		_, err := readFile(t, service.client(t), "a.txt")
		require.ErrorIs(t, err, ErrMismatch, name)
	}
	for name, part := range map[string]string{"no range": "", "another": "bytes 3-48/49", "of another size": "bytes 10-48/50", "and longer": "bytes 10-49/49"} {
		service := fileService(t, file("a.txt", content), func(w http.ResponseWriter, r *http.Request, time int) {
			w.Header().Set("Content-Type", "text/plain")
			if time == 1 {
				_, _ = w.Write([]byte(content[:10]))
				abort(w)
			}
			if part != "" {
				w.Header().Set("Content-Range", part)
			}
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write([]byte(content[10:]))
		})
		_, err := readFile(t, service.client(t), "a.txt")
		_, ok := errors.AsType[*AnswerError](err)
		require.True(t, ok, "%s: %v", name, err)
	}
}

func TestAnEmptyFile(t *testing.T) {
	service := fileService(t, file("a.txt", ""), func(http.ResponseWriter, *http.Request, int) {})
	got, err := readFile(t, service.client(t), "a.txt")
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestAFileThatNeverEndsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listed := file("a.txt", content)
		client := inBubble(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			<-r.Context().Done()
		})
		from, err := client.OpenListed(t.Context(), parseID(t, testID), listed)
		require.NoError(t, err)
		_, err = io.ReadAll(from)
		require.ErrorIs(t, err, errIdle)
		require.NoError(t, from.Close())
		_, err = from.Read(make([]byte, 1))
		require.Error(t, err)
	})
	ctx, cancel := context.WithCancel(t.Context())
	service := fileService(t, file("a.txt", content), func(w http.ResponseWriter, r *http.Request, _ int) {
		_, _ = w.Write([]byte(content[:3]))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	from, err := service.client(t).OpenListed(ctx, parseID(t, testID), file("a.txt", content))
	require.NoError(t, err)
	defer from.Close()
	_, err = io.ReadFull(from, make([]byte, 3))
	require.NoError(t, err)
	cancel()
	_, err = io.ReadAll(from)
	require.ErrorIs(t, err, context.Canceled)
}

func TestAListWithHostileNamesIsNone(t *testing.T) {
	for _, path := range []string{"", "../a", "/etc/passwd", "a/../../b", "a//b", "a/./b", ".", "..", "a\x00b", "a\nb", "a\\b", "C:\\a", "\u202etxt.exe", strings.Repeat("a/", 2000)} {
		service := fileService(t, file(path, "x"), func(http.ResponseWriter, *http.Request, int) { panic("asked for it") })
		files, err := service.client(t).Files(t.Context(), parseID(t, testID))
		_, ok := errors.AsType[*AnswerError](err)
		require.True(t, ok, "%q: %v", path, err)
		require.Empty(t, files)
		_, err = service.client(t).OpenListed(t.Context(), parseID(t, testID), file(path, "x"))
		require.Error(t, err)
	}
	for name, wrong := range map[string]func(f *api.FileInfo){
		"no hash":      func(f *api.FileInfo) { f.SHA256 = "" },
		"a short one":  func(f *api.FileInfo) { f.SHA256 = f.SHA256[2:] },
		"in capitals":  func(f *api.FileInfo) { f.SHA256 = strings.ToUpper(f.SHA256) },
		"quotes in it": func(f *api.FileInfo) { f.SHA256 = `"` + f.SHA256[1:] },
		"below zero":   func(f *api.FileInfo) { f.Bytes = -1 },
	} {
		listed := file("a.txt", "x")
		wrong(&listed)
		service := fileService(t, listed, func(http.ResponseWriter, *http.Request, int) {})
		_, err := service.client(t).Files(t.Context(), parseID(t, testID))
		require.Error(t, err, name)
	}
	require.Error(t, checkFiles([]api.FileInfo{file("a", "x"), file("a", "y")}))
}

func TestAFileThatIsNotListed(t *testing.T) {
	service := fileService(t, file("a.txt", content), func(http.ResponseWriter, *http.Request, int) { panic("asked for it") })
	_, err := readFile(t, service.client(t), "b.txt")
	problem, ok := errors.AsType[*api.Problem](err)
	require.True(t, ok)
	require.Equal(t, 404, problem.Status)
	require.Len(t, service.requests(), 1)
}

func TestARecordIsAsItIsKept(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		w.Header().Set("Content-Type", "application/vnd.in-toto+json")
		if strings.HasSuffix(r.URL.Path, "/record") {
			_, _ = w.Write([]byte(`{"a": 1, "unknown": [2]}`))
			return
		}
		_, _ = w.Write([]byte(`{"a":1}{}`))
	})
	got, err := service.client(t).Record(t.Context(), parseID(t, testID))
	require.NoError(t, err)
	require.Equal(t, `{"a": 1, "unknown": [2]}`, string(got)) //nolint:testifylint // byte for byte
	_, err = service.client(t).Attestation(t.Context(), parseID(t, testID))
	require.Error(t, err)
}
