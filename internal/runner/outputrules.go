package runner

import (
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

func (e *execution) outputRules() output.Rules {
	return output.Rules{
		MaxFiles: int(e.terms.Limits.OutputFiles), MaxBytes: e.terms.Limits.OutputBytes,
		MaxDepth: e.terms.Policy.Output.MaxDepth, MediaTypes: e.terms.Policy.Output.MediaTypes,
		DropUnaccepted:        e.terms.Policy.Output.OnUnacceptedFile == policy.UnacceptedDrop,
		RefusePictureMetadata: e.terms.Policy.Output.PictureMetadata == policy.PictureMetadataRefuse,
	}
}

func declared(files []wire.WrittenFile) []output.Declared {
	manifest := make([]output.Declared, len(files))
	for index, file := range files {
		manifest[index] = output.Declared{Path: file.Path, Bytes: file.Bytes, SHA256: file.SHA256, Role: file.Role}
	}
	return manifest
}
