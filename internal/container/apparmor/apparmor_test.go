//go:build linux

package apparmor

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const text = "# words\nprofile hotcell-sandbox {\n}\n"

// pretend is a kernel made of files, whose parser also does the kernel's part: once it
// has run, the profile is there, as after a load.
func pretend(t *testing.T, then string) host {
	t.Helper()
	dir := t.TempDir()
	h := host{module: filepath.Join(dir, "module"), security: filepath.Join(dir, "security"), parser: filepath.Join(dir, "parser")}
	require.NoError(t, os.MkdirAll(h.module, 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(h.security, "policy", "profiles"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(h.module, "enabled"), []byte("Y\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(h.module, "mode"), []byte("enforce\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(h.security, ".replace"), nil, 0o600))
	for file, words := range map[string]string{
		"file/mask": "create read write exec append mmap_exec link lock", "caps/mask": "chown dac_override net_admin sys_ptrace sys_admin",
		"mount/mask": "mount umount pivot_root", "network_v8/af_mask": "unspec unix inet inet6 netlink packet",
		"ptrace/mask": "read trace", "signal/mask": "hup int kill", "domain/change_profile": "yes", "namespaces/mask": "userns_create",
	} {
		h.feature(t, file, words)
	}
	script := "#!/bin/sh\ncase \"$(cat)\" in *userns,*) test ! -e $(dirname $0)/old; exit ;; esac\n" +
		"echo ran >>" + dir + "/runs; printf compiled\n" + then
	require.NoError(t, os.WriteFile(h.parser, []byte(script), 0o755))
	return h
}

// feature writes what the kernel says that it mediates.
func (h host) feature(t *testing.T, file, words string) {
	t.Helper()
	path := filepath.Join(h.security, "features", file)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(words+"\n"), 0o644))
}

// entry writes what the kernel would tell of a profile.
func (h host) entry(t *testing.T, mode, file, digest string) {
	t.Helper()
	name, _, err := named(text)
	require.NoError(t, err)
	dir := filepath.Join(h.security, "policy", "profiles", name+".7")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mode"), []byte(mode+"\n"), 0o644))
	if file != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(digest+"\n"), 0o644))
	}
}

// runs counts how often the parser was asked.
func (h host) runs(t *testing.T) int {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(filepath.Dir(h.parser), "runs"))
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(t, err)
	return strings.Count(string(content), "\n")
}

// loadScript is what the kernel does with a good load, in the parser's place.
func loadScript(t *testing.T) string {
	t.Helper()
	name, _, err := named(text)
	require.NoError(t, err)
	return fmt.Sprintf("d=$(dirname $0)/security/policy/profiles/%s.7; mkdir -p $d; echo enforce >$d/mode; echo %x >$d/raw_sha256\n",
		name, sha256.Sum256([]byte("compiled")))
}

func TestAHostWithoutAppArmorSaysWhatItLacks(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*host)
		want  string
	}{
		"a kernel without":     {func(h *host) { h.module += "/none" }, "runs without AppArmor"},
		"one with it disabled": {func(h *host) { _ = os.WriteFile(h.module+"/enabled", []byte("N\n"), 0o644) }, "runs without AppArmor"},
		"one that complains":   {func(h *host) { _ = os.WriteFile(h.module+"/mode", []byte("complain\n"), 0o600) }, `in mode "complain" and denies nothing`},
		"one of no known mode": {func(h *host) { _ = os.Remove(h.module + "/mode") }, "read the mode"},
		"no securityfs":        {func(h *host) { h.security += "/none" }, "mount securityfs"},
		"no parser":            {func(h *host) { h.parser += "-none" }, "install the package apparmor"},
		"a parser that fails":  {func(h *host) { _ = os.WriteFile(h.parser, []byte("#!/bin/sh\necho bad rule >&2; exit 1"), 0o755) }, "bad rule"},
		"no right to load":     {func(h *host) { _ = os.Remove(h.security + "/.replace") }, "load AppArmor profile: open"},
		"a load without fruit": {func(*host) {}, "the kernel has 0 profiles called hotcell-sandbox-"},
	} {
		t.Run(name, func(t *testing.T) {
			h := pretend(t, "")
			test.spoil(&h)
			loaded, _, err := h.load(t.Context(), text, t.TempDir())
			require.ErrorContains(t, err, test.want)
			require.Empty(t, loaded, "a runtime would ask the kernel for what it does not hold")
		})
	}
}

