// Package download fetches one file whose content is known by its sha256.
//
// It decides how: what is there already is gone on with, what breaks off is tried again, and
// nothing gets the file's name before all of it is as its digest says. It does not decide
// what is fetched. The server is believed nothing: not the size, not the ranges.
package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"time"

	"hotcell/internal/digest"
)

// Options is what Fetch needs. All is required, but Progress.
type Options struct {
	URL      string // of http or https; the digest vouches for the content, and not the way
	SHA256   digest.Hex
	MaxBytes int64
	// Dir gets the file under Name, and until it is whole under Name with the ending ".part",
	// from which a later Fetch goes on. It is the caller's, who trusts all who can write to it.
	Dir  *os.Root
	Name string
	// Progress is told how many bytes there are, and of how many, or -1 where the server does
	// not say.
	Progress func(done, total int64)

	client *http.Client
	pause  time.Duration // before the second try; each later one waits twice as long
	idle   time.Duration // without a byte, after which a try is given up
}

const (
	tries      = 5
	partEnding = ".part"
)

// ErrOther means that the server has other content than the digest names.
var ErrOther = errors.New("the content is not what the sha256 names: compare it with what the publisher says, who may have published another file since")

// ErrRequest means that another try is of use only with another URL, name or size.
var ErrRequest = errors.New("wrong request")

// misuse is such an error, in its own words.
type misuse struct{ error }

// Is lets errors.Is find ErrRequest.
func (m misuse) Is(target error) bool { return target == ErrRequest }

// Unwrap lets errors.Is see the cause.
func (m misuse) Unwrap() error { return m.error }

// refusal is an error after which no other try is worth anything.
type refusal struct{ error }

// Unwrap lets errors.Is see the cause.
func (r refusal) Unwrap() error { return r.error }

// Fetch fetches the file. One that has its name already is an error. Where it fails, the part
// stays if a later Fetch can go on with it, and the error says so. No error has more of the
// URL than its scheme, host and path: what is beside them may be a password or a token.
func Fetch(ctx context.Context, options Options) (err error) {
	if err := options.check(); err != nil {
		return fmt.Errorf("fetch: %w", misuse{err})
	}
	if _, err := options.Dir.Lstat(options.Name); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("fetch: %w", misuse{fmt.Errorf("%s is there already: remove it, or fetch into another directory", options.Name)})
	}
	part, err := options.Dir.OpenFile(options.Name+partEnding, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer func() { err = errors.Join(err, part.Close()) }()
	if info, err := part.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(fmt.Errorf("fetch: %w", misuse{fmt.Errorf("%s%s is not a file: remove it", options.Name, partEnding)}), err)
	}
	if err := options.complete(ctx, part); err != nil {
		return errors.Join(fmt.Errorf("fetch %s: %w", printableURL(options.URL), err), options.leave(part, err))
	}
	if err := part.Sync(); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	return options.Dir.Rename(options.Name+partEnding, options.Name)
}

func (o *Options) check() error {
	given, err := url.Parse(o.URL) // whose error has the URL in it
	if err != nil || given.Scheme != "https" && given.Scheme != "http" || given.Host == "" {
		return errors.New("the URL must begin with https:// or http:// and name a host")
	}
	if err := o.SHA256.Check(); err != nil {
		return errors.New("the sha256 must be 64 lower-case hexadecimal digits")
	}
	if o.client == nil {
		o.client = &http.Client{CheckRedirect: redirect}
	}
	if o.pause == 0 {
		o.pause = time.Second
	}
	if o.idle == 0 {
		o.idle = time.Minute
	}
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	return nil
}

// complete goes on with a part until it is what the digest names. A part that was begun
// earlier may be of another content: it costs one try from the beginning.
func (o *Options) complete(ctx context.Context, part *os.File) error {
	fresh := false
	for try := 1; ; try++ {
		begun, err := o.more(ctx, part)
		fresh = fresh || begun
		if err == nil {
			err = o.compare(ctx, part)
			if !errors.Is(err, ErrOther) {
				return err
			}
			if err := part.Truncate(0); err != nil {
				return err
			}
			if fresh {
				return ErrOther
			}
		}
		if _, final := errors.AsType[refusal](err); final || try == tries || ctx.Err() != nil {
			return err
		}
		select {
		case <-time.After(o.pause << (try - 1)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// more asks for what a part lacks, and appends it. It reports whether the part was written
// from its beginning.
func (o *Options) more(ctx context.Context, part *os.File) (fresh bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(o.idle, func() { cancel(fmt.Errorf("the server sent nothing for %s", o.idle)) })
	defer watch.Stop()
	there, err := part.Seek(0, io.SeekEnd)
	if err != nil {
		return false, err
	}
	answer, err := o.ask(ctx, there)
	if err != nil {
		return false, causeOr(ctx, err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	switch answer.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK:
		there = 0
	case http.StatusRequestedRangeNotSatisfiable: // it is whole, or of something else
		return false, nil
	default:
		return false, statusError(answer)
	}
	fresh = there == 0
	if err := restart(part, there); err != nil {
		return fresh, err
	}
	err = o.copy(part, answer, there, func() { watch.Reset(o.idle) })
	return fresh, causeOr(ctx, err)
}

func restart(part *os.File, at int64) error {
	if err := part.Truncate(at); err != nil {
		return err
	}
	_, err := part.Seek(at, io.SeekStart)
	return err
}

// causeOr is why a context ended, if it has, in place of what that brought about.
func causeOr(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (o *Options) ask(ctx context.Context, from int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.URL, nil)
	if err != nil {
		return nil, withoutURL(err)
	}
	request.Header.Set("User-Agent", "hotcell-runner")
	// What is compressed on the way would have neither the digest nor the ranges.
	request.Header.Set("Accept-Encoding", "identity")
	if from > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	answer, err := o.client.Do(request)
	return answer, withoutURL(err)
}

func statusError(answer *http.Response) error {
	err := fmt.Errorf("the server answers %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	switch code := answer.StatusCode; {
	case code >= 500, code == http.StatusTooManyRequests, code == http.StatusRequestTimeout:
		return err
	}
	return refusal{misuse{fmt.Errorf("%w: look at the URL", err)}}
}

// copy appends a body to a part that has there bytes.
func (o *Options) copy(part *os.File, answer *http.Response, there int64, alive func()) error {
	total := int64(-1)
	if answer.ContentLength >= 0 {
		total = there + answer.ContentLength
	}
	tooLarge := refusal{misuse{fmt.Errorf("%w %d bytes: allow more with --max-size", errTooLarge, o.MaxBytes)}}
	if total > o.MaxBytes {
		return tooLarge
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := answer.Body.Read(buffer)
		alive()
		if there += int64(n); there > o.MaxBytes {
			return tooLarge
		}
		if _, err := part.Write(buffer[:n]); err != nil {
			return refusal{err}
		}
		o.Progress(there, total)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// compare hashes all of a part.
func (o *Options) compare(ctx context.Context, part *os.File) error {
	if _, err := part.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sum := digest.New()
	buffer := make([]byte, 1<<20)
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := part.Read(buffer)
		if _, err := sum.Write(buffer[:n]); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if sum.Digest() != o.SHA256.Digest() {
		return ErrOther
	}
	return nil
}
