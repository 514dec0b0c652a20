package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/anchor"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/records"
	"hotcell/internal/signing"
)

// anchorFlags say where a checkpoint goes.
type anchorFlags struct {
	key, to, command, url string
}

const anchorHelp = `Write a signed checkpoint of the audit chain: how many events it has, and the root of
a Merkle tree over all of them (C2SP tlog-checkpoint). Keep it where whoever can write
the state directory cannot. With it ` + "`runner records verify --anchor`" + ` finds a chain
that was cut, rolled back or made again, which no look at the chain alone can.

It goes to standard output, or to --to FILE, to the standard input of --command, or to
--url by POST. A FILE that has an earlier anchor is replaced only if the chain still
fits it: several at once wait for each other, and FILE never goes back. --command is a
program, or a JSON array of a program and its arguments; there is no shell.

The audit chain keeps where it went: the program without its arguments, and of the URL
scheme, host and path. Who can list the host's processes sees all of both: let a program
read a token from a file.`

func (a *app) recordsAnchor() *cobra.Command {
	var flags anchorFlags
	command := &cobra.Command{
		Use:   "anchor [--to FILE | --command COMMAND | --url URL]",
		Short: "Write a signed checkpoint of the audit chain, to be kept elsewhere",
		Long:  anchorHelp,
		Example: `  runner records anchor --to /mnt/worm/hotcell.anchor
  runner records anchor --command '["/usr/bin/logger", "-t", "hotcell-anchor"]'
  runner records anchor --url https://audit.example.org/hotcell`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.anchor(cmd, flags) },
	}
	set := command.Flags()
	set.StringVar(&flags.key, "key", "", "`file` of the key that signs (default: the one that signs runs)")
	set.StringVar(&flags.to, "to", "", "`file` for the checkpoint")
	set.StringVar(&flags.command, "command", "", "`program` that reads the checkpoint from standard input")
	set.StringVar(&flags.url, "url", "", "`URL` that takes the checkpoint by POST")
	return command
}

func (f anchorFlags) check(cmd *cobra.Command) (vector []string, err error) {
	faults := &flagFaults{command: cmd}
	for _, name := range []string{"key", "to", "command", "url"} {
		faults.refuse(name, cmd.Flags().Lookup(name).Value.String() == "", "given a value, or left out")
	}
	ways := 0
	for _, way := range []string{f.to, f.command, f.url} {
		if way != "" {
			ways++
		}
	}
	if ways > 1 {
		faults.add(errors.New("--to, --command and --url exclude each other: give the checkpoint to one at a time"))
	}
	if f.command != "" {
		if vector, err = parseCommand(f.command); err != nil {
			faults.add(fmt.Errorf("--command: %w", err))
		}
	}
	if target, err := url.Parse(f.url); f.url != "" && (err != nil || target.Scheme != "https" && target.Scheme != "http" || target.Host == "") {
		faults.add(errors.New("--url must be an https or http address"))
	}
	return vector, faults.usage()
}

// anchorLock is held by who replaces an anchor in a file.
const anchorLock = "anchor.lock"

func (a *app) anchor(cmd *cobra.Command, flags anchorFlags) (err error) {
	ctx := cmd.Context()
	vector, err := flags.check(cmd)
	if err != nil {
		return err
	}
	key, err := a.anchorKey(flags.key)
	if err != nil {
		return err
	}
	view, err := a.trustedRecords()
	if err != nil {
		return err
	}
	if err := a.outsideState(flags.to); err != nil {
		return err
	}
	if flags.to != "" { // from the look at the chain to the rename: a later one must not be replaced
		lock, lockErr := durable.Lock(ctx, filepath.Join(a.state, anchorLock))
		if lockErr != nil {
			return fmt.Errorf("lock anchors: %w", lockErr)
		}
		defer func() { err = errors.Join(err, lock.Close()) }()
	}
	if err := a.mayNote(ctx); err != nil {
		return err
	}
	checkpoint, err := checkpointOf(ctx, view)
	if err != nil {
		return err
	}
	signed, err := checkpoint.Sign(key)
	if err != nil {
		return err
	}
	name, err := a.handOut(ctx, view, flags, vector, signed, key.Public())
	if err != nil {
		return err
	}
	sum, err := key.Public().Digest()
	if err != nil {
		return err
	}
	if err := a.note(ctx, records.Event{Kind: records.KindAnchor, Name: records.Brief(name), Count: checkpoint.Size, Subjects: []records.Subject{
		{Role: records.RoleCheckpoint, SHA256: digest.Of(signed).Hex()}, {Role: records.RoleKey, SHA256: sum.Hex()},
	}}); err != nil {
		return err
	}
	return a.showAnchor(name, checkpoint, signed, key.Public())
}

func (a *app) anchorKey(path string) (signing.Key, error) {
	if path != "" {
		key, err := signing.Load(path)
		if err != nil {
			return key, usageError{err}
		}
		return key, nil
	}
	key, path, err := a.signingKey()
	if err == nil && path == "" {
		err = usageError{errors.New("there is no key to sign with: `runner keygen` makes one, or --key names one")}
	}
	return key, err
}

// checkpointOf is of a chain that holds: an anchor vouches for what it has seen.
func checkpointOf(ctx context.Context, view *records.View) (anchor.Checkpoint, error) {
	tree := anchor.NewTree()
	first, err := view.Lines(ctx, func(_ records.Event, line []byte) error { return tree.Add(line) })
	if err != nil {
		return anchor.Checkpoint{}, err
	}
	if tree.Size() == 0 {
		return anchor.Checkpoint{}, usageError{errors.New("the audit chain has no event yet: there is nothing to anchor")}
	}
	return anchor.Of(tree, first)
}

