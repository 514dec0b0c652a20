package runner

import (
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

func (e *execution) outputRules() output.Rules { return outputRules(e.terms.Policy, e.terms.Limits) }

func outputRules(chosen policy.Policy, limits job.Limits) output.Rules {
	return output.Rules{
		MaxFiles: int(limits.OutputFiles), MaxBytes: limits.OutputBytes,
		MaxDepth: chosen.Output.MaxDepth, MediaTypes: chosen.Output.MediaTypes,
		DropUnaccepted:        chosen.Output.OnUnacceptedFile == policy.UnacceptedDrop,
		RefusePictureMetadata: chosen.Output.PictureMetadata == policy.PictureMetadataRefuse,
	}
}

func declared(files []wire.WrittenFile) []output.Declared {
	manifest := make([]output.Declared, len(files))
	for index, file := range files {
		manifest[index] = output.Declared{Path: file.Path, Bytes: file.Bytes, SHA256: file.SHA256, Role: file.Role}
	}
	return manifest
}
