package token

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
	"hotcell/internal/digest"
	"hotcell/internal/strictjson"
)

var made = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func request(authorization string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/v1/runs", http.NoBody)
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	return r
}

// add makes a token in a file, as the command does.
func add(t *testing.T, path, name string, scopes ...access.Scope) (token string, entry Entry) {
	t.Helper()
	token, entry, err := New(Asked{name, scopes, time.Hour}, made)
	require.NoError(t, err)
	require.NoError(t, Edit(t.Context(), path, Readers{Group: -1}, func(all []Entry) ([]Entry, error) { return Add(all, entry) }))
	return token, entry
}

func tokenFile(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	return filepath.Join(dir, "tokens.json")
}

func openAt(t *testing.T, path string, now time.Time) *Store {
	t.Helper()
	store, err := Open(path)
	require.NoError(t, err)
	store.now = func() time.Time { return now }
	return store
}

func TestATokenIsKnownByItsHashAlone(t *testing.T) {
	path := tokenFile(t)
	text, entry := add(t, path, "ci", access.ScopeRun, access.ScopeCheck)
	require.Regexp(t, `^hct_[A-Za-z0-9_-]{49}$`, text)
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(kept), text)
	require.NotContains(t, string(kept), text[len(Prefix):len(text)-6])
	require.Contains(t, string(kept), digest.Of([]byte(text)).Hex())

	who, err := openAt(t, path, made).Authenticate(request("Bearer " + text))
	require.NoError(t, err)
	require.Equal(t, access.Principal{Name: "token:ci", Scopes: []access.Scope{access.ScopeRun, access.ScopeCheck}}, who)
	require.Len(t, entry.ID, 12)
	require.NotContains(t, text, entry.ID)
}

func TestTokensDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		text := generate()
		require.NoError(t, check(text))
		require.False(t, seen[text])
		seen[text] = true
	}
}

// Every character counts, also the bits that base64 has to spare.
func TestAMistypedTokenIsToldWithoutALookup(t *testing.T) {
	text := generate()
	for place := range text {
		for _, other := range "AQZaqz09_-" {
			if typed := text[:place] + string(other) + text[place+1:]; typed != text {
				require.ErrorIs(t, check(typed), access.ErrUnknown, typed)
			}
		}
	}
	for _, typed := range []string{"", "hct_", text[1:], text[:len(text)-1], text + "A", text + "=", " " + text, text + "\n", strings.ToUpper(text), "ghp_" + text[4:]} {
		require.ErrorIs(t, check(typed), access.ErrUnknown, typed)
		require.NotContains(t, check(typed).Error(), "hct_")
	}
}

func TestWhichTokensAreRefused(t *testing.T) {
	path := tokenFile(t)
	good, _ := add(t, path, "good", access.ScopeRun)
	revoked, entry := add(t, path, "old", access.ScopeAdmin)
	require.NoError(t, Edit(t.Context(), path, Readers{Group: -1}, func(all []Entry) ([]Entry, error) {
		all, _, err := Revoke(all, entry.ID, made)
		return all, err
	}))
	for name, test := range map[string]struct {
		sent string
		at   time.Time
		want string
	}{
		"one that was never made": {generate(), made, "no such token"},
		"one that was revoked":    {revoked, made, "was revoked"},
		"one that has expired":    {good, made.Add(time.Hour), "expired at 2026-11-27T13:00:00Z"},
		"a mistyped one":          {good[:20] + "!" + good[21:], made, "mistyped"},
	} {
		t.Run(name, func(t *testing.T) {
			who, err := openAt(t, path, test.at).Authenticate(request("Bearer " + test.sent))
			require.ErrorIs(t, err, access.ErrUnknown)
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), test.sent)
			require.Zero(t, who)
		})
	}
	_, err := openAt(t, path, made.Add(time.Hour-time.Second)).Authenticate(request("Bearer " + good))
	require.NoError(t, err, "until its last second")
}

