package signing

import (
	"crypto/ed25519"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
)

// Note signs a text, which ends with a newline, in the name of who writes it: a C2SP
// signed-note.
func (k Key) Note(text []byte, name string) ([]byte, error) {
	verifier, err := k.Public().verifier(name)
	if err != nil {
		return nil, err
	}
	signed, err := note.Sign(&note.Note{Text: string(text)}, noteSigner{verifier, k.private})
	if err != nil {
		return nil, fmt.Errorf("sign note: %w", err)
	}
	return signed, nil
}

// OpenNote returns the text of a note that this key has signed in that name.
func (p Public) OpenNote(signed []byte, name string) ([]byte, error) {
	verifier, err := p.verifier(name)
	if err != nil {
		return nil, err
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return nil, errors.New("verify signature: this key has not signed it")
	}
	return []byte(opened.Text), nil
}

// NoteKey is the key in the form that readers of signed notes take.
func (p Public) NoteKey(name string) (string, error) {
	key, err := note.NewEd25519VerifierKey(name, p.key)
	if err != nil {
		return "", fmt.Errorf("encode public key: %w", err)
	}
	return key, nil
}

func (p Public) verifier(name string) (note.Verifier, error) {
	key, err := p.NoteKey(name)
	if err != nil {
		return nil, err
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return nil, fmt.Errorf("use public key: %w", err)
	}
	return verifier, nil
}

// noteSigner lets the library of notes use a key.
type noteSigner struct {
	note.Verifier
	private ed25519.PrivateKey
}

// Sign implements note.Signer.
func (s noteSigner) Sign(text []byte) ([]byte, error) { return ed25519.Sign(s.private, text), nil }