func TestTheProfileIsLoadedOnceAndRemembered(t *testing.T) {
	h, state := pretend(t, loadScript(t)), t.TempDir()
	for range 3 {
		name, gap, err := h.load(t.Context(), text, state)
		require.NoError(t, err)
		require.Regexp(t, `^hotcell-sandbox-[0-9a-f]{12}$`, name)
		require.Empty(t, gap)
	}
	require.Equal(t, 1, h.runs(t))
	content, err := os.ReadFile(filepath.Join(h.security, ".replace"))
	require.NoError(t, err)
	require.Equal(t, "compiled", string(content))
	files, err := os.ReadDir(state)
	require.NoError(t, err)
	require.Len(t, files, 1)
}

// A question changes nothing, and its answer is that of the load that comes after it.
func TestWhetherItCanBeLoadedIsToldWithoutLoading(t *testing.T) {
	h, state := pretend(t, ""), t.TempDir()
	found, err := h.prepare(t.Context(), text, state)
	require.NoError(t, err)
	require.Regexp(t, `^hotcell-sandbox-[0-9a-f]{12}$`, found.name)
	require.Equal(t, "compiled", string(found.compiled))
	content, err := os.ReadFile(filepath.Join(h.security, ".replace"))
	require.NoError(t, err)
	require.Empty(t, content)
	files, err := os.ReadDir(state)
	require.NoError(t, err)
	require.Empty(t, files)

	require.NoError(t, os.WriteFile(h.parser, []byte("#!/bin/sh\nexit 1"), 0o755))
	_, err = h.prepare(t.Context(), text, state)
	require.ErrorContains(t, err, "compile AppArmor profile")
}

// The parser drops what the kernel cannot mediate, and that is then allowed.
func TestAKernelThatDoesNotMediateWhatIsDeniedIsRefused(t *testing.T) {
	for _, wanted := range needed() {
		for _, word := range wanted.words {
			h := pretend(t, loadScript(t))
			var others []string
			for _, other := range wanted.words {
				if other != word {
					others = append(others, other)
				}
			}
			h.feature(t, wanted.files[0], strings.Join(others, " "))
			_, _, err := h.load(t.Context(), text, t.TempDir())
			require.ErrorContains(t, err, "does not mediate "+wanted.what+", which", word)
			require.Zero(t, h.runs(t))
		}
	}
	h := pretend(t, loadScript(t))
	require.NoError(t, os.RemoveAll(filepath.Join(h.security, "features")))
	_, _, err := h.load(t.Context(), text, t.TempDir())
	require.ErrorContains(t, err, "files, capabilities, mounts, sockets, tracing, signals, changes of profile")
}

// Seccomp denies new user namespaces anyhow: that this layer does not is said.
func TestWhatIsNotKeptIsSaid(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*testing.T, host)
		want  string
	}{
		"Linux before 6.7": {func(t *testing.T, h host) { h.feature(t, "namespaces/mask", "") }, "without user namespaces, which this kernel"},
		"a parser before 4.0": {func(t *testing.T, h host) {
			require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(h.parser), "old"), nil, 0o600))
		}, "without user namespaces, which the apparmor_parser"},
	} {
		t.Run(name, func(t *testing.T) {
			h, state := pretend(t, loadScript(t)), t.TempDir()
			test.spoil(t, h)
			for range 2 { // once compiled, once remembered
				_, gap, err := h.load(t.Context(), text, state)
				require.NoError(t, err)
				require.Contains(t, gap, test.want)
			}
			require.Equal(t, 1, h.runs(t))
		})
	}
}

