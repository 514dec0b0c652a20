package registry_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/internal/access"
	"hotcell/internal/digest"
	"hotcell/internal/image/imagetest"
	"hotcell/internal/registry"
)

func TestMain(m *testing.M) {
	// A server gives a client that it has refused half a second to read why.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// TestARuntimePullsABundle as containerd and others do: by a digest, with what a pull secret has.
func TestARuntimePullsABundle(t *testing.T) {
	s := serve(t).start(t)
	for _, as := range []authn.Authenticator{
		&authn.Basic{Username: "anybody", Password: secret}, &authn.Bearer{Token: secret},
	} {
		pulled, err := s.pull(t, "bundle", s.image.Digest, as)
		require.NoError(t, err)
		manifest, err := pulled.RawManifest()
		require.NoError(t, err)
		require.Equal(t, s.image.Manifest, manifest)
		config, err := pulled.RawConfigFile()
		require.NoError(t, err)
		require.Equal(t, s.image.Config, config)
		layers, err := pulled.Layers()
		require.NoError(t, err)
		require.Len(t, layers, 1)
		content, err := layers[0].Compressed()
		require.NoError(t, err)
		sum, size, err := digest.From(content)
		require.NoError(t, errors.Join(err, content.Close()))
		require.Equal(t, s.image.LayerDigest(), sum)
		require.Equal(t, s.image.LayerBytes(), size)
	}
	require.Contains(t, s.log.String(), "msg=sent digest="+s.image.LayerDigest().String()+" client=token:node from=127.0.0.1 bytes=")
	require.Len(t, s.told, 1, "once for a client and a bundle")
	require.Equal(t, registry.Sending{Bundle: s.told[0].Bundle, Client: "token:node", From: "127.0.0.1"}, s.told[0])
	require.Equal(t, s.added.Digest, s.told[0].Bundle.Digest)
}

// TestABundleIsToldOfForEachPlace: a token that many nodes have says little about who had it.
func TestABundleIsToldOfForEachPlace(t *testing.T) {
	s := serve(t).start(t)
	for _, from := range []string{"127.0.0.1", "127.0.0.2", "127.0.0.1"} {
		transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext}
		asked, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+s.layer(), http.NoBody)
		require.NoError(t, err)
		asked.SetBasicAuth("node", secret)
		answer, err := transport.RoundTrip(asked)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, answer.Body)
		require.NoError(t, errors.Join(err, answer.Body.Close()))
		transport.CloseIdleConnections()
	}
	require.Len(t, s.told, 2)
	require.Equal(t, "127.0.0.1", s.told[0].From)
	require.Equal(t, "127.0.0.2", s.told[1].From)
}

func TestARuntimePullsAnImage(t *testing.T) {
	store, built := imagetest.Built(t)
	s := serve(t)
	s.options.Sandbox = registry.Images{Store: store}
	s.start(t)
	pulled, err := s.pull(t, "sandbox", built.Digest, &authn.Basic{Username: "node", Password: secret})
	require.NoError(t, err)
	sum, err := pulled.Digest()
	require.NoError(t, err)
	require.Equal(t, built.Digest.String(), sum.String())
	layers, err := pulled.Layers()
	require.NoError(t, err)
	for _, layer := range layers {
		want, err := layer.Digest()
		require.NoError(t, err)
		content, err := layer.Compressed()
		require.NoError(t, err)
		got, _, err := digest.From(content)
		require.NoError(t, errors.Join(err, content.Close()))
		require.Equal(t, want.String(), got.String())
	}
	require.Empty(t, s.told, "an image has no data")
	answer := s.ask(t, http.MethodGet, "/v2/sandbox/blobs/"+s.image.LayerDigest().String(), nil)
	require.Equal(t, http.StatusNotFound, answer.StatusCode, "a bundle is in the other repository")
}

// TestAStrangerIsToldNothing: what is there and what is not are answered alike.
func TestAStrangerIsToldNothing(t *testing.T) {
	s := serve(t).start(t)
	for _, as := range []string{"", "Bearer wrong", "Basic d3Jvbmc6d3Jvbmc=", "Basic !", "Negotiate x"} {
		var texts []string
		for _, path := range []string{"/v2/", s.layer(), "/v2/bundle/manifests/" + s.image.Digest.String(), "/v2/bundle/manifests/" + digest.Of(nil).String(), "/v2/other/tags/list", "/"} {
			answer := s.ask(t, http.MethodGet, path, map[string]string{"Authorization": as})
			require.Equal(t, http.StatusUnauthorized, answer.StatusCode, path)
			require.Equal(t, `Basic realm="hotcell"`, answer.Header.Get("WWW-Authenticate"))
			texts = append(texts, answer.text)
		}
		for _, text := range texts {
			require.Equal(t, texts[0], text)
			require.Contains(t, text, `"code":"UNAUTHORIZED"`)
		}
	}
	require.Empty(t, s.told)
}

