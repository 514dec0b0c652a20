package output

import (
	"fmt"

	"hotcell/internal/beneath"
	"hotcell/internal/job"
)

// The rules by their stable ids, as job.Violation.Rule.
const (
	RuleSymlink       = "output.symlink"         // a symbolic link, wherever it leads
	RuleHardLink      = "output.hard_link"       // a file that has another name somewhere
	RuleSpecialFile   = "output.special_file"    // named pipe, socket or device
	RuleMount         = "output.mount"           // a mount point
	RuleMode          = "output.mode"            // setuid, setgid or sticky, or not readable
	RulePath          = "output.path"            // a path that beneath.CheckPath refuses
	RuleClash         = "output.path_clash"      // two paths that some file system takes for one
	RuleTooDeep       = "output.too_deep"        // Rules.MaxDepth
	RuleTooManyFiles  = "output.too_many_files"  // Rules.MaxFiles
	RuleTooLarge      = "output.too_large"       // Rules.MaxBytes, or more than is checked of a type
	RuleTooComplex    = "output.too_complex"     // a document with a part that is too large or too deep to be checked
	RuleManifest      = "output.manifest"        // a malformed entry of the manifest
	RuleDuplicate     = "output.duplicate"       // named twice in the manifest
	RuleUndeclared    = "output.undeclared"      // there, but not in the manifest
	RuleMissing       = "output.missing"         // in the manifest, but not there
	RuleSizeMismatch  = "output.size_mismatch"   // another size than the manifest says
	RuleHashMismatch  = "output.hash_mismatch"   // another content than the manifest says
	RuleChanged       = "output.changed"         // changed while it was read
	RuleMediaType     = "output.media_type"      // a type that is not allowed, or content that is not of its type
	RuleMetadata      = "output.metadata"        // a picture says more than its pixels, see Rules.RefusePictureMetadata
	RuleDropped       = "output.dropped"         // not a violation: a file that was left behind, see Rules.DropUnaccepted
	RuleNotHeld       = "output.not_held"        // not a violation: a step's files that wait for the session's end, since nothing could be read before
	RuleNotYet        = "output.not_yet"         // not a violation: a step's files that wait for the session's end, since its steps have released as much as it may
	RuleActiveContent = "output.active_content"  // a document that runs or loads something when it is opened
	RuleMore          = "output.more_violations" // stands for those that were not listed
)

// AllRules are all of them.
func AllRules() []string {
	return []string{
		RuleSymlink, RuleHardLink, RuleSpecialFile, RuleMount, RuleMode, RulePath, RuleClash, RuleTooDeep,
		RuleTooManyFiles, RuleTooLarge, RuleTooComplex, RuleManifest, RuleDuplicate, RuleUndeclared, RuleMissing,
		RuleSizeMismatch, RuleHashMismatch, RuleChanged, RuleMediaType, RuleMetadata, RuleDropped, RuleNotHeld,
		RuleNotYet, RuleActiveContent, RuleMore,
	}
}

// maxViolations bounds what one hostile directory can make us report.
const maxViolations = 100

// violations collects, one for each path: what is found of a file first is what is wrong
// with it, and what follows mostly follows from that.
type violations struct {
	found []job.Violation
	known map[[2]string]bool // rules without a path stand for themselves
}

// add keeps a violation. path is foreign; the message's arguments must not be,
// unless escaped.
func (v *violations) add(rule, path, message string, args ...any) {
	path = beneath.Escape(path)
	key := [2]string{"", path}
	if path == "" {
		key[0] = rule
	}
	if v.known[key] || len(v.found) > maxViolations {
		return
	}
	if len(v.found) == maxViolations {
		v.found = append(v.found, job.Violation{
			Rule: RuleMore, Message: fmt.Sprintf("there are more than %d violations; the rest is not listed", maxViolations),
		})
		return
	}
	if v.known == nil {
		v.known = make(map[[2]string]bool)
	}
	v.known[key] = true
	v.found = append(v.found, job.Violation{Rule: rule, Path: path, Message: fmt.Sprintf(message, args...)})
}

func (v *violations) list() []job.Violation { return v.found }
