package image

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnIndexHasOneReading(t *testing.T) {
	const entry = `{"mediaType":"application/vnd.oci.image.manifest.v1+json","size":1,"digest":"sha256:0626964d0d5308469517b65c8de7969378c6b1bfe5d26dccb41677d6e690067b"}`
	const good = `{"schemaVersion":2,"manifests":[` + entry + `]}`
	for name, content := range map[string]string{
		"a second value":         good + good,
		"bytes after it":         good + "x",
		"a name twice":           `{"schemaVersion":2,"manifests":[],"manifests":[` + entry + `]}`,
		"a name in another case": `{"schemaVersion":2,"Manifests":[` + entry + `]}`,
		"an escaped name, twice": `{"schemaVersion":2,"manifests":[],"manif\u0065sts":[` + entry + `]}`,
		"an unknown name":        `{"schemaVersion":2,"manifests":[],"other":1}`,
		"no value":               ``,
		"null":                   `null`,
		"a list":                 `[]`,
		"no UTF-8":               "{\"schemaVersion\":2,\"manifests\":[],\"annotations\":{\"a\":\"\xff\"}}",
		"half a surrogate":       `{"schemaVersion":2,"manifests":[],"annotations":{"a":"\ud800"}}`,
		"a number beyond all":    `{"schemaVersion":2e999,"manifests":[]}`,
	} {
		store := &Store{dir: t.TempDir()}
		path := filepath.Join(store.dir, indexFile)
		require.NoError(t, os.WriteFile(path, []byte(good), 0o600))
		_, err := store.readIndex()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		_, err = store.readIndex()
		require.ErrorContains(t, err, path, name)
	}
}