// TestTheProtocolsFirstQuestionIsNoFailure: runtimes ask each thing without a token first.
func TestTheProtocolsFirstQuestionIsNoFailure(t *testing.T) {
	s := serve(t)
	s.options.Authenticator = registry.Probed(access.Limited(s.options.Authenticator, s.options.Logger))
	s.start(t)
	for _, as := range []string{"", "Bearer wrong"} {
		codes := map[int]bool{}
		for range 60 {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/v2/", http.NoBody)
			require.NoError(t, err)
			if as != "" {
				request.Header.Set("Authorization", as)
			}
			answer, err := client(t).Do(request)
			require.NoError(t, err)
			codes[answer.StatusCode] = true
			require.NoError(t, answer.Body.Close())
		}
		require.Equal(t, as != "", strings.Contains(s.log.String(), "nobody that is known"), "what counts is logged")
		require.Equal(t, as != "", codes[http.StatusTooManyRequests], "%q: %v", as, codes)
		require.True(t, codes[http.StatusUnauthorized])
	}
}

func TestWhoMayNotPullGetsNothing(t *testing.T) {
	s := serve(t)
	s.options.Authenticator = known{[]access.Scope{access.ScopeRun, access.ScopeBundles, access.ScopeRecords}}
	s.start(t)
	answer := s.ask(t, http.MethodGet, s.layer(), nil)
	require.Equal(t, http.StatusForbidden, answer.StatusCode)
	require.Contains(t, answer.text, "DENIED")
	answer = s.ask(t, http.MethodGet, s.layer(), map[string]string{"Authorization": "Bearer broken"})
	require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	answer = s.ask(t, http.MethodGet, s.layer(), map[string]string{"Authorization": "Bearer again"})
	require.Equal(t, http.StatusTooManyRequests, answer.StatusCode)
	require.Empty(t, s.told)
}

func TestHeadTellsWhatGetWould(t *testing.T) {
	s := serve(t).start(t)
	for path, part := range map[string]struct {
		sum   digest.Digest
		size  int64
		media string
	}{
		"/v2/bundle/manifests/" + s.image.Digest.String():   {s.image.Digest, int64(len(s.image.Manifest)), "application/vnd.oci.image.manifest.v1+json"},
		"/v2/bundle/blobs/" + s.image.ConfigDigest.String(): {s.image.ConfigDigest, int64(len(s.image.Config)), "application/vnd.oci.image.config.v1+json"},
		s.layer(): {s.image.LayerDigest(), s.image.LayerBytes(), "application/vnd.oci.image.layer.v1.tar"},
	} {
		answer := s.ask(t, http.MethodHead, path, nil)
		require.Equal(t, http.StatusOK, answer.StatusCode, path)
		require.Equal(t, part.size, answer.ContentLength)
		require.Equal(t, part.media, answer.Header.Get("Content-Type"))
		require.Equal(t, part.sum.String(), answer.Header.Get("Docker-Content-Digest"))
		require.Equal(t, "bytes", answer.Header.Get("Accept-Ranges"))
		require.Equal(t, "registry/2.0", answer.Header.Get("Docker-Distribution-Api-Version"))
	}
	require.Empty(t, s.told, "no data was sent")
	answer := s.ask(t, http.MethodGet, "/v2/", nil)
	require.Equal(t, http.StatusOK, answer.StatusCode)
}

func TestRanges(t *testing.T) {
	s := serve(t).start(t)
	whole := s.ask(t, http.MethodGet, s.layer(), nil).text
	size := len(whole)
	for asked, want := range map[string][2]int{
		"bytes=0-0": {0, 1}, "bytes=1000-": {1000, size}, "bytes=5000000-5000099": {5_000_000, 5_000_100},
		"bytes=-10": {size - 10, size}, fmt.Sprintf("bytes=%d-%d", size-1, size+5): {size - 1, size},
	} {
		answer := s.ask(t, http.MethodGet, s.layer(), map[string]string{"Range": asked})
		require.Equal(t, http.StatusPartialContent, answer.StatusCode, asked)
		require.Equal(t, fmt.Sprintf("bytes %d-%d/%d", want[0], want[1]-1, size), answer.Header.Get("Content-Range"))
		require.Equal(t, digest.Of([]byte(whole[want[0]:want[1]])), digest.Of([]byte(answer.text)), asked)
	}
	answer := s.ask(t, http.MethodGet, s.layer(), map[string]string{"Range": fmt.Sprintf("bytes=%d-", size)})
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, answer.StatusCode)
	answer = s.ask(t, http.MethodGet, s.layer(), map[string]string{"Range": "bytes=0-1,5-6"})
	require.Equal(t, http.StatusOK, answer.StatusCode, "several ranges are the whole")
	require.Equal(t, s.image.LayerDigest(), digest.Of([]byte(answer.text)))
	answer = s.ask(t, http.MethodGet, s.layer(), map[string]string{"Range": "bytes=0-1", "If-Range": `"another"`})
	require.Equal(t, http.StatusOK, answer.StatusCode)
}

