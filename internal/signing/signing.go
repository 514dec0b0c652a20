// Package signing signs what the runner says, and checks what was signed: statements in
// DSSE envelopes, and checkpoints of the audit chain as signed notes, all with ed25519.
//
// It decides what a key file must be: a private key's is its owner's alone, and there is no
// default key. It does not decide what is said (internal/records, internal/anchor) or which
// key is used (cmd/runner).
package signing

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
)

// ErrKey is wrapped by the error for a key file that cannot be used.
var ErrKey = errors.New("key cannot be used")

// StatementType is the payload of our envelopes: an in-toto statement.
const StatementType = "application/vnd.in-toto+json"

// EventType is what the signature of an event of the audit chain is of, as DSSE tells one payload
// from another: no signature of an event is one of a statement.
const EventType = "application/vnd.hotcell.audit-event+json"

const (
	maxKey      = 16 << 10  // bytes of a key file
	maxEnvelope = 512 << 20 // bytes: a statement has a line for each file
)

// Key signs. The zero Key does not.
type Key struct{ private ed25519.PrivateKey }

// Public checks signatures.
type Public struct{ key ed25519.PublicKey }

// Generate makes a key.
func Generate() (Key, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return Key{}, fmt.Errorf("generate key: %w", err)
	}
	return Key{private}, nil
}

// Public is the other half.
func (k Key) Public() Public {
	public, _ := k.private.Public().(ed25519.PublicKey) // of a key that Generate or Load made
	return Public{public}
}

// PEM is the private key as PKCS #8.
func (k Key) PEM() ([]byte, error) {
	encoded, err := x509.MarshalPKCS8PrivateKey(k.private)
	if err != nil {
		return nil, fmt.Errorf("encode key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), nil
}

// der is the public key as others encode it.
func (p Public) der() ([]byte, error) {
	encoded, err := x509.MarshalPKIXPublicKey(p.key)
	if err != nil {
		return nil, fmt.Errorf("encode public key: %w", err)
	}
	return encoded, nil
}

// PEM is the public key, as openssl and cosign read it.
func (p Public) PEM() ([]byte, error) {
	encoded, err := p.der()
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: encoded}), nil
}

// Digest names the key: the SHA-256 of its DER form, as `openssl pkey -pubin -outform DER |
// sha256sum` says.
func (p Public) Digest() (digest.Digest, error) {
	encoded, err := p.der()
	if err != nil {
		return "", err
	}
	return digest.Of(encoded), nil
}

