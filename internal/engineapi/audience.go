package engineapi

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// audience is whom an answer is for: nothing becomes a fault or an answer but by one. What is not
// said to be a command of this host is somebody else, who hears nothing of its places.
type audience struct {
	host bool
	// shortened hears each error whose text lost something, or is nil.
	shortened func(err error)
}

// inside is for a command of this host.
func inside() audience { return audience{host: true} }

// fault is nil for nil.
func (a audience) fault(err error) *fault {
	if err == nil {
		return nil
	}
	to := faultOf(err)
	if a.host {
		return to
	}
	if to.Message = withoutPlaces(to.Message, err); to.Message != err.Error() && a.shortened != nil {
		a.shortened(err)
	}
	to.Guard = withoutPlaces(to.Guard, nil)
	return to
}

// answer puts together what a Service has returned. A response without a run is none.
func (a audience) answer(said runner.Response, err error) *answer {
	to := &answer{Error: a.fault(err)}
	if said.Result.RunID != (job.ID{}) {
		to.Run = &response{Result: said.Result, RecordBytes: said.RecordBytes, Trace: said.Trace}
		if a.host {
			to.Run.RecordDir, to.Run.QuarantineDir, to.Run.CodeFile = said.RecordDir, said.QuarantineDir, said.CodeFile
		}
	}
	return to
}

// over is why a session takes no more steps.
func (a audience) over(why string) string {
	if a.host {
		return why
	}
	return withoutPlaces(why, nil)
}

// description is what listens: where an engine asks for its containers is the host's.
func (a audience) description(about Description) Description {
	if !a.host {
		about.Daemon = ""
	}
	return about
}

// overview is what an engine does just now.
func (a audience) overview(now Overview) Overview {
	now.Engine = a.description(now.Engine)
	if a.host {
		return now
	}
	now.Templates = slices.Clone(now.Templates)
	for index := range now.Templates {
		now.Templates[index].Failure = withoutPlaces(now.Templates[index].Failure, nil)
	}
	return now
}

// place finds an absolute path in a text: in quotes with what else is in them, or up to what ends a
// word.
var place = regexp.MustCompile(`"/[^"\n]*"|(?:^|[^\pL\pN_/…])/[^\s"'` + "`" + `,;:()\[\]<>]*`)

// withoutPlaces leaves the last element of each absolute path in a text. err is what it is of, or nil: what
// it was told with may be a path with blanks.
func withoutPlaces(text string, err error) string {
	for _, one := range pathsOf(err) {
		text = strings.ReplaceAll(text, one, short(one))
	}
	return place.ReplaceAllStringFunc(text, func(found string) string {
		start := strings.IndexByte(found, '/')
		where, quote := found[start:], ""
		if strings.HasPrefix(found, `"`) && strings.HasSuffix(found, `"`) && len(found) > start+1 {
			where, quote = strings.TrimSuffix(where, `"`), `"`
		}
		if strings.HasPrefix(where, "//") && !strings.HasPrefix(where, "///") && strings.HasPrefix(found, ":") { // a URL of a host
			return found
		}
		return found[:start] + short(where) + quote
	})
}

// short is the last element of a path, marked.
func short(where string) string {
	if last := path.Base(where); last != "/" {
		return "…/" + last
	}
	return where
}

// pathsOf are the absolute paths that the errors of an error's tree are about, the longest first.
func pathsOf(err error) (found []string) {
	var walk func(err error)
	walk = func(err error) {
		switch one := err.(type) { //nolint:errorlint // each of the tree is looked at
		case nil:
		case *fs.PathError:
			found = append(found, one.Path)
		case *os.LinkError:
			found = append(found, one.Old, one.New)
		}
		switch one := err.(type) { //nolint:errorlint // the same
		case interface{ Unwrap() []error }:
			for _, each := range one.Unwrap() {
				walk(each)
			}
		default:
			if next := errors.Unwrap(err); next != nil {
				walk(next)
			}
		}
	}
	walk(err)
	found = slices.DeleteFunc(found, func(one string) bool { return !path.IsAbs(one) })
	slices.SortFunc(found, func(a, b string) int { return len(b) - len(a) })
	return found
}
