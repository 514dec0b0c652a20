package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"hotcell/internal/durable"
	"hotcell/internal/records"
	"hotcell/internal/signing"
)

// signKeyVariable names the file of the key that signs every event.
const signKeyVariable = "HOTCELL_SIGN_KEY"

// signingName is that file in the state directory, where the variable names no other.
const (
	signingName = "signing.key"
	publicEnd   = ".pub"
)

const keygenHelp = `Make an ed25519 key that signs: FILE, for its owner alone, and FILE.pub, for everybody
who checks. Nothing is written over.

Without FILE it becomes the key of the state directory: from then on every run and every
event is signed with it, and a run that could not be signed is refused before it begins.
HOTCELL_SIGN_KEY names the file of another key, and while it is set a FILE must be named.
There is no default key.

Give FILE.pub to those who check, by a way on which nobody can exchange it: with it
` + "`runner records verify --key FILE.pub`" + ` and cosign check what was signed.`

func (a *app) keygenCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "keygen [FILE]",
		Short: "Make a key that signs runs, events and checkpoints",
		Long:  keygenHelp,
		Example: `  runner keygen
  runner keygen /etc/hotcell/anchor.key`,
		Args: arguments(0, 1, "at most one file"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.keygen(cmd.Context(), args) },
	}
}

func (a *app) keygen(ctx context.Context, args []string) error {
	path := filepath.Join(a.state, signingName)
	if len(args) == 1 {
		path = args[0]
	} else if other := os.Getenv(signKeyVariable); other != "" {
		return usageError{fmt.Errorf("%s names the key that signs, %s, and one of the state directory would not sign: unset it, or name a FILE", signKeyVariable, inLine(other))}
	} else if err := a.makeState(); err != nil {
		return err
	}
	key, err := signing.Generate()
	if err != nil {
		return err
	}
	sum, err := key.Public().Digest()
	if err != nil {
		return err
	}
	if err := writeKey(path, key); err != nil {
		return err
	}
	if len(args) == 0 {
		event := records.Event{Kind: records.KindKeyUsed, Name: "made", Subjects: []records.Subject{{Role: records.RoleKey, SHA256: sum.Hex()}}}
		if err := a.note(ctx, event); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"key": path, "public_key": path + publicEnd, "sha256": sum.Hex()})
	}
	fmt.Fprintf(a.stdout, "%s  keep it secret, and a copy of it elsewhere\n%s  for those who check; its sha256 is %s\n", inLine(path), inLine(path+publicEnd), sum.Hex())
	return nil
}

// writeKey makes both files, the secret one first, and neither where one of them exists.
func writeKey(path string, key signing.Key) (err error) {
	secret, err := key.PEM()
	if err != nil {
		return err
	}
	public, err := key.Public().PEM()
	if err != nil {
		return err
	}
	dir, err := durable.OpenDir(filepath.Dir(path))
	if err != nil {
		return usageError{fmt.Errorf("make key: %w", err)}
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	name := filepath.Base(path)
	for _, each := range []string{name, name + publicEnd} {
		if _, err := dir.Lstat(each); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(usageError{fmt.Errorf("make key: %s exists, and is not written over: name another file, or move it away", filepath.Join(filepath.Dir(path), each))}, ifOther(err))
		}
	}
	if err := durable.WriteFile(dir, name, secret); err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	if err := durable.WriteFile(dir, name+publicEnd, public); err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	if err := dir.Chmod(name+publicEnd, 0o644); err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	return durable.SyncDir(dir)
}

// ifOther passes on what is an error in itself.
func ifOther(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// signingKey is the key that is configured, or none. One that is named and cannot be used is
// an error: nothing goes on unsigned.
func (a *app) signingKey() (key signing.Key, path string, err error) {
	path = os.Getenv(signKeyVariable)
	if path == "" {
		path = filepath.Join(a.state, signingName)
		_, noKey := os.Lstat(path)
		_, noPublic := os.Lstat(path + publicEnd)
		if errors.Is(noKey, fs.ErrNotExist) && errors.Is(noPublic, fs.ErrNotExist) {
			return signing.Key{}, "", nil
		}
	}
	key, err = signing.Load(path)
	if err != nil {
		return signing.Key{}, "", usageError{err}
	}
	return key, path, nil
}

// signer signs records, and knows what it has signed.
type signer struct {
	signing.Public
	key signing.Key
}

// Envelope implements records.Signer.
func (s signer) Envelope(ctx context.Context, statement []byte) ([]byte, error) {
	return s.key.Envelope(ctx, statement)
}

// SignEvent implements records.Signer.
func (s signer) SignEvent(ctx context.Context, body []byte) ([]byte, error) {
	return s.key.SignEvent(ctx, body)
}

// signer is nil where no key is configured.
func (a *app) signer() (records.Signer, error) {
	key, path, err := a.signingKey()
	if err != nil || path == "" {
		return nil, err
	}
	return signer{key.Public(), key}, nil
}

// opener is signer for who only reads.
func (a *app) opener() (records.Opener, error) {
	by, err := a.signer()
	if err != nil || by == nil {
		return nil, err
	}
	return by, nil
}

// signerName is the digest of the public key of what signs, or "" where nothing does.
func (a *app) signerName() (string, error) {
	by, err := a.signer()
	if err != nil || by == nil {
		return "", err
	}
	sum, err := by.Digest()
	return string(sum), err
}
