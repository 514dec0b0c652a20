package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"

	"hotcell/internal/digest"
)

// writeBill writes what a binary consists of, as Go's linker noted it there and as its dynamic
// section says: the modules with their sums, Go's standard library, and the libraries that the
// host brings.
func writeBill(out io.Writer, path, version string, made time.Time) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return err
	}
	needed, err := needsOf(path)
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	sum, _, err := digest.From(file)
	if err != nil {
		return err
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{
		Timestamp: made.Format(time.RFC3339),
		Component: &cyclonedx.Component{
			BOMRef: "runner", Type: cyclonedx.ComponentTypeApplication, Name: "hotcell", Version: version,
			Hashes: &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: string(sum.Hex())}},
		},
	}
	components := []cyclonedx.Component{standardLibrary(info)}
	for _, module := range info.Deps {
		one, err := goModule(module)
		if err != nil {
			return err
		}
		components = append(components, one)
	}
	for _, library := range needed.libraries {
		components = append(components, cyclonedx.Component{
			BOMRef: "library:" + library, Type: cyclonedx.ComponentTypeLibrary, Name: library, Description: "loaded from the host",
		})
	}
	bom.Components = &components
	encoder := cyclonedx.NewBOMEncoder(out, cyclonedx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	return encoder.EncodeVersion(bom, cyclonedx.SpecVersion1_6)
}

func standardLibrary(info *debug.BuildInfo) cyclonedx.Component {
	version := strings.TrimPrefix(info.GoVersion, "go")
	purl := "pkg:golang/std@" + version
	return cyclonedx.Component{BOMRef: purl, Type: cyclonedx.ComponentTypeLibrary, Name: "std", Version: version, PackageURL: purl}
}

// goModule is a module as it was compiled. Its hash is the one of go.sum (h1), as cyclonedx-gomod
// has it: SHA-256 of the list of its files with their hashes.
func goModule(module *debug.Module) (cyclonedx.Component, error) {
	if module.Replace != nil {
		module = module.Replace
	}
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(module.Sum, "h1:"))
	if err != nil || len(sum) != 32 {
		return cyclonedx.Component{}, fmt.Errorf("module %s has no sum: it was not fetched, and what it is nobody knows", module.Path)
	}
	purl := "pkg:golang/" + module.Path + "@" + module.Version
	return cyclonedx.Component{
		BOMRef: purl, Type: cyclonedx.ComponentTypeLibrary, Name: module.Path, Version: module.Version, PackageURL: purl,
		Hashes: &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}},
	}, nil
}
