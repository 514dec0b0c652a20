package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// visit judges one entry of the directory. An error ends the verification and
// means that we failed; what is wrong with the entry is a violation.
func (v *verifier) visit(ctx context.Context, node *beneath.Node) error {
	// Of a path only the last name is new here; a directory's faults are told once.
	if err := beneath.CheckPath(path.Base(node.Path)); err != nil {
		v.found.add(RulePath, node.Path, "%s", err)
	}
	if clash := v.names.Add(node.Path); clash != "" {
		v.found.add(RuleClash, node.Path, "its path cannot be distinguished from %q on every file system", beneath.Escape(clash))
	}
	switch node.Kind {
	case beneath.Regular:
		return v.file(ctx, node)
	case beneath.Directory:
		return v.directory(node)
	case beneath.Symlink:
		v.found.add(RuleSymlink, node.Path, "it is a symbolic link: write a file instead")
	default:
		v.found.add(RuleSpecialFile, node.Path, "it is a %s: only regular files can leave", node.Kind)
	}
	return nil
}

func (v *verifier) directory(node *beneath.Node) error {
	if node.Special() {
		v.found.add(RuleMode, node.Path, "the directory has its setuid, setgid or sticky bit set")
	}
	if node.Problem == nil {
		return nil
	}
	v.unread[node.Path] = true
	return v.unopened(node, node.Problem)
}

// unopened turns the reason why something could not be opened into a violation,
// where it is the sandbox's doing.
func (v *verifier) unopened(node *beneath.Node, reason error) error {
	switch {
	case errors.Is(reason, beneath.ErrTooDeep):
		v.found.add(RuleTooDeep, node.Path, "a path can have at most %d names, the file's own included: write files less deep", v.rules.MaxDepth)
	case errors.Is(reason, beneath.ErrMount):
		v.found.add(RuleMount, node.Path, "something is mounted there")
	case errors.Is(reason, beneath.ErrChanged):
		v.found.add(RuleChanged, node.Path, "it changed while it was read")
	case errors.Is(reason, beneath.ErrUnreadable):
		v.found.add(RuleMode, node.Path, "its mode does not let it be read")
	default:
		return reason
	}
	return nil
}

// file checks a regular file from the outside, then stages it.
func (v *verifier) file(ctx context.Context, node *beneath.Node) error {
	before := len(v.found.found)
	if node.Links != 1 {
		v.found.add(RuleHardLink, node.Path, "it has %d hard links: another name may lead to data that must not leave", node.Links)
	}
	if node.Special() {
		v.found.add(RuleMode, node.Path, "its setuid, setgid or sticky bit is set")
	}
	declared, ok := v.declared[node.Path]
	if !ok {
		v.found.add(RuleUndeclared, node.Path, "it was not there when your script ended, or was hidden: write files before the script's last line")
		return nil
	}
	v.seen[node.Path] = true
	v.checkSize(node, declared)
	kind := v.kind(node.Path)
	if kind == nil && len(v.found.found) == before && v.rules.DropUnaccepted {
		v.dropped.add(RuleDropped, node.Path, unaccepted+". It is kept in quarantine", endings(v.rules.MediaTypes))
		return nil
	}
	if kind == nil {
		v.found.add(RuleMediaType, node.Path, unaccepted, endings(v.rules.MediaTypes))
	}
	if kind == nil || len(v.found.found) != before || !v.account(node) {
		return nil
	}
	return v.stage(ctx, node, declared, kind)
}

func (v *verifier) checkSize(node *beneath.Node, declared Declared) {
	if node.Bytes != declared.Bytes {
		v.found.add(RuleSizeMismatch, node.Path, "it has %d bytes, but had %d when your script ended", node.Bytes, declared.Bytes)
	}
}

// account counts a file's bytes, holes included, before it is read.
func (v *verifier) account(node *beneath.Node) bool {
	if node.Bytes > v.rules.MaxBytes-v.bytes {
		v.found.add(RuleTooLarge, "", "the files have more than %d bytes together", v.rules.MaxBytes)
		return false
	}
	v.bytes += node.Bytes
	return true
}

// stage copies a file and judges the copy, which nobody else can change.
func (v *verifier) stage(ctx context.Context, node *beneath.Node, declared Declared, kind *mediaType) error {
	known, again := v.known[node.Path]
	again = again && known.Written == declared
	err := v.copy(ctx, node, declared, !again)
	switch {
	case errors.Is(err, errUnopened):
		return v.unopened(node, err)
	case errors.Is(err, digest.ErrSize):
		v.found.add(RuleSizeMismatch, node.Path, "its size changed after your script ended")
		return nil
	case errors.Is(err, digest.ErrMismatch):
		v.found.add(RuleHashMismatch, node.Path, "its content is not what it was when your script ended")
		return nil
	case err != nil:
		return err
	case again: // these bytes have been judged, by this name
		v.unchanged, v.written[node.Path] = append(v.unchanged, known.File), declared
		return nil
	}
	return v.accept(ctx, node.Path, declared, kind)
}