// A runner that is killed leaves no draft; what it wrote in half is compiled anew.
func TestWhatIsRememberedIsWrittenInPlace(t *testing.T) {
	h, state := pretend(t, loadScript(t)), t.TempDir()
	name, _, err := h.load(t.Context(), text, state)
	require.NoError(t, err)
	file := filepath.Join(state, name)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	before, err := os.Stat(file)
	require.NoError(t, err)
	for length := range 64 {
		require.NoError(t, os.WriteFile(file, whole[:length], 0o600))
		found, err := h.prepare(t.Context(), text, state)
		require.NoError(t, err)
		require.NotNil(t, found.compiled, length)
		if length > 2 {
			continue
		}
		_, _, err = h.load(t.Context(), text, state)
		require.NoError(t, err)
		again, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, whole, again)
	}
	after, err := os.Stat(file)
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after))
}

// Whoever may load profiles could have put another one under the name.
func TestAnotherProfileOfTheNameIsReplaced(t *testing.T) {
	for name, spoil := range map[string]func(*testing.T, host){
		"other bytes":   func(t *testing.T, h host) { h.entry(t, "enforce", "raw_sha256", strings.Repeat("0", 64)) },
		"complain mode": func(t *testing.T, h host) { h.entry(t, "complain", "", "") },
	} {
		t.Run(name, func(t *testing.T) {
			h, state := pretend(t, loadScript(t)), t.TempDir()
			_, _, err := h.load(t.Context(), text, state)
			require.NoError(t, err)
			spoil(t, h)
			_, _, err = h.load(t.Context(), text, state)
			require.NoError(t, err)
			require.Equal(t, 2, h.runs(t))
		})
	}
}

func TestAProfileThatStaysAnotherOneIsRefused(t *testing.T) {
	h := pretend(t, "")
	h.entry(t, "enforce", "raw_sha256", strings.Repeat("0", 64))
	_, _, err := h.load(t.Context(), text, t.TempDir())
	require.ErrorContains(t, err, "is another one than ours")
	h.entry(t, "complain", "", "")
	_, _, err = h.load(t.Context(), text, t.TempDir())
	require.ErrorContains(t, err, `in mode "complain"`)
}

// A kernel that tells no digest gets the profile from every process.
func TestAKernelThatTellsNoDigestIsGivenTheProfileAnew(t *testing.T) {
	h, state := pretend(t, ""), t.TempDir()
	h.entry(t, "enforce", "", "")
	for range 2 {
		_, _, err := h.load(t.Context(), text, state)
		require.NoError(t, err)
	}
	require.Equal(t, 2, h.runs(t))
}

func TestTheNameFollowsTheText(t *testing.T) {
	name, changed, err := named(text)
	require.NoError(t, err)
	require.Contains(t, changed, "\nprofile "+name+" {\n")
	other, _, err := named(text + "# more\n")
	require.NoError(t, err)
	require.NotEqual(t, name, other)
	_, _, err = named("profile hotcell {}")
	require.Error(t, err)
}

func TestOnlyOurProfileInEnforceModeConfines(t *testing.T) {
	h := pretend(t, "")
	name, _, err := named(text)
	require.NoError(t, err)
	h.entry(t, "enforce", "", "")
	for label, good := range map[string]bool{
		name + " (enforce)":                       true,
		"crun//&" + name + " (mixed)":             true,
		"docker-default//&" + name + " (enforce)": true,
		name + " (complain)":                      false,
		name + " (unconfined)":                    false,
		name:                                      false,
		name + "x (enforce)":                      false,
		"x//&" + name + "//hat (enforce)":         false,
		"unconfined":                              false,
		"docker-default (enforce)":                false,
		"":                                        false,
	} {
		require.Equal(t, good, h.confines(label, name) == nil, label)
	}
	h.entry(t, "complain", "", "")
	require.ErrorContains(t, h.confines("crun//&"+name+" (mixed)", name), `in mode "complain"`)

	// The label tells the profile's mode alone.
	require.NoError(t, os.WriteFile(filepath.Join(h.module, "mode"), []byte("complain\n"), 0o600))
	require.NoError(t, h.confines(name+" (enforce)", name))
	require.ErrorContains(t, h.keeps(), "denies nothing")
}
