package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"hotcell/api"
	"hotcell/internal/beneath"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// Files lists the released files of a run. Each path is relative, clean and harmless as a name
// on every system; a list with another one is an error as a whole.
func (c *Client) Files(ctx context.Context, id job.ID) ([]api.FileInfo, error) {
	var list api.FileList
	if err := c.ask(ctx, c.get("runs", id.String(), "files"), &list); err != nil {
		return nil, err
	}
	if err := checkFiles(list.Files); err != nil {
		return nil, c.believe(err)
	}
	return list.Files, nil
}

func infos(files []job.File) []api.FileInfo {
	all := make([]api.FileInfo, 0, len(files))
	for _, file := range files {
		all = append(all, api.FileInfo{Path: file.Path, Bytes: file.Bytes, SHA256: string(file.SHA256), MediaType: file.MediaType, Role: file.Role})
	}
	return all
}

// checkFiles holds a list to what a runner releases. The errors repeat no name.
func checkFiles(files []api.FileInfo) error {
	seen := make(map[string]bool, len(files))
	for at, file := range files {
		sum, err := hex.DecodeString(file.SHA256)
		switch {
		case beneath.CheckPath(file.Path) != nil || seen[file.Path]:
			return fmt.Errorf("file %d of the list has a name that no released file has", at+1)
		case err != nil || len(sum) != sha256.Size || strings.ToLower(file.SHA256) != file.SHA256 || file.Bytes < 0:
			return fmt.Errorf("file %d of the list has no size, or no SHA-256", at+1)
		}
		seen[file.Path] = true
	}
	return nil
}

// OpenFile opens a released file by its path in Files.
func (c *Client) OpenFile(ctx context.Context, id job.ID, path string) (io.ReadCloser, error) {
	files, err := c.Files(ctx, id)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(files, func(file api.FileInfo) bool { return file.Path == path })
	if at < 0 {
		return nil, &api.Problem{Title: "there is no such file", Detail: "the run has released no file of this path", Status: http.StatusNotFound, RunID: id.String()}
	}
	return c.OpenListed(ctx, id, files[at])
}

// OpenListed opens a file that Files has listed, or a result. Reading goes on where a connection
// breaks, and is io.EOF only for a file of the listed size and hash; what was read before another
// end is not to be used. It ends with ctx.
func (c *Client) OpenListed(ctx context.Context, id job.ID, file api.FileInfo) (io.ReadCloser, error) {
	if err := checkFiles([]api.FileInfo{file}); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	d := &download{client: c, id: id, file: file, sum: sha256.New(), retry: c.retry(), cancel: cancel, ctx: ctx}
	if err := d.open(); err != nil { //nolint:contextcheck // it has it
		cancel(nil)
		return nil, err
	}
	return d, nil
}

// download is a file on its way.
type download struct {
	client *Client
	ctx    context.Context // of whoever reads: io.Reader takes none
	cancel context.CancelCauseFunc
	id     job.ID
	file   api.FileInfo
	retry  *retry

	body  io.ReadCloser // or nil, between two connections
	stop  func()        // of the present connection
	clock *time.Timer
	read  int64
	sum   hash.Hash
	err   error // the end
}

// open connects, or returns why it is not to be tried again.
func (d *download) open() error {
	for {
		err := d.connect()
		if err == nil {
			return nil
		}
		after := busy(err)
		if after == 0 && isLost(err) {
			after = d.retry.backoff()
		}
		if after == 0 || !d.retry.pause(d.ctx, err, after) {
			return d.client.ended(d.ctx, err)
		}
	}
}

// connect asks for what is left.
func (d *download) connect() error {
	ctx, cancel := context.WithCancelCause(d.ctx)
	clock := time.AfterFunc(quiet, func() { cancel(errIdle) })
	stop := func() { clock.Stop(); cancel(nil) }
	header := anything()
	if d.read > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", d.read))
		header.Set("If-Range", `"`+d.file.SHA256+`"`)
	}
	path := append([]string{"v1", "runs", d.id.String(), "files"}, strings.Split(d.file.Path, "/")...)
	response, err := d.client.send(ctx, call{method: http.MethodGet, path: path, header: header}) //nolint:bodyclose // hangUp does
	if err != nil {
		stop()
		return err
	}
	d.body, d.stop, d.clock = response.Body, stop, clock
	switch {
	case response.StatusCode == http.StatusOK:
		err = d.pass()
	case response.StatusCode != http.StatusPartialContent || d.read == 0,
		response.Header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", d.read, d.file.Bytes-1, d.file.Bytes):
		err = d.client.malformed("it is another part of the file")
	}
	if err != nil {
		d.hangUp()
	}
	return err
}

// pass reads over what was read before: the server gives no part of a file.
func (d *download) pass() error {
	_, err := io.CopyN(io.Discard, &heard{d.body, d.clock}, d.read)
	if err != nil {
		return d.client.lost(d.ctx, err)
	}
	return nil
}

func (d *download) hangUp() {
	if d.body != nil {
		d.body.Close()
		d.stop()
		d.body = nil
	}
}

// Read implements io.Reader.
func (d *download) Read(into []byte) (int, error) {
	for d.err == nil {
		if d.body == nil {
			if d.err = d.open(); d.err != nil {
				break
			}
		}
		if d.read == d.file.Bytes {
			d.end()
			break
		}
		n, err := (&heard{d.body, d.clock}).Read(into[:min(int64(len(into)), d.file.Bytes-d.read)])
		d.sum.Write(into[:n])
		d.read += int64(n)
		if n > 0 {
			d.retry.heard()
		}
		if err != nil && d.read < d.file.Bytes {
			d.hangUp()
			if again := d.retry.backoff(); !d.retry.pause(d.ctx, d.client.lost(d.ctx, err), again) {
				d.err = d.client.ended(d.ctx, d.client.lost(d.ctx, err))
			}
		}
		if n > 0 || len(into) == 0 {
			return n, nil
		}
	}
	return 0, d.err
}

// end holds the file to its size and its hash, once as much was read as it is to have.
func (d *download) end() {
	var more [1]byte
	n, err := io.ReadFull(&heard{d.body, d.clock}, more[:])
	switch {
	case n > 0, hex.EncodeToString(d.sum.Sum(nil)) != d.file.SHA256:
		d.err = d.client.believe(ErrMismatch)
	case errors.Is(err, context.Canceled) && d.ctx.Err() != nil:
		d.err = context.Cause(d.ctx)
	default: // all of it is there, however the connection ended
		d.err = io.EOF
	}
	d.hangUp()
}

// Close implements io.Closer.
func (d *download) Close() error {
	d.hangUp()
	d.cancel(nil)
	if d.err == nil {
		d.err = io.ErrClosedPipe
	}
	return nil
}

// Record is what the host keeps of a run that has ended, as it keeps it.
func (c *Client) Record(ctx context.Context, id job.ID) (json.RawMessage, error) {
	return c.document(ctx, "runs", id.String(), "record")
}

// Attestation is the statement of a run, as it was signed.
func (c *Client) Attestation(ctx context.Context, id job.ID) (json.RawMessage, error) {
	return c.document(ctx, "runs", id.String(), "attestation")
}

// document is JSON of which the service is not the author.
func (c *Client) document(ctx context.Context, path ...string) (json.RawMessage, error) {
	asked := c.get(path...)
	asked.most, asked.header = c.most, anything()
	got, err := c.insist(ctx, asked)
	if err != nil {
		return nil, err
	}
	if err := strictjson.CheckValue(got.body, maxDepth); err != nil {
		return nil, c.believe(err)
	}
	return got.body, nil
}
