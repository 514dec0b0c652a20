package httpapi

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"hotcell/api"
	"hotcell/internal/job"
)

func (c *call) listFiles() error { return answerFor(c, http.StatusOK, c.door.Backend.Files) }

func (c *call) getRecord() error { return c.part("record", "application/json") }

func (c *call) getAttestation() error { return c.part("statement", "application/vnd.in-toto+json") }

// part answers with a part of a record as it is kept.
func (c *call) part(name, mediaType string) error {
	id, err := c.runID()
	if err != nil {
		return err
	}
	content, size, err := c.door.Backend.Read(c.r.Context(), c.by, id, name)
	if err != nil {
		return err
	}
	defer content.Close()
	c.w.Header().Set("Content-Type", mediaType)
	c.w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead { // whether there is one, nothing but the engine knows
		return nil
	}
	_, err = io.CopyN(c.w, content, size)
	return err
}

// maxFilePath is of a released file's.
const maxFilePath = 1024

// getFile answers with a released file. Only a path that the run's list has is asked for.
func (c *call) getFile() error {
	id, err := c.runID()
	if err != nil {
		return err
	}
	wanted := c.r.PathValue("path")
	if len(wanted) > maxFilePath || !fs.ValidPath(wanted) {
		return refuse(wordNotFound, "the run has no such file")
	}
	file, err := c.listed(id, wanted)
	if err != nil {
		return err
	}
	if err := c.describe(file); err != nil {
		return err
	}
	content := &lazy{size: file.Bytes, open: func() (io.ReadCloser, int64, error) {
		return c.door.Backend.Read(c.r.Context(), c.by, id, "files/"+file.Path)
	}}
	defer content.close()
	return c.serve(content)
}

// listed is what a run's list has of a file.
func (c *call) listed(id job.ID, wanted string) (file api.FileInfo, err error) {
	list := func(ctx context.Context) (any, error) { return c.door.Backend.Files(ctx, c.by, id) }
	err = c.inTurn(list, func(value any) error {
		files, _ := value.(api.FileList)
		at := slices.IndexFunc(files.Files, func(file api.FileInfo) bool { return file.Path == wanted })
		if at < 0 {
			return refuse(wordNotFound, "the run has no such file")
		}
		file = files.Files[at]
		return nil
	})
	return file, err
}

// describe sets the headers of a file. A browser is to save it, and never to show it: what
// it is called comes from a script, and what is in it too.
func (c *call) describe(file api.FileInfo) error {
	sum, err := hex.DecodeString(file.SHA256)
	if err != nil {
		return errors.New("a file of the list has a digest that is none")
	}
	header := c.w.Header()
	header.Set("Cache-Control", "private, no-cache")
	header.Set("Content-Type", mediaTypeOf(file.MediaType))
	header.Set("Content-Disposition", `attachment; filename="`+safeName(file.Path)+`"`)
	header.Set("ETag", `"`+file.SHA256+`"`)
	header.Set("Repr-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sum)+":")
	return nil
}

// mediaTypeOf is one that no browser carries out. Every other file is just bytes.
func mediaTypeOf(name string) string {
	switch name {
	case "application/json", "application/pdf", "application/vnd.apache.parquet", "application/x-ndjson", "image/jpeg", "image/png":
		return name
	case "text/csv", "text/markdown", "text/plain", "text/tab-separated-values":
		return name + "; charset=utf-8"
	}
	return "application/octet-stream"
}

// maxName is of a file's name as it is proposed for saving.
const maxName = 100

// safeName is a path's last element as any system can have it, in letters that need no
// escape in a header.
func safeName(of string) string {
	name := strings.Map(func(letter rune) rune {
		if letter < 128 && strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", letter) {
			return letter
		}
		return '_'
	}, path.Base(of))
	name = strings.TrimLeft(name, ".-")
	if name == "" {
		name = "file"
	}
	return name[max(0, len(name)-maxName):] // the ending stays
}

// serve answers with content, or a range of it, or that the caller has it: as
// http.ServeContent does, which knows the preconditions of RFC 9110.
func (c *call) serve(content *lazy) error {
	if strings.Contains(c.r.Header.Get("Range"), ",") {
		c.r.Header.Del("Range") // several ranges would be several readings; who asks gets the whole
	}
	held := &held{writer: c.w, content: content, read: c.r.Method != http.MethodHead}
	http.ServeContent(held, c.r, "", time.Time{}, content)
	switch {
	case content.fault != nil:
		return content.fault
	case held.back:
		c.w.Header().Set("Content-Range", "bytes */"+strconv.FormatInt(content.size, 10))
		return refuse(wordRange, "the file has fewer bytes")
	}
	return nil
}

// held opens content before its header is written, and holds back an answer about a range
// that is none: that is a text, and all our problems are of one form.
type held struct {
	*writer
	content *lazy
	read    bool // somebody wants the content, and not only its header
	back    bool
}

// WriteHeader implements http.ResponseWriter.
func (h *held) WriteHeader(status int) {
	if h.read && (status == http.StatusOK || status == http.StatusPartialContent) {
		h.content.begin()
	}
	if h.back = h.content.fault != nil || status == http.StatusRequestedRangeNotSatisfiable; !h.back {
		h.writer.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (h *held) Write(data []byte) (int, error) {
	if h.back {
		return len(data), nil
	}
	return h.writer.Write(data)
}

// lazy is content of a known size, which is opened when it is sent: that is an event of the
// audit chain. It is read forwards, once.
type lazy struct {
	size int64
	open func() (io.ReadCloser, int64, error)

	at     int64 // where the next byte is read
	source io.ReadCloser
	fault  error // ours, not the reader's
}

// Seek implements io.Seeker until it is opened.
func (l *lazy) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekEnd:
		offset += l.size
	case io.SeekCurrent:
		offset += l.at
	}
	if offset < 0 || l.source != nil {
		return 0, errors.New("content is read forwards, once")
	}
	l.at = offset
	return offset, nil
}

// begin opens the content, and passes over what is before the range.
func (l *lazy) begin() {
	source, size, err := l.open()
	if err != nil {
		l.fault = err
		return
	}
	l.source = source
	if size != l.size {
		l.fault = errors.New("a file of a record has another size than its list says")
		return
	}
	if _, err := io.CopyN(io.Discard, source, l.at); err != nil {
		l.fault = fmt.Errorf("read a file of a record: %w", err)
	}
}

// Read implements io.Reader.
func (l *lazy) Read(p []byte) (int, error) {
	if l.source == nil || l.fault != nil {
		return 0, errors.Join(l.fault, io.ErrUnexpectedEOF)
	}
	n, err := l.source.Read(p)
	l.at += int64(n)
	if err != nil && (!errors.Is(err, io.EOF) || l.at != l.size) {
		l.fault = fmt.Errorf("read a file of a record: %w", err)
	}
	return n, err
}

func (l *lazy) close() {
	if l.source != nil {
		l.source.Close()
	}
}