// accept judges a staged file without what it says beside its content, and lists it as it is
// then, or says why not.
func (v *verifier) accept(ctx context.Context, name string, declared Declared, kind *mediaType) error {
	file := job.File{Path: name, Bytes: declared.Bytes, SHA256: declared.SHA256, MediaType: kind.name, Role: declared.Role}
	removed, now, err := v.strip(ctx, name, kind)
	wrong, isFinding := errors.AsType[*finding](err)
	switch {
	case isFinding:
	case err != nil:
		return err
	case len(removed) > 0 && v.rules.RefusePictureMetadata:
		wrong = hasMetadata(removed)
	case len(removed) > 0:
		file.Bytes, file.SHA256, file.MetadataRemoved = now.Bytes, now.SHA256, true
	}
	if wrong == nil {
		if wrong, err = v.judge(ctx, name, kind); err != nil {
			return err
		}
	}
	if wrong != nil {
		return v.unfit(name, declared, wrong)
	}
	v.files = append(v.files, file)
	v.written[name] = declared
	return nil
}

// errUnopened marks an error of the sandbox's file, not of our copy.
var errUnopened = errors.New("file cannot be opened")

// copy stages what was declared, or only reads it, or returns a digest.ErrMismatch.
func (v *verifier) copy(ctx context.Context, node *beneath.Node, declared Declared, stage bool) (err error) {
	src, err := node.Open()
	if err != nil {
		return errors.Join(errUnopened, err)
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	if !stage {
		return beneath.CopyNamed(ctx, io.Discard, src, declared.SHA256.Digest(), declared.Bytes)
	}
	dst, err := createBelow(v.staging, node.Path, 0o600, 0o700)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	return beneath.CopyNamed(ctx, dst, src, declared.SHA256.Digest(), declared.Bytes)
}

// createBelow makes a new file, and the directories above it. The path has been
// checked.
func createBelow(root *os.Root, name string, mode, dirMode fs.FileMode) (*os.File, error) {
	if dir := path.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, dirMode); err != nil {
			return nil, fmt.Errorf("make directory: %w", err)
		}
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, fmt.Errorf("create file: %w", err)
	}
	return file, nil
}

// unfit leaves a file behind whose content cannot leave, where the rules let files stay
// behind, and is a violation otherwise. A figure is never left behind: the answer's charts
// name it.
func (v *verifier) unfit(name string, declared Declared, wrong *finding) error {
	if !v.rules.DropUnaccepted || declared.Role != RoleFile {
		v.found.add(wrong.rule, name, "%s", wrong.message)
		return nil
	}
	v.dropped.add(RuleDropped, name, "it was left out: %s", wrong.message)
	if err := v.staging.Remove(name); err != nil {
		return fmt.Errorf("remove staged file: %w", err)
	}
	for dir := path.Dir(name); dir != "." && v.staging.Remove(dir) == nil; dir = path.Dir(dir) { // those that are empty now
	}
	return nil
}

// judge reads the staged copy as what its name says that it is, and returns what is wrong
// with it.
func (v *verifier) judge(ctx context.Context, name string, kind *mediaType) (wrong *finding, err error) {
	file, err := v.staging.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open staged file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	staged := &watched{stagedFile: file, ctx: ctx}
	err = kind.check(staged)
	if staged.fault != nil {
		return nil, staged.fault // a decoder may have taken it for the document's
	}
	if finding, ok := errors.AsType[*finding](err); ok {
		return finding, nil
	}
	return nil, err
}

// unaccepted is what is said of a file by its ending.
const unaccepted = "your script wrote this file, but files with its ending do not leave the sandbox; those that end in %s do"

// kind finds the media type by the file's extension, or returns nil.
func (v *verifier) kind(name string) *mediaType {
	kind := typeOf(name)
	if kind == nil || !kind.in(v.rules.MediaTypes) {
		return nil
	}
	return kind
}

// finding is what is wrong with a file's content.
type finding struct{ rule, message string }

// Error implements error.
func (f *finding) Error() string { return f.rule + ": " + f.message }

func found(rule, message string, args ...any) error {
	return &finding{rule, fmt.Sprintf(message, args...)}
}

// Reason is what CheckChart found, without its rule.
func Reason(err error) string {
	if finding, ok := errors.AsType[*finding](err); ok {
		return finding.message
	}
	return err.Error()
}
