package access_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
)

// method is known by a header of its name, or by the connection.
type method struct {
	name    string
	carries func(*http.Request) bool
	err     error
}

func (m method) Carries(r *http.Request) bool { return m.carries(r) }

func (m method) Authenticate(*http.Request) (access.Principal, error) {
	return access.Principal{Name: m.name}, m.err
}

func bearer(r *http.Request) bool        { return access.Bearer(r) != "" }
func certificate(r *http.Request) bool   { return r.Header.Get("X-Certificate") != "" }
func peerOnly(r *http.Request) bool      { return !access.Presented(r) }
func bearerOf(text string) *http.Request { return with("Authorization", text) }

func with(pairs ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	for index := 0; index < len(pairs); index += 2 {
		r.Header.Add(pairs[index], pairs[index+1])
	}
	return r
}

func TestWhatIsPresentedDecides(t *testing.T) {
	good := access.First(method{"token", bearer, nil}, method{"cert", certificate, nil}, method{"peer", peerOnly, nil})
	bad := access.First(method{"token", bearer, access.ErrUnknown}, method{"peer", peerOnly, nil})
	ours := access.First(method{"token", bearer, errors.New("disk")}, method{"peer", peerOnly, nil})
	nameless := access.First(method{"", bearer, nil})

	who, err := good.Authenticate(bearerOf("Bearer x"))
	require.NoError(t, err)
	require.Equal(t, "token", who.Name)
	who, err = good.Authenticate(with())
	require.NoError(t, err)
	require.Equal(t, "peer", who.Name)

	for name, test := range map[string]struct {
		by      access.Authenticator
		request *http.Request
		want    string
	}{
		"a bad token with a good peer":  {bad, bearerOf("Bearer x"), ""},
		"a token and a certificate":     {good, with("Authorization", "Bearer x", "X-Certificate", "y"), "two things at once"},
		"two tokens":                    {good, with("Authorization", "Bearer x", "Authorization", "Bearer x"), "no kind"},
		"two tokens in one":             {good, bearerOf("Bearer x, Bearer y"), "no kind"},
		"a password with a good peer":   {good, bearerOf("Basic cm9vdDpyb290"), "no kind"},
		"an empty header, a good peer":  {good, bearerOf(""), "no kind"},
		"nothing, where nothing is due": {access.First(method{"token", bearer, nil}), with(), "send a token"},
		"no method":                     {access.First(), with(), "send a token"},
		"a method without a name":       {nameless, bearerOf("Bearer x"), "no name"},
	} {
		t.Run(name, func(t *testing.T) {
			who, err := test.by.Authenticate(test.request)
			require.ErrorIs(t, err, access.ErrUnknown)
			require.ErrorContains(t, err, test.want)
			require.Zero(t, who)
		})
	}
	_, err = ours.Authenticate(bearerOf("Bearer x"))
	require.ErrorContains(t, err, "disk")
	require.NotErrorIs(t, err, access.ErrUnknown)
}

func TestBearer(t *testing.T) {
	for sent, want := range map[string]string{
		"Bearer abc": "abc", "bearer abc": "abc", "BEARER abc": "abc", "Bearer": "", "Bearer ": "", "Bearer  abc": "",
		"Bearer abc def": "", "Bearer abc,def": "", "abc": "", "Basic abc": "", " Bearer abc": "",
	} {
		require.Equal(t, want, access.Bearer(bearerOf(sent)), "%q", sent)
	}
	long := make([]byte, 17<<10)
	for index := range long {
		long[index] = 'a'
	}
	require.Empty(t, access.Bearer(bearerOf("Bearer "+string(long))))
	require.Empty(t, access.Bearer(with()))
}

func TestATokenWithoutItsSchemeIsToldWhatIsMissing(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Authorization", "hct_secret")
	_, err := access.First().Authenticate(r)
	require.ErrorIs(t, err, access.ErrUnknown)
	require.ErrorContains(t, err, "Authorization: Bearer hct_")
	require.NotContains(t, err.Error(), "secret")
}
