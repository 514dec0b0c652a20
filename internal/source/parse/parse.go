// Package parse reads files of formats whose readers are large and whose files may be made by
// anybody: in a process that can do nothing else.
//
// IfChild is called by main, before all else. In the process that source.Convert starts it
// confines that process and reads the source at its standard input; in all others it does
// nothing. A reader that is taken over by a file finds a process without a file system, a
// network, other processes or an environment: it can answer wrongly, and no more. Nothing of
// the runner but main imports this package.
package parse

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"hotcell/internal/source"
	"hotcell/internal/strictjson"
)

// maxOrder is the size in bytes of what is asked of a source.
const maxOrder = 1 << 20

// Input is a source that can be read at any place.
type Input interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// IfChild reports whether this process was one that reads a source. Its exit code is then 0
// where it has answered, also that the source is damaged.
func IfChild(args []string) (code int, is bool) {
	if len(args) != 2 || args[0] != source.ChildName {
		return 0, false
	}
	frames := source.NewFrames(os.Stdout)
	var order source.Order
	if err := errors.Join(strictjson.DecodeAll([]byte(args[1]), maxOrder, &order), confine()); err != nil {
		if frames.Confined(err) != nil {
			return 1, true
		}
		return 0, true
	}
	debug.SetMemoryLimit(source.MaxMemory / 4)
	if err := frames.Confined(nil); err != nil {
		return 1, true
	}
	if err := frames.End(Convert(os.Stdin, order, frames)); err != nil {
		return 1, true
	}
	return 0, true
}

// Convert reads a source and writes its tables. Its error is what is wrong with the source.
func Convert(from Input, order source.Order, to *source.Frames) error {
	switch order.Format {
	case source.Gzip, source.Zstd:
		return unpack(from, order.Format, to)
	case source.XLSX:
		return readWorkbook(from, order, to)
	case source.Parquet:
		return readParquet(from, to)
	}
	return fmt.Errorf("its format %q is unknown", order.Format)
}