// handOut gives a checkpoint to whoever keeps it, and names that.
func (a *app) handOut(ctx context.Context, view *records.View, flags anchorFlags, vector []string, signed []byte, key signing.Public) (string, error) {
	switch {
	case flags.to != "":
		if err := fitsEarlier(ctx, view, flags.to, key); err != nil {
			return "", err
		}
		return flags.to, replaceFile(flags.to, signed)
	case vector != nil:
		return vector[0], a.feed(ctx, vector, signed)
	case flags.url != "":
		return serverOf(flags.url), post(ctx, flags.url, signed)
	default:
		return "standard output", nil // once the chain has the event
	}
}

// fitsEarlier keeps an anchor that the chain does not fit: it is the evidence.
func fitsEarlier(ctx context.Context, view *records.View, path string, key signing.Public) error {
	earlier, err := readAnchor(path, key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usageError{fmt.Errorf("%s is not replaced: %w: if a key signed it that was replaced, `runner records verify --anchor %s --anchor-key FILE` compares it by that; then move it away, or name another file",
			path, err, path)}
	}
	comparison := anchor.Compare(earlier)
	first, err := view.Lines(ctx, func(_ records.Event, line []byte) error { return comparison.Add(line) })
	if err != nil {
		return err
	}
	if found := comparison.Result(first); found != anchor.Same {
		return fmt.Errorf("%s is not replaced: %s", path, differs(found, earlier))
	}
	return nil
}

// readAnchor reads a checkpoint that one of the keys has signed.
func readAnchor(path string, keys ...signing.Public) (checkpoint anchor.Checkpoint, err error) {
	file, err := durable.Open(path)
	if err != nil {
		return anchor.Checkpoint{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	const most = 64 << 10
	text, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return anchor.Checkpoint{}, err
	}
	return openAnchor(text, keys)
}

func openAnchor(text []byte, keys []signing.Public) (checkpoint anchor.Checkpoint, err error) {
	for _, key := range keys {
		if checkpoint, err = anchor.Open(text, key); err == nil {
			return checkpoint, nil
		}
	}
	return anchor.Checkpoint{}, err
}

// differs words why a chain does not fit an anchor.
func differs(found anchor.Difference, earlier anchor.Checkpoint) string {
	switch found {
	case anchor.OtherChain:
		return "the anchor is of another chain, or this one was made again from its first event: compare the state directory"
	case anchor.Shorter:
		return fmt.Sprintf("the anchor has seen %d events, and the chain has fewer: it was cut, or an older copy was put in its place", earlier.Size)
	case anchor.Rewritten:
		return fmt.Sprintf("the first %d events are not those that the anchor has seen: the chain was made again", earlier.Size)
	default:
		return ""
	}
}

// replaceFile puts a file in place whole.
func replaceFile(path string, data []byte) (err error) {
	dir, err := durable.OpenDir(filepath.Dir(path))
	if err != nil {
		return usageError{err}
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	name := filepath.Base(path)
	temporary := "." + name + ".new"
	if err := dir.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := durable.WriteFile(dir, temporary, data); err != nil {
		return err
	}
	if err := errors.Join(dir.Chmod(temporary, 0o644), syncFile(dir, temporary)); err != nil {
		return err
	}
	return errors.Join(dir.Rename(temporary, name), durable.SyncDir(dir))
}

func syncFile(dir *os.Root, name string) error {
	file, err := dir.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// feed gives a checkpoint to a program, which has half a minute.
func (a *app) feed(ctx context.Context, vector []string, signed []byte) error {
	ctx, cancel := context.WithTimeout(ctx, anchorTime)
	defer cancel()
	command := exec.CommandContext(ctx, vector[0], vector[1:]...)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(signed), a.stderr, a.stderr
	command.WaitDelay = time.Second
	if err := command.Run(); err != nil {
		return fmt.Errorf("give the checkpoint to %s: %w", vector[0], err)
	}
	return nil
}

// anchorTime is how long whoever takes a checkpoint may take.
const anchorTime = 30 * time.Second

// post gives a checkpoint to a server, which answers by 2xx itself.
func post(ctx context.Context, target string, signed []byte) (err error) {
	ctx, cancel := context.WithTimeout(ctx, anchorTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(signed))
	if err != nil {
		return usageError{fmt.Errorf("--url: no request can be made to %s", serverOf(target))}
	}
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(request)
	if err != nil {
		if outer, ok := errors.AsType[*url.Error](err); ok { // it repeats the whole URL
			err = outer.Err
		}
		return fmt.Errorf("give the checkpoint to %s: %w", serverOf(target), err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode < http.StatusOK || answer.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("give the checkpoint to %s: it answers %q", serverOf(target), strings.TrimSpace(answer.Status))
	}
	return nil
}

// serverOf names a server in chain and errors, without what may be a secret: user, password, query
// and fragment.
func serverOf(target string) string {
	parsed, err := url.Parse(target)
	if err != nil {
		return "the server"
	}
	return (&url.URL{Scheme: parsed.Scheme, Host: parsed.Host, Path: parsed.Path}).String()
}

func (a *app) showAnchor(name string, checkpoint anchor.Checkpoint, signed []byte, key signing.Public) error {
	reader, err := key.NoteKey(checkpoint.Origin)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"to": name, "origin": checkpoint.Origin, "size": checkpoint.Size, "checkpoint": string(signed), "verifier_key": reader})
	}
	if name == "standard output" {
		_, err = a.stdout.Write(signed)
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s has a checkpoint of %s\n  readers of signed notes take the key %s\n", inLine(name), counted(int(checkpoint.Size), "event"), reader)
	return err
}
