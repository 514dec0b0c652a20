package httpapi_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/digest"
	"hotcell/internal/service"
)

const content = "age,n\n30,12\n"

// withFiles is a desk with a run that has ended, and where its files are.
func withFiles(t *testing.T, files map[string]string) (*desk, string) {
	d := newDesk(t, noLimits)
	id := d.create("anna", "")
	d.fake.end(id, files)
	return d, "/v1/runs/" + id.String() + "/files"
}

func TestAFileIsSentForSaving(t *testing.T) {
	d, files := withFiles(t, map[string]string{"tables/ages.csv": content})
	got := d.do(asking{method: "GET", path: files, as: "anna"})
	require.Contains(t, got.body, `"tables/ages.csv"`)
	got = d.do(asking{method: "GET", path: files + "/tables/ages.csv", as: "anna"})
	require.Equal(t, http.StatusOK, got.status)
	require.Equal(t, content, got.body)
	sum := sha256.Sum256([]byte(content))
	for name, want := range map[string]string{
		"ETag":                    `"` + string(digest.Of([]byte(content)).Hex()) + `"`,
		"Repr-Digest":             "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":",
		"Content-Disposition":     `attachment; filename="ages.csv"`,
		"X-Content-Type-Options":  "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
		"Content-Type":            "text/csv; charset=utf-8",
		"Cache-Control":           "private, no-cache",
		"Content-Length":          "12",
	} {
		require.Equal(t, want, got.header.Get(name), name)
	}
	require.Equal(t, []string{"files/tables/ages.csv"}, d.fake.reads)
}

func TestWhoHasAFileReadsNothing(t *testing.T) {
	d, files := withFiles(t, map[string]string{"a.csv": content})
	tag := `"` + string(digest.Of([]byte(content)).Hex()) + `"`
	for _, header := range []map[string]string{{"If-None-Match": tag}, {"If-None-Match": `"x", W/` + tag}, {"If-None-Match": "*"}} {
		require.Equal(t, http.StatusNotModified, d.do(asking{method: "GET", path: files + "/a.csv", as: "anna", header: header}).status)
	}
	require.Equal(t, http.StatusPreconditionFailed, d.do(asking{method: "GET", path: files + "/a.csv", as: "anna", header: map[string]string{"If-Match": `"x"`}}).status)
	got := d.do(asking{method: "HEAD", path: files + "/a.csv", as: "anna"})
	require.Equal(t, "12", got.header.Get("Content-Length"))
	require.Empty(t, d.fake.reads, "nothing was read, so nothing is recorded as read")
}

func TestRangesOfAFile(t *testing.T) {
	d, files := withFiles(t, map[string]string{"a.csv": content, "empty.csv": ""})
	for _, one := range []struct {
		asks   string
		status int
		body   string
	}{
		{"bytes=0-2", 206, "age"},
		{"bytes=6-", 206, content[6:]},
		{"bytes=-3", 206, content[9:]},
		{"bytes=4-100", 206, content[4:]},
		{"bytes=0-1,4-5", 200, content},
		{"lines=1", 416, ""},
		{"bytes=12-", 416, ""},
		{"bytes=5-2", 416, ""},
		{"bytes=99999999999999999999-", 416, ""},
	} {
		ask := asking{method: "GET", path: files + "/a.csv", as: "anna", header: map[string]string{"Range": one.asks}}
		if one.status == 416 {
			got := d.refused(ask, 416, "range")
			require.Equal(t, "the file has no such range", got.Title)
			continue
		}
		got := d.do(ask)
		require.Equal(t, one.status, got.status, one.asks)
		require.Equal(t, one.body, got.body, one.asks)
	}
	other := map[string]string{"Range": "bytes=0-2", "If-Range": `"other"`}
	require.Equal(t, content, d.do(asking{method: "GET", path: files + "/a.csv", as: "anna", header: other}).body)
	require.Equal(t, 200, d.do(asking{method: "GET", path: files + "/empty.csv", as: "anna"}).status)
	require.Contains(t, d.fake.reads, "files/empty.csv", "an empty file is read, too")
}

func TestPathsOfFilesLeadNowhereElse(t *testing.T) {
	d, files := withFiles(t, map[string]string{"a.csv": content, "sub/b.csv": content, "ü b.csv": content})
	for _, name := range []string{"a.csv", "sub/b.csv", "%C3%BC%20b.csv"} {
		require.Equal(t, http.StatusOK, d.do(asking{method: "GET", path: files + "/" + name, as: "anna"}).status, name)
	}
	d.fake.reads = nil
	for _, name := range []string{
		"/..", "/../record", "/%2e%2e/record", "/.%2e/record", "/sub/../a.csv", "/sub/%2e%2e/a.csv", "/./a.csv", "//a.csv", "/sub//b.csv", "/",
		"/a.csv/", "/sub%2fb.csv", "/sub%2Fb.csv", "/sub%5cb.csv", `/sub\b.csv`, "/a.csv%00", "/%00", "/a.csv%0a", "/A.CSV", "/a.csv.", "/a.csv%20",
		"/%252e%252e/record", "/" + strings.Repeat("x/", 600), "/" + strings.Repeat("y", 5000), "/%ff", "/" + strings.Repeat("%C3%BC", 400), "/sub",
	} {
		d.refused(asking{method: "GET", path: files + name, as: "anna"}, http.StatusNotFound, "not-found")
	}
	require.Empty(t, d.fake.reads)
}

