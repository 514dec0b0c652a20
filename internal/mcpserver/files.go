package mcpserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/api"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// maxInline is how many bytes of figures an answer has in it: all of them together, and so each.
const maxInline = 1 << 20

// errNoFile is told as it is, and an address of such a file is none.
var errNoFile = refused("the run has released no file of this path: see list_files")

// maxFiles is how many files list_files tells, and maxFilesText how many bytes their paths and addresses
// have: an answer has them twice.
const (
	maxFiles     = 200
	maxFilesText = 256 << 10
)

func (s *Server) addFileTools() {
	addTool(s, tool{
		name: "list_files", title: "List the files of a run", reads: true, output: schemaOf[filesAnswer](),
		description: "List the files that a run has left and that were verified, each with the address under which it can be read as a resource.",
	}, listFiles)
	addTool(s, tool{
		name: "read_file", title: "Read a file of a run", reads: true,
		description: "Read a piece of a text file that a run has left. next_offset of the answer is where the next piece begins. Files that are no text are read as resources.",
	}, readFile)
}

// file is a verified file of a run. Its path is the run's own word.
type file struct {
	Path      said  `json:"path"`
	Bytes     int64 `json:"bytes"`
	SHA256    said  `json:"sha256"`
	MediaType said  `json:"media_type"`
	URI       said  `json:"uri"`
}

type filesAnswer struct {
	noted
	Files      []file `json:"files" jsonschema:"at most 200 of them, with 256 KiB of paths and addresses"`
	FilesTotal int    `json:"files_total"`
}

// runURI is the address of something of a run's.
func runURI(id job.ID, what string) string { return scheme + "runs/" + id.String() + "/" + what }

func fileURI(id job.ID, path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	return runURI(id, "files/"+strings.Join(segments, "/"))
}