func TestAChangeOfTheFileIsSeenWithTheNextRequest(t *testing.T) {
	path := tokenFile(t)
	first, entry := add(t, path, "first", access.ScopeRun)
	store := openAt(t, path, made)
	second, _ := add(t, path, "second", access.ScopeRun)
	_, err := store.Authenticate(request("Bearer " + second))
	require.NoError(t, err)
	require.NoError(t, Edit(t.Context(), path, Readers{Group: -1}, func(all []Entry) ([]Entry, error) {
		all, _, err := Revoke(all, "first", made)
		return all, err
	}))
	_, err = store.Authenticate(request("Bearer " + first))
	require.ErrorIs(t, err, access.ErrUnknown)
	require.ErrorContains(t, err, entry.ID)
}

// Who sends a token is not told that it is wrong where it could not be looked up.
func TestAFileThatCannotBeReadIsOurError(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, path string){
		"gone":                     func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) },
		"broken":                   func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte("{"), 0o600)) },
		"writable by others":       func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o666)) },
		"writable by its group":    func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o660)) },
		"in a directory of others": func(t *testing.T, path string) { require.NoError(t, os.Chmod(filepath.Dir(path), 0o777)) },
		"a link": func(t *testing.T, path string) {
			require.NoError(t, os.Rename(path, path+".elsewhere"))
			require.NoError(t, os.Symlink(path+".elsewhere", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := tokenFile(t)
			text, _ := add(t, path, "ci", access.ScopeRun)
			store := openAt(t, path, made)
			whole, err := os.ReadFile(path)
			require.NoError(t, err)
			harm(t, path)
			for range 2 {
				if name == "in a directory of others" {
					store.of = identity{} // the file itself is as it was
				}
				_, err = store.Authenticate(request("Bearer " + text))
				require.Error(t, err)
				require.NotErrorIs(t, err, access.ErrUnknown)
			}
			_, err = Open(path)
			require.Equal(t, name == "gone", strings.Contains(err.Error(), "runner token create"), "%v", err)
			require.NoError(t, os.Chmod(filepath.Dir(path), 0o755))
			_ = os.Remove(path)
			require.NoError(t, os.WriteFile(path, whole, 0o600))
			_, err = store.Authenticate(request("Bearer " + text))
			require.NoError(t, err, "it is good again")
		})
	}
}

