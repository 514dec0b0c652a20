package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/internal/budget"
)

// maxTogether bounds all with which one request is answered, in bytes of the answer. A batch is many
// calls, and one request.
const maxTogether = 2 << 20

// smallAnswer is what each of them has beside that: what a call has done is always told.
const smallAnswer = 4 << 10

// room is maxTogether for one request, whose calls read one after the other.
type room struct {
	reading sync.Mutex
	bytes   *budget.Budget
	among   *budget.Share // of all answers of a service, or nil
}

func newRoom(among *budget.Share) *room { return &room{bytes: budget.New(maxTogether), among: among} }

// hold has nobody else read for the request until it is called back.
func (r *room) hold() func() {
	r.reading.Lock()
	return r.reading.Unlock
}

// claim is what one message of a request has of its room, until the request is answered.
type claim struct {
	of    *room
	share *budget.Share
}

func (r *room) claim() *claim {
	share, _ := r.bytes.Take("", 0)
	return &claim{r, share}
}

// take takes so many bytes more, or says why there is no room for them.
func (c *claim) take(more int) error { return c.upTo(c.share.Has() + int64(more)) }

// has takes so many bytes more where there is room for them.
func (c *claim) has(more int) bool { return c.take(more) == nil }

// upTo takes so many in all, or gives back what it has above that.
func (c *claim) upTo(bytes int64) error {
	before := c.share.Has()
	c.share.Shrink(bytes)
	if !c.share.Grow(bytes) {
		return errNoRoom
	}
	if c.of.among != nil && !c.of.among.Grow(c.of.bytes.Taken()) {
		c.share.Shrink(before)
		return errCrowd
	}
	return nil
}

// errNoRoom is for a batch that asks for more than one answer has.
var errNoRoom = refused("the answers to one request have at most %d bytes together: ask for this one by itself", maxTogether)

// errCrowd is for what a service has no place for just now.
var errCrowd = refused("too much is being answered just now: ask again in a while")

// fit is why there is no room for an answer, or nil.
func (c *claim) fit(result mcp.Result) error {
	size, err := sizeOf(result)
	if err != nil {
		return err
	}
	if err := c.upTo(size); err != nil && size > c.share.Has()+smallAnswer {
		return err
	}
	return nil
}

// sizeOf is how many bytes a result takes in an answer at most. What is large is not encoded for that.
func sizeOf(result mcp.Result) (int64, error) {
	const each = 256 // of names around it
	bytes := each
	switch result := result.(type) {
	case *mcp.CallToolResult:
		structured, _ := result.StructuredContent.(json.RawMessage)
		bytes += len(structured)
		for _, content := range result.Content {
			bytes += each
			switch content := content.(type) {
			case *mcp.TextContent:
				bytes += encoded(content.Text)
			case *mcp.ImageContent:
				bytes += base64.StdEncoding.EncodedLen(len(content.Data))
			case *mcp.ResourceLink:
				bytes += encoded(content.URI) + encoded(content.Name)
			}
		}
	case *mcp.ReadResourceResult:
		for _, contents := range result.Contents {
			bytes += each + encoded(contents.URI) + encoded(contents.Text) + base64.StdEncoding.EncodedLen(len(contents.Blob))
		}
	default: // a list of ours
		text, err := json.Marshal(result)
		return int64(len(text)), err
	}
	return int64(bytes), nil
}

// encoded is how many bytes a text takes in an answer at most.
func encoded(text string) int {
	bytes := costs(text)
	for _, escaped := range []string{"<", ">", "&"} {
		bytes += 5 * strings.Count(text, escaped)
	}
	return bytes
}
