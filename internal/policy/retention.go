package policy

import (
	"fmt"
	"strings"
)

// RetentionPart is one part of what is kept, and its bounds.
type RetentionPart struct {
	Name string // the key of the policy
	What string // in words
	Keep Keep
}

// The parts, by their keys.
const (
	RetainRecords    = "records"
	RetainCode       = "code"
	RetainFailedCode = "failed_code"
	RetainQuarantine = "quarantine"
	RetainBundles    = "bundles"
	RetainImages     = "images"
)

// Parts lists the parts that are bounded, in the order of the policy's keys.
func (r *Retention) Parts() []RetentionPart {
	if r == nil {
		return nil
	}
	var parts []RetentionPart
	for _, one := range []struct {
		name, what string
		keep       *Keep
	}{
		{RetainRecords, "whole runs", r.Records}, {RetainCode, "the code of runs that succeeded", r.Code},
		{RetainFailedCode, "the code of all other runs", r.FailedCode}, {RetainQuarantine, "quarantine", r.Quarantine},
		{RetainBundles, "bundles that no record names", r.Bundles}, {RetainImages, "images that no record names", r.Images},
	} {
		if one.keep != nil {
			parts = append(parts, RetentionPart{one.name, one.what, *one.keep})
		}
	}
	return parts
}

// String completes a sentence that begins with "what is".
func (k Keep) String() string {
	var bounds []string
	if k.Days > 0 {
		bounds = append(bounds, "older than "+count(int(k.Days), "day"))
	}
	if k.Count > 0 {
		bounds = append(bounds, fmt.Sprintf("beyond the newest %d", k.Count))
	}
	if k.Bytes > 0 {
		bounds = append(bounds, fmt.Sprintf("beyond the newest %s", k.Bytes))
	}
	return strings.Join(bounds, ", or ")
}