func listFiles(ctx context.Context, c *call, in idArguments) (*mcp.CallToolResult, error) {
	id, err := c.known(in.RunID, "run_id")
	if err != nil {
		return nil, err
	}
	answer := filesAnswer{noted: noted{filesNote}, Files: []file{}}
	err = c.inTurn(ctx, true, func() error {
		list, err := c.backend.Files(ctx, id)
		answer.FilesTotal = len(list)
		left := maxFilesText
		for _, f := range list[:min(len(list), maxFiles)] {
			one := fileOf(f, fileURI(id, f.Path))
			if left -= encoded(string(one.Path)) + encoded(string(one.URI)); left < 0 {
				break
			}
			answer.Files = append(answer.Files, one)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return structured(answer)
}

// info is a file of a result as Files lists it.
func info(f job.File) api.FileInfo {
	return api.FileInfo{Path: f.Path, Bytes: f.Bytes, SHA256: string(f.SHA256), MediaType: f.MediaType, Role: f.Role}
}

// fileOf is a file as it is told, under an address of it.
func fileOf(f api.FileInfo, uri string) file {
	return file{saidOf(f.Path), f.Bytes, said(f.SHA256), saidShort(f.MediaType, maxName), said(uri)}
}

// listed are the first files of a result, under the addresses of their links.
func listed(result *job.Result) (told []file) {
	for index, f := range result.Files[:min(len(result.Files), maxListed)] {
		told = append(told, fileOf(info(f), numbered(result.RunID, index)))
	}
	return told
}

// numbered is the address of a file by its place in the list: a link has nothing of its name.
func numbered(id job.ID, index int) string { return runURI(id, "file/"+strconv.Itoa(index+1)) }

// open opens a file of the list, and no other.
func (c *call) open(ctx context.Context, id job.ID, is func(index int, path string) bool) (io.ReadCloser, api.FileInfo, error) {
	list, err := c.backend.Files(ctx, id)
	if err != nil {
		return nil, api.FileInfo{}, err
	}
	for index, f := range list {
		if is(index, f.Path) {
			from, err := c.backend.OpenListed(ctx, id, f)
			return from, f, err
		}
	}
	return nil, api.FileInfo{}, errNoFile
}

func ofPath(wanted string) func(int, string) bool {
	return func(_ int, path string) bool { return path == wanted }
}

// files are a result's figures, and links to what is no figure or too large. A figure that
// cannot be read, by a caller who may not read files, say, is a link like any other file.
func (c *call) files(ctx context.Context, result *job.Result) (contents []mcp.Content) {
	left := int64(maxInline)
	defer c.room.hold()()
	for index, f := range result.Files[:min(len(result.Files), maxListed)] {
		if picture := pictureType(f.MediaType); picture != "" && f.Bytes <= left && c.claim.has(base64.StdEncoding.EncodedLen(int(f.Bytes))) {
			if data, err := c.picture(ctx, result.RunID, f); err == nil {
				left -= f.Bytes
				contents = append(contents, &mcp.ImageContent{Data: data, MIMEType: picture})
				continue
			}
		}
		contents = append(contents, &mcp.ResourceLink{
			URI: numbered(result.RunID, index), Name: fmt.Sprintf("file %d", index+1), MIMEType: knownType(f.MediaType), Size: new(f.Bytes),
		})
	}
	return contents
}

// typePattern is what a type can be that a policy names.
var typePattern = regexp.MustCompile(`^[a-z]{1,16}/[a-z0-9][a-z0-9.+-]{0,63}$`)

func knownType(mediaType string) string {
	if typePattern.MatchString(mediaType) {
		return mediaType
	}
	return "application/octet-stream"
}

func pictureType(mediaType string) string {
	switch mediaType {
	case "image/png", "image/jpeg":
		return mediaType
	default:
		return ""
	}
}

// picture reads a figure, and holds it to what the host has verified.
func (c *call) picture(ctx context.Context, id job.ID, f job.File) ([]byte, error) {
	from, err := c.backend.OpenListed(ctx, id, info(f))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(from, f.Bytes+1))
	if err := errors.Join(err, from.Close()); err != nil {
		return nil, err
	}
	magic := map[string]string{"image/png": "\x89PNG\r\n\x1a\n", "image/jpeg": "\xff\xd8\xff"}[f.MediaType]
	if int64(len(data)) != f.Bytes || digest.Of(data).Hex() != f.SHA256 || !bytes.HasPrefix(data, []byte(magic)) {
		return nil, errors.New("the file is not the one that was verified")
	}
	return data, nil
}

// pieceFacts are the host's words about a piece of a file.
type pieceFacts struct {
	Offset     int64 `json:"offset"`
	Bytes      int   `json:"bytes"` // of the file
	NextOffset int64 `json:"next_offset,omitzero"`
	End        bool  `json:"end"`
}

func readFile(ctx context.Context, c *call, in readArguments) (*mcp.CallToolResult, error) {
	id, err := c.known(in.RunID, "run_id")
	if err != nil {
		return nil, err
	}
	if in.Limit == 0 {
		in.Limit = shownBytes
	}
	var raw []byte
	err = c.inTurn(ctx, true, func() error {
		from, _, err := c.open(ctx, id, ofPath(in.Path))
		if err != nil {
			return err
		}
		raw, err = piece(from, in.Offset, in.Limit)
		return errors.Join(err, from.Close())
	})
	if err != nil {
		return nil, err
	}
	text, used, err := shownPiece(raw, in.Limit)
	if err != nil {
		return nil, err
	}
	told := pieceFacts{Offset: in.Offset, Bytes: used, End: used == len(raw)}
	if !told.End {
		told.NextOffset = in.Offset + int64(used)
	}
	framed, err := framedText(said(text))
	if err != nil {
		return nil, err
	}
	answer, err := structured(told)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: append(answer.Content, framed)}, nil
}

// piece reads from an offset on, a few bytes more than are asked for: whether more follows, and
// whether the last character is whole.
func piece(from io.Reader, offset, limit int64) ([]byte, error) {
	skipped, err := io.CopyN(io.Discard, from, offset)
	if errors.Is(err, io.EOF) {
		return nil, refused("the file ends at byte %d, before the argument \"offset\"", skipped)
	}
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	return io.ReadAll(io.LimitReader(from, limit+utf8.UTFMax))
}

// maxBroken is how many bytes of a piece of text may be no UTF-8: what an offset cuts off a character.
const maxBroken = utf8.UTFMax - 1

// shownPiece is as much of a piece as may be shown, and how many bytes of the file that is.
func shownPiece(raw []byte, most int64) (text string, used int, err error) {
	var shown strings.Builder
	broken := 0
	for left := int(most); used < len(raw); {
		rest := string(raw[used:min(len(raw), used+maxSequence+utf8.UTFMax)])
		if r, width := utf8.DecodeRuneInString(rest); r == utf8.RuneError && width == 1 {
			broken++
		} else if r == 0 {
			broken = maxBroken + 1
		}
		if broken > maxBroken {
			return "", 0, refused("the file is no text in UTF-8: read it as a resource")
		}
		piece, width := next(rest)
		if left -= costs(piece); left < 0 || used+width > int(most) {
			break
		}
		shown.WriteString(piece)
		used += width
	}
	return shown.String(), used, nil
}