// TestNoAnswerOfOtherBytesIsWhole: what was changed on the disk breaks the connection off.
func TestNoAnswerOfOtherBytesIsWhole(t *testing.T) {
	s := serve(t).start(t)
	whole := s.ask(t, http.MethodGet, s.layer(), nil).text
	at := strings.Index(whole, "0123456789abcdef")
	s.damage(t, "large.txt", large-1)
	for name, asked := range map[string]string{
		"all of it":              "",
		"from before the file":   "bytes=100-",
		"from within the file":   fmt.Sprintf("bytes=%d-", at+large/2),
		"one that ends within":   fmt.Sprintf("bytes=%d-%d", at+100, at+199),
		"one before the damage":  fmt.Sprintf("bytes=%d-%d", at+10, at+large/2),
		"the damaged byte alone": fmt.Sprintf("bytes=%d-%d", at+large-1, at+large-1),
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+s.layer(), http.NoBody)
		require.NoError(t, err)
		request.SetBasicAuth("node", secret)
		if asked != "" {
			request.Header.Set("Range", asked)
		}
		answer, err := client(t).Do(request)
		if err != nil {
			require.ErrorIs(t, err, io.EOF, name) // of a short answer not even the head has gone
			continue
		}
		got, err := io.ReadAll(answer.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, name)
		require.Less(t, int64(len(got)), answer.ContentLength, name)
		require.NoError(t, answer.Body.Close())
	}
	require.Contains(t, s.log.String(), "an answer was broken off: the store has other bytes")
	answer := s.ask(t, http.MethodGet, s.layer(), map[string]string{"Range": "bytes=0-99"})
	require.Equal(t, whole[:100], answer.text, "what is whole is still sent")
}

func TestWhatIsNotThere(t *testing.T) {
	s := serve(t).start(t)
	other := digest.Of([]byte("another")).String()
	for path, code := range map[string]string{
		"/v2/bundle/manifests/" + other:                          "MANIFEST_UNKNOWN",
		"/v2/sandbox/manifests/" + other:                         "MANIFEST_UNKNOWN",
		"/v2/bundle/blobs/" + other:                              "BLOB_UNKNOWN",
		"/v2/bundle/manifests/latest":                            "MANIFEST_UNKNOWN",
		"/v2/bundle/manifests/" + s.image.LayerDigest().String(): "MANIFEST_UNKNOWN",
		"/v2/bundle/blobs/" + s.image.Digest.String():            "BLOB_UNKNOWN",
		"/v2/bundle/manifests/" + s.added.Digest.String():        "MANIFEST_UNKNOWN",
		"/v2/sandbox/blobs/" + s.image.LayerDigest().String():    "BLOB_UNKNOWN",
		"/v2/bundle/blobs/sha512:" + other[7:]:                   "BLOB_UNKNOWN",
		"/v2/bundle/blobs/" + strings.ToUpper(other):             "BLOB_UNKNOWN",
		"/v2/bundle/blobs/sha256:..%2f..%2f" + other[13:]:        "UNSUPPORTED",
		"/v2/bundle/blobs/../../etc/passwd":                      "NAME_UNKNOWN",
		"/v2/bundle/blobs/sha256:../../../etc/passwd":            "NAME_UNKNOWN",
		"/v2//blobs/" + other:                                    "NAME_UNKNOWN",
		"/v2/bundle/blobs/" + other + "/":                        "NAME_UNKNOWN",
		"/v2/bundle/blobs/" + other + "%00":                      "BLOB_UNKNOWN",
		"/v2/other/manifests/" + other:                           "NAME_UNKNOWN",
		"/v2/bundle/tags/list":                                   "UNSUPPORTED",
		"/v2/bundle/referrers/" + s.image.Digest.String():        "UNSUPPORTED",
		"/v2/_catalog": "NAME_UNKNOWN",
		"/":            "UNSUPPORTED",
		"/v2":          "UNSUPPORTED",
		"//v2/bundle/manifests/" + s.image.Digest.String():            "UNSUPPORTED",
		"/v2/bundle/./manifests/" + s.image.Digest.String():           "NAME_UNKNOWN",
		"/v2/bundle%2fmanifests%2f" + s.image.Digest.String() + "%2f": "UNSUPPORTED",
	} {
		answer := s.ask(t, http.MethodGet, path, nil)
		require.Equal(t, http.StatusNotFound, answer.StatusCode, path)
		require.Equal(t, "application/json", answer.Header.Get("Content-Type"))
		require.Contains(t, answer.text, `{"errors":[{"code":"`+code+`","message":"`, path)
	}
}

