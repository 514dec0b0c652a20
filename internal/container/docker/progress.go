package docker

import (
	"context"
	"fmt"
	"io"
	"time"
)

// progress ends its context when nothing that it watches has moved for a while.
type progress struct {
	timer *time.Timer
}

// watchProgress returns a context that ends with ctx, or when none of the readers watched
// has brought anything for transferPatience, which is then its cause. The caller must end
// it.
func watchProgress(ctx context.Context) (_ context.Context, watched progress, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	watched.timer = time.AfterFunc(transferPatience, func() {
		cancel(fmt.Errorf("nothing has moved for %s", transferPatience))
	})
	return ctx, watched, func() {
		watched.timer.Stop()
		cancel(nil)
	}
}

// of returns from, watched. A Read of it after the end only sets the timer of a context
// that is over.
func (p progress) of(from io.Reader) io.Reader { return progressReader{p, from} }

type progressReader struct {
	progress
	from io.Reader
}

// Read implements io.Reader.
func (r progressReader) Read(content []byte) (int, error) {
	size, err := r.from.Read(content)
	if size > 0 {
		r.timer.Reset(transferPatience)
	}
	return size, err
}