func TestWhatIsNoTokenFile(t *testing.T) {
	_, one, err := New(Asked{"ci", []access.Scope{access.ScopeRun}, time.Hour}, made)
	require.NoError(t, err)
	other := one
	other.ID, other.Name = "0123456789ab", "other"
	encoded := func(change func(*file)) string {
		f := file{Version: version, Tokens: []Entry{one}}
		change(&f)
		text, err := strictjson.Encode(f)
		require.NoError(t, err)
		return string(text)
	}
	good := encoded(func(*file) {})
	_, err = parse([]byte(good))
	require.NoError(t, err)
	for name, test := range map[string]struct{ text, want string }{
		"empty":               {"", "JSON"},
		"trailing bytes":      {good + "{}", "JSON"},
		"an unknown key":      {strings.Replace(good, `"version"`, `"more":1,"version"`, 1), "unknown"},
		"a key twice":         {strings.Replace(good, `"version"`, `"version":1,"version"`, 1), "twice"},
		"another spelling":    {strings.Replace(good, `"name"`, `"Name"`, 1), "unknown"},
		"no scopes":           {strings.Replace(good, `,"scopes":["run"]`, ``, 1), "lacks"},
		"a newer version":     {encoded(func(f *file) { f.Version = 2 }), "version 2"},
		"an unknown scope":    {encoded(func(f *file) { f.Tokens[0].Scopes = []access.Scope{"root"} }), "known are run, check"},
		"a scope twice":       {encoded(func(f *file) { f.Tokens[0].Scopes = []access.Scope{"run", "run"} }), "stands twice"},
		"no expiry":           {encoded(func(f *file) { f.Tokens[0].ExpiresAt = time.Time{} }), "must expire"},
		"an expiry too far":   {encoded(func(f *file) { f.Tokens[0].ExpiresAt = made.AddDate(2, 0, 0) }), "within a year"},
		"a strange name":      {encoded(func(f *file) { f.Tokens[0].Name = "a b" }), "choose another name"},
		"a strange id":        {encoded(func(f *file) { f.Tokens[0].ID = "x" }), "12 hexadecimal"},
		"a hash that is none": {encoded(func(f *file) { f.Tokens[0].SHA256 = "00" }), "64"},
		"a hash twice":        {encoded(func(f *file) { f.Tokens = append(f.Tokens, other) }), "stands twice"},
		"a name twice": {encoded(func(f *file) {
			other := other
			other.Name, other.SHA256 = one.Name, digest.Of([]byte("x")).Hex()
			f.Tokens = append(f.Tokens, other)
		}), "stands twice"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse([]byte(test.text))
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestANameIsGivenOnce(t *testing.T) {
	path := tokenFile(t)
	add(t, path, "ci", access.ScopeRun)
	_, again, err := New(Asked{"ci", []access.Scope{access.ScopeRun}, time.Hour}, made)
	require.NoError(t, err)
	take := func(all []Entry) ([]Entry, error) { return Add(all, again) }
	require.ErrorIs(t, Edit(t.Context(), path, Readers{Group: -1}, take), ErrName)
	revoke := func(all []Entry) ([]Entry, error) {
		all, _, err := Revoke(all, "ci", made)
		return all, err
	}
	require.NoError(t, Edit(t.Context(), path, Readers{Group: -1}, revoke))
	require.ErrorIs(t, Edit(t.Context(), path, Readers{Group: -1}, take), ErrName, "its runs would be another's")
	require.ErrorIs(t, Edit(t.Context(), path, Readers{Group: -1}, revoke), ErrNone)
	all, err := List(path)
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, "revoked", all[0].State(made))
}

func TestWhatNoTokenCanBe(t *testing.T) {
	for name, asked := range map[string]Asked{
		"without end":      {"ci", []access.Scope{access.ScopeRun}, 0},
		"over in the past": {"ci", []access.Scope{access.ScopeRun}, -time.Hour},
		"for years":        {"ci", []access.Scope{access.ScopeRun}, MaxLife + time.Second},
		"without a scope":  {"ci", nil, time.Hour},
		"of another scope": {"ci", []access.Scope{"root"}, time.Hour},
		"without a name":   {"", []access.Scope{access.ScopeRun}, time.Hour},
		"with a colon":     {"a:b", []access.Scope{access.ScopeRun}, time.Hour},
		"in capitals":      {"CI", []access.Scope{access.ScopeRun}, time.Hour},
	} {
		_, _, err := New(asked, made)
		require.Error(t, err, name)
	}
}

func TestTheFileKeepsWhoMayReadIt(t *testing.T) {
	path := tokenFile(t)
	add(t, path, "one", access.ScopeRun)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	require.NoError(t, os.Chmod(path, 0o640))
	add(t, path, "two", access.ScopeRun)
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode())
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// A failing change, and one that was killed before, leave the file as it was.
func TestAChangeIsWholeOrNone(t *testing.T) {
	path := tokenFile(t)
	add(t, path, "one", access.ScopeRun)
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), ".tokens.json.new"), []byte("half"), 0o600))
	require.Error(t, Edit(t.Context(), path, Readers{Group: -1}, func(all []Entry) ([]Entry, error) { return append(all, Entry{}), nil }))
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
	add(t, path, "two", access.ScopeRun)
	all, err := List(path)
	require.NoError(t, err)
	require.Len(t, all, 2)
}

