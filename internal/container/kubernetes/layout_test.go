package kubernetes

import (
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

func writeLayout(dir string, found v1.Image, name string) error {
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	return path.AppendImage(found, layout.WithAnnotations(map[string]string{"io.containerd.image.name": name}))
}
