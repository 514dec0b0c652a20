package docker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	imageapi "github.com/moby/moby/api/types/image"
	"github.com/moby/moby/client"

	"hotcell/internal/container"
	"hotcell/internal/digest"
)

// imageRepository is where our images stand in the daemon; the tag is the hex
// part of the manifest digest.
const imageRepository = "hotcell/python-analysis"

// maxLoadAnswer bounds one message of what the daemon says while it loads, in bytes.
const maxLoadAnswer = 1 << 20

// wantedImage is what an image in the daemon must be equal to.
type wantedImage struct {
	digest       digest.Digest
	layers       []string // diff IDs, lowest first
	architecture string
	environment  []string // of the sandbox, NAME=value
}

func (w wantedImage) tag() string {
	return imageRepository + ":" + string(w.digest.Hex())
}

// ensureImage returns the ID, in the daemon, of the Spec's image, and loads it when it
// is missing or has been replaced. It must be for the daemon's architecture: see
// runsNatively.
func (e *Engine) ensureImage(ctx context.Context, spec container.Spec, architecture string) (string, error) {
	image, err := e.images.OCIImage(spec.Image)
	if err != nil {
		return "", fmt.Errorf("find image %s: %w", spec.Image, err)
	}
	wanted, err := describeImage(image, spec)
	if err != nil {
		return "", fmt.Errorf("check image %s: %w", spec.Image, err)
	}
	if wanted.architecture != architecture {
		return "", fmt.Errorf("image %s is for %s, and docker's machine is %s", spec.Image, wanted.architecture, architecture)
	}
	if id, err := e.findImage(ctx, wanted); err == nil {
		return id, nil
	}
	// One is sent at a time. A run that waits for another run's can leave without ending
	// it.
	select {
	case e.loading <- struct{}{}:
		defer func() { <-e.loading }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	return e.loadImage(ctx, image, wanted)
}

// loadImage sends the image, unless somebody has done so meanwhile.
func (e *Engine) loadImage(ctx context.Context, image v1.Image, wanted wantedImage) (string, error) {
	id, err := e.findImage(ctx, wanted)
	if err == nil {
		return id, nil
	}
	e.log.Info("loading image into docker", "image", wanted.digest, "because", err.Error())
	if err := e.sendImage(ctx, image, wanted.tag()); err != nil {
		return "", fmt.Errorf("load image %s into docker: %w", wanted.digest, err)
	}
	id, err = e.findImage(ctx, wanted)
	if err != nil {
		return "", fmt.Errorf("check loaded image %s: %w", wanted.digest, err)
	}
	return id, nil
}

// findImage returns the ID of the daemon's image if it is the wanted one to the
// last layer. The caller uses the ID from then on: a tag can be moved.
func (e *Engine) findImage(ctx context.Context, wanted wantedImage) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := e.api.ImageInspect(ctx, wanted.tag())
	if cerrdefs.IsNotFound(err) {
		return "", errors.New("docker does not have it yet")
	}
	if err != nil {
		return "", fmt.Errorf("inspect image: %w", err)
	}
	if err := wanted.compare(found.InspectResponse); err != nil {
		return "", err
	}
	return found.ID, nil
}

func (w wantedImage) compare(found imageapi.InspectResponse) error {
	if !slices.Equal(found.RootFS.Layers, w.layers) {
		return fmt.Errorf("docker's image has the layers %v instead of %v", found.RootFS.Layers, w.layers)
	}
	if found.Os != "linux" || found.Architecture != w.architecture {
		return fmt.Errorf("docker's image is for %s/%s instead of linux/%s", found.Os, found.Architecture, w.architecture)
	}
	if found.Config == nil {
		return nil
	}
	return w.checkConfig(found.Config.Env, len(found.Config.Volumes))
}

// describeImage reads what stands in our store.
func describeImage(image v1.Image, spec container.Spec) (wantedImage, error) {
	found, err := image.Digest()
	if err != nil {
		return wantedImage{}, fmt.Errorf("read manifest: %w", err)
	}
	if found.String() != spec.Image.String() {
		return wantedImage{}, fmt.Errorf("manifest has the digest %s: remove the image and build it again", found)
	}
	config, err := image.ConfigFile()
	if err != nil {
		return wantedImage{}, fmt.Errorf("read config: %w", err)
	}
	wanted := wantedImage{digest: spec.Image, architecture: config.Architecture, environment: spec.Environment}
	for _, layer := range config.RootFS.DiffIDs {
		wanted.layers = append(wanted.layers, layer.String())
	}
	return wanted, wanted.checkConfig(config.Config.Env, len(config.Config.Volumes))
}

// checkConfig refuses what Docker would take over from an image's own
// configuration into a container although the Spec does not say so.
func (w wantedImage) checkConfig(environment []string, volumes int) error {
	if volumes > 0 {
		return fmt.Errorf("image declares %d volumes, which are writable and without a limit", volumes)
	}
	for _, variable := range environment {
		name, _, _ := strings.Cut(variable, "=")
		if !slices.ContainsFunc(w.environment, func(own string) bool { return strings.HasPrefix(own, name+"=") }) {
			return fmt.Errorf("image sets the environment variable %s, which the sandbox does not", name)
		}
	}
	return nil
}

// sendImage streams image to the daemon as a docker-archive. Docker reads all of it
// first, and tells how it gets on with it when it is not asked to be quiet.
func (e *Engine) sendImage(ctx context.Context, image v1.Image, tag string) error {
	ctx, progress, end := watchProgress(ctx)
	defer end()
	reference, err := name.NewTag(tag)
	if err != nil {
		return fmt.Errorf("name image: %w", err)
	}
	reader, writer := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := tarball.Write(reference, image, writer)
		writer.CloseWithError(err)
		written <- err
	}()
	answer, err := e.api.ImageLoad(ctx, progress.of(reader), client.ImageLoadWithQuiet(false))
	if err == nil {
		err = errors.Join(readLoadAnswer(progress.of(answer)), answer.Close())
	}
	if err != nil && ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	reader.CloseWithError(errors.New("docker stopped reading"))
	if fault := <-written; err == nil { // else it repeats that docker stopped reading
		err = fault
	}
	return err
}

// readLoadAnswer reads the daemon's stream of JSON messages, in which errors come
// with status 200.
func readLoadAnswer(answer io.Reader) error {
	limited := &io.LimitedReader{R: answer}
	for decoder := json.NewDecoder(limited); ; { //nolint:forbidigo // the daemon's words, which have members that we do not know
		limited.N = maxLoadAnswer
		var message struct {
			Error string `json:"error"`
		}
		switch err := decoder.Decode(&message); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("decode answer: %w", err)
		case message.Error != "":
			return errors.New(message.Error)
		}
	}
}