// A service whose group reads the file would know nobody any more.
func TestNoGroupLosesTheFile(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to give a file to a group")
	}
	for name, test := range map[string]struct {
		group  int // of the file
		mode   os.FileMode
		wanted Readers
		want   int // the group of the file then, or -1 for a refusal
	}{
		"another group reads it":            {990, 0o640, Readers{Group: 991, Named: true}, -1},
		"it would be read by none":          {990, 0o640, Readers{Group: -1, Named: true}, -1},
		"it would be read by root's":        {990, 0o640, Readers{Group: 0, Named: true}, -1},
		"the same group":                    {990, 0o640, Readers{Group: 990, Named: true}, 990},
		"no group is named":                 {990, 0o640, Readers{Group: 991}, 990},
		"a group that may not read it":      {990, 0o600, Readers{Group: 991, Named: true}, 991},
		"root's group":                      {0, 0o640, Readers{Group: 991, Named: true}, 991},
		"all may read it, and a group does": {990, 0o644, Readers{Group: 991, Named: true}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			path := tokenFile(t)
			add(t, path, "one", access.ScopeRun)
			require.NoError(t, os.Chown(path, 0, test.group))
			require.NoError(t, os.Chmod(path, test.mode))
			before, err := os.ReadFile(path)
			require.NoError(t, err)
			changed := false
			err = Edit(t.Context(), path, test.wanted, func(all []Entry) ([]Entry, error) { changed = true; return all, nil })
			info, failed := os.Stat(path)
			require.NoError(t, failed)
			group := int(info.Sys().(*syscall.Stat_t).Gid)
			if test.want >= 0 {
				require.NoError(t, err)
				require.Equal(t, test.want, group)
				require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
				return
			}
			require.ErrorIs(t, err, ErrReaders)
			require.ErrorContains(t, err, "group 990 reads "+path)
			require.ErrorContains(t, err, "chgrp")
			require.False(t, changed, "no event is made of what is refused")
			require.Equal(t, test.group, group)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, before, after)
		})
	}
}

func FuzzTokenFile(f *testing.F) {
	_, one, err := New(Asked{"ci", []access.Scope{access.ScopeRun}, time.Hour}, made)
	require.NoError(f, err)
	good, err := encode(file{Version: version, Tokens: []Entry{one}})
	require.NoError(f, err)
	f.Add(good)
	f.Add([]byte(`{"version":1,"tokens":[]}`))
	f.Add([]byte(`{"version":1,"tokens":[{"id":"0123456789ab"}],"tokens":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := parse(data)
		if err != nil {
			return
		}
		again, err := encode(read)
		require.NoError(t, err)
		same, err := parse(again)
		require.NoError(t, err)
		require.Len(t, same.Tokens, len(read.Tokens))
	})
}

func FuzzToken(f *testing.F) {
	f.Add(generate())
	f.Add(Prefix)
	f.Fuzz(func(t *testing.T, text string) {
		if check(text) == nil {
			require.Len(t, text, len(generate()))
		}
	})
}

func TestAFileThatIsThereIsNotToBeMade(t *testing.T) {
	path := tokenFile(t)
	_, err := Open(path)
	require.ErrorContains(t, err, "makes the first one")
	err = wayOut(&os.PathError{Op: "open", Path: path, Err: os.ErrPermission}, path)
	require.ErrorContains(t, err, "--group GROUP --file "+path)
	require.NotContains(t, err.Error(), "makes the first one")
	add(t, path, "ci", access.ScopeRun)
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	_, err = Open(path)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "token create", "the tokens that it had would be lost")
}

func TestReadersThatAreNamedReadAFileThatExists(t *testing.T) {
	path := tokenFile(t)
	add(t, path, "ci", access.ScopeRun)
	group := func() (mode os.FileMode) {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	require.EqualValues(t, 0o600, group())
	same := func(all []Entry) ([]Entry, error) { return all, nil }
	require.NoError(t, Edit(t.Context(), path, Readers{Group: os.Getgid()}, same))
	require.EqualValues(t, 0o600, group(), "a default changes nothing")
	require.NoError(t, Edit(t.Context(), path, Readers{Group: os.Getgid(), Named: true}, same))
	require.EqualValues(t, 0o640, group())
	require.NoError(t, Edit(t.Context(), path, Readers{Group: -1}, same))
	require.EqualValues(t, 0o640, group())
}
