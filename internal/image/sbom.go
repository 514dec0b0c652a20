package image

import (
	"bytes"
	"net/url"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/digest"
)

// billOfMaterials lists the Debian packages of which files remain, and the guard,
// as CycloneDX 1.6 JSON. It names no image digest, because the image names it.
func billOfMaterials(made base, guardSum digest.Hex) ([]byte, error) {
	components := []cyclonedx.Component{{
		BOMRef: "hotcell-guard",
		Type:   cyclonedx.ComponentTypeLibrary,
		Name:   "hotcell-guard",
		Hashes: &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: string(guardSum)}},
	}}
	for _, binary := range made.Packages {
		components = append(components, debianComponent(binary))
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{
		Timestamp: made.Created.Format(time.RFC3339),
		Component: &cyclonedx.Component{
			BOMRef: pythonanalysis.Name,
			Type:   cyclonedx.ComponentTypeContainer,
			Name:   pythonanalysis.Name,
			Hashes: &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: string(made.Recipe)}},
		},
	}
	bom.Components = &components
	var encoded bytes.Buffer
	encoder := cyclonedx.NewBOMEncoder(&encoded, cyclonedx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	err := encoder.EncodeVersion(bom, cyclonedx.SpecVersion1_6)
	return encoded.Bytes(), err
}

func debianComponent(binary debianBinary) cyclonedx.Component {
	licenses := cyclonedx.Licenses{}
	for _, name := range binary.Licenses {
		licenses = append(licenses, cyclonedx.LicenseChoice{License: &cyclonedx.License{Name: name}})
	}
	purl := binary.purl()
	component := cyclonedx.Component{
		BOMRef:     purl,
		Type:       cyclonedx.ComponentTypeLibrary,
		Supplier:   &cyclonedx.OrganizationalEntity{Name: "Debian"},
		Name:       binary.Name,
		Version:    binary.Version,
		PackageURL: purl,
	}
	if len(licenses) > 0 {
		component.Licenses = &licenses
	}
	return component
}

// purl returns the package URL, with the source package, by which Debian's
// security tracker files its vulnerabilities, as "upstream".
func (b debianBinary) purl() string {
	query := url.Values{"arch": {b.Architecture}, "distro": {"debian-13"}}
	if b.Source != b.Name {
		query.Set("upstream", b.Source)
	}
	return "pkg:deb/debian/" + url.QueryEscape(b.Name) + "@" + url.QueryEscape(b.Version) + "?" + query.Encode()
}
