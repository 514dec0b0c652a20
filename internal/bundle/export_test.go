package bundle

// ParseManifest lets the fuzz target read a manifest without a directory.
func ParseManifest(data []byte) (Manifest, error) {
	manifest, err := parseManifest(data)
	return manifest, err
}