// Load reads a private key from a file that is a regular one of this user's, or root's, and
// that nobody else may read.
func Load(path string) (key Key, err error) {
	block, err := readKey(path, true)
	if err != nil {
		return Key{}, err
	}
	if block.Type != "PRIVATE KEY" {
		return Key{}, fmt.Errorf("%w: %s has a %s, not a PRIVATE KEY: `runner keygen` makes one", ErrKey, path, block.Type)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	private, ok := parsed.(ed25519.PrivateKey)
	if err != nil || !ok {
		return Key{}, fmt.Errorf("%w: %s has no ed25519 key: `runner keygen` makes one", ErrKey, path)
	}
	return Key{private}, nil
}

// LoadPublic reads a public key.
func LoadPublic(path string) (Public, error) {
	block, err := readKey(path, false)
	if err != nil {
		return Public{}, err
	}
	if block.Type != "PUBLIC KEY" {
		return Public{}, fmt.Errorf("%w: %s has a %s, not a PUBLIC KEY: give the file that ends in .pub", ErrKey, path, block.Type)
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	public, ok := parsed.(ed25519.PublicKey)
	if err != nil || !ok {
		return Public{}, fmt.Errorf("%w: %s has no ed25519 key", ErrKey, path)
	}
	return Public{public}, nil
}

func readKey(path string, secret bool) (block *pem.Block, err error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !secret:
		return nil, fmt.Errorf("%w: %s does not exist: name the public key (FILE.pub) that you were given", ErrKey, path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s does not exist: `runner keygen` makes one", ErrKey, path)
	case errors.Is(err, unix.ELOOP):
		return nil, fmt.Errorf("%w: %s is a link: name the file itself", ErrKey, path)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %s is no file", ErrKey, path)
	case secret && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("%w: %s can be read by others, so that they may have signed, too: make a new key; `chmod 600` keeps the next one", ErrKey, path)
	case secret && !durable.Own(info):
		return nil, fmt.Errorf("%w: %s belongs to another user, who may have signed, too", ErrKey, path)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxKey+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	block, rest := pem.Decode(text)
	if block == nil || len(text) > maxKey || len(bytes.TrimSpace(rest)) > 0 {
		return nil, fmt.Errorf("%w: %s is no key in PEM", ErrKey, path)
	}
	return block, nil
}

// Envelope signs a statement, as DSSE does. The bytes are one line of JSON.
func (k Key) Envelope(ctx context.Context, statement []byte) ([]byte, error) {
	signer, err := dsse.NewEnvelopeSigner(dsseKey{private: k.private})
	if err != nil {
		return nil, fmt.Errorf("sign statement: %w", err)
	}
	envelope, err := signer.SignPayload(ctx, StatementType, statement)
	if err != nil {
		return nil, fmt.Errorf("sign statement: %w", err)
	}
	encoded, err := strictjson.Encode(envelope)
	if err != nil {
		return nil, fmt.Errorf("sign statement: %w", err)
	}
	return append(encoded, '\n'), nil
}

// Open returns the statement in an envelope that this key has signed.
func (p Public) Open(ctx context.Context, envelope []byte) ([]byte, error) {
	var read dsse.Envelope
	if err := strictjson.DecodeAll(envelope, maxEnvelope, &read); err != nil {
		return nil, fmt.Errorf("read envelope: %w", err)
	}
	if read.PayloadType != StatementType {
		return nil, errors.New("read envelope: it holds no in-toto statement")
	}
	verifier, err := dsse.NewEnvelopeVerifier(dsseKey{public: p.key})
	if err != nil {
		return nil, fmt.Errorf("verify signature: %w", err)
	}
	_, statement, err := verifier.VerifyAndDecode(ctx, &read)
	if err != nil {
		return nil, errors.New("verify signature: this key has not signed it")
	}
	return statement, nil
}

// SignEvent signs the body of an event of the audit chain. The signature has 64 bytes, and is of
// DSSE's encoding (PAE) of EventType and body.
func (k Key) SignEvent(ctx context.Context, body []byte) ([]byte, error) {
	return dsseKey{private: k.private}.Sign(ctx, dsse.PAE(EventType, body))
}

// HasSignedEvent reports whether a signature is this key's of such a body.
func (p Public) HasSignedEvent(ctx context.Context, body, signature []byte) bool {
	return dsseKey{public: p.key}.Verify(ctx, dsse.PAE(EventType, body), signature) == nil
}

// dsseKey lets the DSSE library use a key.
type dsseKey struct {
	private ed25519.PrivateKey
	public  ed25519.PublicKey
}

// Sign implements dsse.Signer.
func (k dsseKey) Sign(_ context.Context, data []byte) ([]byte, error) {
	if len(k.private) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("%w: there is none", ErrKey)
	}
	return ed25519.Sign(k.private, data), nil
}

// Verify implements dsse.Verifier.
func (k dsseKey) Verify(_ context.Context, data, signature []byte) error {
	if len(k.public) != ed25519.PublicKeySize || !ed25519.Verify(k.public, data, signature) {
		return errors.New("the signature is another's")
	}
	return nil
}

// KeyID is empty: it is a hint that nothing signs, and tools disagree on how to make it.
func (dsseKey) KeyID() (string, error) { return "", nil }

// Public implements dsse.Verifier.
func (k dsseKey) Public() crypto.PublicKey { return k.public }