func TestNothingIsWritten(t *testing.T) {
	s := serve(t).start(t)
	for _, method := range []string{http.MethodPut, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodTrace} {
		for _, path := range []string{s.layer(), "/v2/bundle/blobs/uploads/", "/v2/bundle/manifests/latest"} {
			answer := s.ask(t, method, path, nil)
			require.Equal(t, http.StatusMethodNotAllowed, answer.StatusCode, method+" "+path)
			require.Equal(t, "GET, HEAD", answer.Header.Get("Allow"))
			require.Contains(t, answer.text, "UNSUPPORTED")
		}
	}
}

// TestWhatCannotBeWrittenDownIsNotSent, and is asked for again by the next one.
func TestWhatCannotBeWrittenDownIsNotSent(t *testing.T) {
	s := serve(t)
	s.fail = errors.New("the disk is full")
	s.start(t)
	for range 2 {
		answer := s.ask(t, http.MethodGet, s.layer(), nil)
		require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
		require.Empty(t, answer.Header.Get("Docker-Content-Digest"))
		require.NotContains(t, answer.text, "full")
	}
	require.Len(t, s.told, 2)
}

// TestManyPullAtOnce: more than may at a time, whole each.
func TestManyPullAtOnce(t *testing.T) {
	s := serve(t).start(t)
	sums := make([]digest.Digest, 12)
	var group sync.WaitGroup
	for at := range sums {
		answer := s.ask(t, http.MethodHead, "/v2/", nil) // a client each
		require.Equal(t, http.StatusOK, answer.StatusCode)
		group.Go(func() {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+s.layer(), http.NoBody)
			if err != nil {
				return
			}
			request.SetBasicAuth("node", secret)
			answer, err := http.DefaultTransport.RoundTrip(request)
			if err != nil {
				return
			}
			sums[at], _, _ = digest.From(answer.Body)
			_ = answer.Body.Close()
		})
	}
	group.Wait()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections() //nolint:forcetypeassert // it is one
	for _, sum := range sums {
		require.Equal(t, s.image.LayerDigest(), sum)
	}
	require.Len(t, s.told, 1)
}

// TestWhoReadsNothingKeepsNoTurn once gone, and meanwhile nobody else from another.
func TestWhoReadsNothingKeepsNoTurn(t *testing.T) {
	s := serve(t)
	s.options.Transfers = 2
	s.start(t)
	slow := s.hang(t)
	require.Len(t, s.ask(t, http.MethodGet, s.layer(), nil).text, int(s.image.LayerBytes()))
	other := s.hang(t)
	require.NoError(t, errors.Join(slow.Close(), other.Close()))
	require.Len(t, s.ask(t, http.MethodGet, s.layer(), nil).text, int(s.image.LayerBytes()))
	require.Len(t, s.ask(t, http.MethodGet, "/v2/bundle/manifests/"+s.image.Digest.String(), nil).text, len(s.image.Manifest))
}

// hang is a client that has read the answer's head, and no more.
func (s *served) hang(t *testing.T) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", s.layer(), secret)
	require.NoError(t, err)
	line, err := bufio.NewReaderSize(conn, 16).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 200 OK\r\n", line)
	return conn
}

func TestARequestWithABodyIsNotWaitedFor(t *testing.T) {
	s := serve(t).start(t)
	for _, header := range []string{"Content-Length: 100", "Content-Length: 1000000", "Transfer-Encoding: chunked"} {
		for token, want := range map[string]string{secret: "HTTP/1.1 405 ", "wrong": "HTTP/1.1 401 "} {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
			require.NoError(t, err)
			_, err = fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n%s\r\n\r\n", s.layer(), token, header)
			require.NoError(t, err)
			text, err := io.ReadAll(conn) // to the end: the server has closed
			require.NoError(t, errors.Join(err, conn.Close()))
			require.True(t, strings.HasPrefix(string(text), want), string(text))
		}
	}
}

// TestOneAddressHasPartOfAllConnections: who comes beyond it is turned out, until there is room.
func TestOneAddressHasPartOfAllConnections(t *testing.T) {
	s := serve(t).start(t)
	const most = 256
	var held []net.Conn
	dial := func() net.Conn {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	answer := func(conn net.Conn) string {
		_, _ = fmt.Fprint(conn, "GET /v2/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") // what is wrong shows when it is read
		text, _ := io.ReadAll(conn)
		return string(text)
	}
	for range most {
		held = append(held, dial())
	}
	require.Empty(t, answer(dial()))
	for _, conn := range held {
		require.NoError(t, conn.Close())
	}
	require.Eventually(t, func() bool { return strings.HasPrefix(answer(dial()), "HTTP/1.1 401 ") }, time.Minute, time.Millisecond)
}
