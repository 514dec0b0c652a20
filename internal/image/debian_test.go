package image

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func controlArchive(t *testing.T, files map[string]string) *bytes.Buffer {
	t.Helper()
	var content bytes.Buffer
	writer := tar.NewWriter(&content)
	for name, text := range files {
		require.NoError(t, writer.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "./" + name, Mode: 0o644, Size: int64(len(text))}))
		_, err := writer.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	return &content
}

func TestControlArchive(t *testing.T) {
	binary, err := parseControlArchive(controlArchive(t, map[string]string{
		"control":  "Package: libc6\nSource: glibc (2.41-12)\nVersion: 2.41-12+deb13u4\nArchitecture: amd64\nDescription: C library\n Version: of another kind\n",
		"md5sums":  "d41d8cd98f00b204e9800998ecf8427e  lib/x86_64-linux-gnu/libc.so.6\nd41d8cd98f00b204e9800998ecf8427e  usr/share/doc/libc6/copyright\n",
		"postinst": "#!/bin/sh\n",
	}))
	require.NoError(t, err)
	require.Equal(t, debianBinary{
		Name: "libc6", Version: "2.41-12+deb13u4", Architecture: "amd64", Source: "glibc",
		files: []string{"usr/lib/x86_64-linux-gnu/libc.so.6", "usr/share/doc/libc6/copyright"},
	}, binary)
}

func TestControlArchiveRefusals(t *testing.T) {
	tests := map[string]map[string]string{
		"no control file":  {"md5sums": ""},
		"no version":       {"control": "Package: libc6\nArchitecture: amd64\n"},
		"unknown checksum": {"control": "Package: a\nVersion: 1\nArchitecture: all\n", "md5sums": "usr/bin/a\n"},
	}
	for name, files := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := parseControlArchive(controlArchive(t, files))
			require.Error(t, err)
		})
	}
	_, err := parseControlArchive(bytes.NewReader(bytes.Repeat([]byte("x"), 1024)))
	require.Error(t, err)
}

func TestRemainingPackagesAndTheirLicences(t *testing.T) {
	source := tree(t, map[string]string{
		"usr/share/doc/kept/copyright":  "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nFiles: *\nLicense: MIT\n\nFiles: x\nLicense: BSD-3-clause\n text\nLicense: MIT\n",
		"usr/share/doc/prose/copyright": "This is free software.\nLicense: see below\n",
	})
	image := tree(t, map[string]string{"usr/lib/kept.so": "", "usr/lib/prose.so": "", "usr/lib/bare.so": ""})
	kept, err := remaining([]debianBinary{
		{Name: "kept", files: []string{"usr/bin/gone", "usr/lib/kept.so"}},
		{Name: "gone", files: []string{"usr/bin/gone"}},
		{Name: "prose", files: []string{"usr/lib/prose.so"}},
		{Name: "bare", files: []string{"usr/lib/bare.so"}},
		{Name: "empty"},
		{Name: "ca-certificates", files: []string{"usr/share/ca-certificates/a.crt"}},
	}, source, image)
	require.NoError(t, err)
	licenses := map[string][]string{}
	for _, binary := range kept {
		licenses[binary.Name] = binary.Licenses
	}
	require.Equal(t, map[string][]string{"kept": {"BSD-3-clause", "MIT"}, "prose": {}, "bare": {}, "ca-certificates": {}}, licenses)
}

func TestPackageURL(t *testing.T) {
	binary := debianBinary{Name: "libstdc++6", Version: "1:14.2.0-19~deb13+1", Architecture: "amd64", Source: "gcc-14"}
	require.Equal(t, "pkg:deb/debian/libstdc%2B%2B6@1%3A14.2.0-19~deb13%2B1?arch=amd64&distro=debian-13&upstream=gcc-14", binary.purl())
	binary.Source = binary.Name
	require.NotContains(t, binary.purl(), "upstream")
}

func TestGuardIsItsSourcesAlone(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	sources := fstest.MapFS{
		"hotcell_guard/__init__.py": file("a"), "hotcell_guard/sub/_vet.py": file("b"), "hotcell_guard/py.typed": file(""),
	}
	guard, err := readGuard(sources)
	require.NoError(t, err)
	require.Equal(t, []string{"hotcell_guard/__init__.py", "hotcell_guard/py.typed", "hotcell_guard/sub/_vet.py"}, guard.names)

	sources["hotcell_guard/__pycache__/x.cpython-311.pyc"] = file("left by a test run")
	sources["hotcell_guard.egg-info/PKG-INFO"] = file("left by pip")
	again, err := readGuard(sources)
	require.NoError(t, err)
	require.Equal(t, guard.names, again.names)
	require.Equal(t, guard.sum, again.sum)

	sources["hotcell_guard/sub/_vet.py"] = file("c")
	changed, err := readGuard(sources)
	require.NoError(t, err)
	require.NotEqual(t, guard.sum, changed.sum)

	_, err = readGuard(fstest.MapFS{})
	require.Error(t, err)
}

func TestNewestFileIgnoresDirectoriesAndLinks(t *testing.T) {
	dir := tree(t, map[string]string{"usr/old": "", "usr/new": ""})
	require.NoError(t, os.Symlink("old", filepath.Join(dir, "usr/link")))
	require.NoError(t, os.Chtimes(filepath.Join(dir, "usr/old"), released, released.AddDate(-1, 0, 0)))
	require.NoError(t, os.Chtimes(filepath.Join(dir, "usr/new"), released, released))
	newest, err := newestFile(dir)
	require.NoError(t, err)
	require.Equal(t, released, newest)
	_, err = newestFile(t.TempDir())
	require.ErrorContains(t, err, "holds no files")
}

func TestTranscriptNamesTheReason(t *testing.T) {
	tests := map[string]struct{ said, reason string }{
		"apt's first error":      {"I: updating\nE: no network\nE: mmdebstrap failed to run\n", "no network"},
		"the end of a traceback": {"Traceback\n  File x\nImportError: no module\n\n", "ImportError: no module"},
		"a line without an end":  {"one\ntwo", "two"},
		"a line that never ends": {strings.Repeat("x", 3*maxLine), strings.Repeat("x", maxLine)},
		"nothing":                {"", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{1, 7, 1 << 20} {
				said := transcript{to: io.Discard}
				for chunk := range slices.Chunk([]byte(test.said), size) {
					_, err := said.Write(chunk)
					require.NoError(t, err)
				}
				require.Equal(t, test.reason, said.reason())
			}
		})
	}
}

func TestTranscriptPassesLinesOn(t *testing.T) {
	var progress bytes.Buffer
	said := transcript{to: &progress}
	_, err := said.Write([]byte("I: skipping chroot/mount/dev as requested\r\nI: downloading\nI: extr"))
	require.NoError(t, err)
	require.Equal(t, "I: downloading\n", progress.String())
	require.Equal(t, "I: extr", said.reason())
}
