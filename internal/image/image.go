package image

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"hotcell/internal/digest"
)

// Image describes one image of a store.
type Image struct {
	Digest       digest.Digest `json:"digest"`       // of the manifest
	Name         string        `json:"name"`         // "" when a later build has taken the name
	Recipe       digest.Hex    `json:"recipe"`       // of what the base layer was made from
	Guard        digest.Hex    `json:"guard"`        // of the guard's sources
	Architecture string        `json:"architecture"` // as Go calls it; the configuration's, so that the digest covers it
	Created      time.Time     `json:"created"`      // of the newest file in its packages: equal images have equal times
	Bytes        int64         `json:"bytes"`        // of all its files
	Files        int           `json:"files"`        // regular files
	Packages     int           `json:"packages"`     // Debian packages that it has files of
}

// The annotations that an image is described by. They are part of the manifest,
// so that the digest covers them; the name alone is the index's.
const (
	annotationName     = "org.opencontainers.image.ref.name"
	annotationCreated  = "org.opencontainers.image.created"
	annotationRecipe   = "org.hotcell.recipe.sha256"
	annotationGuard    = "org.hotcell.guard.sha256"
	annotationBytes    = "org.hotcell.bytes"
	annotationFiles    = "org.hotcell.files"
	annotationPackages = "org.hotcell.packages"
	annotationSBOM     = "org.hotcell.sbom"
)

func (i Image) annotations(sbom v1.Hash) map[string]string {
	return map[string]string{
		annotationCreated:  i.Created.Format(time.RFC3339),
		annotationRecipe:   string(i.Recipe),
		annotationGuard:    string(i.Guard),
		annotationBytes:    strconv.FormatInt(i.Bytes, 10),
		annotationFiles:    strconv.Itoa(i.Files),
		annotationPackages: strconv.Itoa(i.Packages),
		annotationSBOM:     sbom.String(),
	}
}

// checkAnnotations refuses a description that lacks a field or has one that this
// version does not know: what it does not know may be what matters.
func checkAnnotations(notes map[string]string) error {
	var faults []error
	known := Image{}.annotations(v1.Hash{})
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if notes[name] == "" {
			faults = append(faults, fmt.Errorf("it lacks %s", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		if _, ok := known[name]; !ok {
			faults = append(faults, fmt.Errorf("its field %q is unknown: run: runner image build", name))
		}
	}
	return errors.Join(faults...)
}

func imageFromManifest(entry v1.Descriptor, stored *storedImage) (Image, error) {
	notes := stored.manifest.Annotations
	if err := checkAnnotations(notes); err != nil {
		return Image{}, fmt.Errorf("describe image %s: %w", entry.Digest, err)
	}
	created, errCreated := time.Parse(time.RFC3339, notes[annotationCreated])
	bytes, errBytes := strconv.ParseInt(notes[annotationBytes], 10, 64)
	files, errFiles := strconv.Atoi(notes[annotationFiles])
	packages, errPackages := strconv.Atoi(notes[annotationPackages])
	sum, errSum := digest.Parse(entry.Digest.String())
	if err := errors.Join(errCreated, errBytes, errFiles, errPackages, errSum); err != nil {
		return Image{}, fmt.Errorf("describe image %s: %w", entry.Digest, err)
	}
	return Image{
		Digest:       sum,
		Name:         entry.Annotations[annotationName],
		Recipe:       digest.Hex(notes[annotationRecipe]),
		Guard:        digest.Hex(notes[annotationGuard]),
		Architecture: stored.architecture,
		Created:      created,
		Bytes:        bytes,
		Files:        files,
		Packages:     packages,
	}, nil
}