func TestNamesForSavingAreSafe(t *testing.T) {
	for name, want := range map[string]string{
		"a\"b;c.csv": "a_b_c.csv", "ü.csv": "_.csv", "sub/.htaccess": "htaccess", "...": "file", "a b\r\nSet-Cookie: x.csv": "a_b__Set-Cookie__x.csv",
		strings.Repeat("n", 200) + ".csv": strings.Repeat("n", 96) + ".csv",
	} {
		d, files := withFiles(t, map[string]string{name: content})
		got := d.do(asking{method: "GET", path: files, as: "anna"})
		require.Equal(t, http.StatusOK, got.status)
		if strings.ContainsAny(name, "\r\n") || name == "..." {
			continue // no path of a request
		}
		got = d.do(asking{method: "GET", path: files + "/" + escape(name), as: "anna"})
		require.Equal(t, `attachment; filename="`+want+`"`, got.header.Get("Content-Disposition"))
	}
}

func escape(name string) string {
	return strings.NewReplacer(`"`, "%22", ";", "%3B", "ü", "%C3%BC").Replace(name)
}

func TestRecordsAreReadByWhoMay(t *testing.T) {
	d, files := withFiles(t, nil)
	run := strings.TrimSuffix(files, "/files")
	got := d.do(asking{method: "GET", path: run + "/record", as: "anna"})
	require.JSONEq(t, `{"of":"record"}`, got.body)
	got = d.do(asking{method: "GET", path: run + "/attestation", as: "anna"})
	require.JSONEq(t, `{"of":"statement"}`, got.body)
	for path, part := range map[string]string{"/record": "record", "/attestation": "statement"} {
		d.fake.reads = nil
		got = d.do(asking{method: "HEAD", path: run + path, as: "anna"})
		require.Equal(t, http.StatusOK, got.status)
		require.Equal(t, strconv.Itoa(len(`{"of":""}`)+len(part)), got.header.Get("Content-Length"))
		require.Equal(t, []string{part}, d.fake.reads, "only who opens it knows whether there is one")
	}
	for _, path := range []string{"/files", "/record", "/attestation", "/files/a"} {
		d.refused(asking{method: "GET", path: "/v1/runs/" + d.create("anna", "").String() + path, as: "anna"}, http.StatusConflict, "not-ended")
		d.refused(asking{method: "GET", path: run + path, as: "runner"}, http.StatusForbidden, "scope")
	}
}

// TestHeadIsAnsweredAsGet: a run has no statement where there was no key, and no record where that was
// deleted.
func TestHeadIsAnsweredAsGet(t *testing.T) {
	d, files := withFiles(t, nil)
	d.fake.content = func(string) (io.ReadCloser, int64, error) { return nil, 0, service.ErrNotFound }
	for _, method := range []string{"GET", "HEAD"} {
		for _, path := range []string{"/record", "/attestation"} {
			got := d.do(asking{method: method, path: strings.TrimSuffix(files, "/files") + path, as: "anna"})
			require.Equal(t, http.StatusNotFound, got.status, "%s %s", method, path)
		}
	}
}

// TestAFileThatCannotBeReadIsNoFile: before its first byte that is a problem, and behind it
// the connection breaks, so that nobody takes a part for the whole.
func TestAFileThatCannotBeReadIsNoFile(t *testing.T) {
	d, files := withFiles(t, map[string]string{"a.csv": content})
	ask := asking{method: "GET", path: files + "/a.csv", as: "anna"}
	d.fake.content = func(string) (io.ReadCloser, int64, error) {
		return nil, 0, fmt.Errorf("read: %w", service.ErrUnavailable)
	}
	told := d.refused(ask, http.StatusServiceUnavailable, "engine-unavailable")
	require.Equal(t, 10, told.RetryAfter)
	d.fake.content = func(string) (io.ReadCloser, int64, error) { return io.NopCloser(strings.NewReader("1")), 1, nil }
	d.refused(ask, http.StatusInternalServerError, "internal")
	d.fake.content = func(string) (io.ReadCloser, int64, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("age"), iotest.ErrReader(errors.New("gone")))), int64(len(content)), nil
	}
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { d.door.ServeHTTP(newRecorder(), ask.request()) })
	d.fake.content = func(string) (io.ReadCloser, int64, error) {
		return io.NopCloser(strings.NewReader("age")), int64(len(content)), nil
	}
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { d.door.ServeHTTP(newRecorder(), ask.request()) })
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		d.door.ServeHTTP(newRecorder(), asking{method: "GET", path: strings.TrimSuffix(files, "/files") + "/record", as: "anna"}.request())
	})
}

func TestActiveFilesAreJustBytes(t *testing.T) {
	d, files := withFiles(t, map[string]string{"a.csv": content})
	for given, want := range map[string]string{
		"text/html": "application/octet-stream", "image/svg+xml": "application/octet-stream", "x\r\ny": "application/octet-stream", "": "application/octet-stream",
		"image/png": "image/png", "text/plain": "text/plain; charset=utf-8",
	} {
		d.fake.mediaType = given
		require.Equal(t, want, d.do(asking{method: "GET", path: files + "/a.csv", as: "anna"}).header.Get("Content-Type"))
	}
	var list api.FileList
	require.NoError(t, decodeAny([]byte(d.do(asking{method: "GET", path: files, as: "anna"}).body), &list))
	require.Equal(t, d.fake.mediaType, list.Files[0].MediaType)
}
