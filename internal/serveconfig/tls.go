package serveconfig

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"hotcell/internal/durable"
)

// files are those of a TLS listener. They are looked at with each handshake: who renews a
// certificate does not have to restart anything.
type files struct {
	of     TLS
	client tls.ClientAuthType
	log    *slog.Logger

	clock func() time.Time

	mu    sync.Mutex
	pair  tls.Certificate
	seen  [2]fs.FileInfo // the certificate and the key that pair is of
	pool  *x509.CertPool
	roots fs.FileInfo
	told  map[string]string // what the log was told of each that cannot be used now
}

// newFiles reads them once: a service whose certificate is no good does not begin.
func newFiles(of TLS, client tls.ClientAuthType, log *slog.Logger) (*files, error) {
	f := &files{of: of, client: client, log: log, clock: time.Now, told: map[string]string{}}
	if err := errors.Join(f.readPair(), f.parseRoots()); err != nil {
		return nil, err
	}
	return f, nil
}

// config has the version that nothing older is taken for. Sessions are not resumed: what has been
// verified of a client by roots that are gone would hold on (CVE-2025-68121).
func (f *files) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, GetConfigForClient: f.now, SessionTicketsDisabled: true}
}

// now is the configuration of one handshake.
func (f *files) now(*tls.ClientHelloInfo) (*tls.Config, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	// Half of a renewal, perhaps: the earlier pair goes on.
	f.tell("the certificate was changed and cannot be used: the one before it is still shown", f.readPair())
	if err := f.readRoots(); err != nil {
		return nil, err
	}
	made := f.config()
	made.GetConfigForClient, made.Certificates, made.NextProtos = nil, []tls.Certificate{f.pair}, []string{"http/1.1"}
	if f.pool != nil {
		made.ClientCAs, made.ClientAuth = f.pool, f.client
	}
	return made, nil
}

// tell logs a fault once, however many connect meanwhile, and its end. mu is held.
func (f *files) tell(what string, err error) {
	before := f.told[what]
	switch {
	case err == nil && before != "":
		delete(f.told, what)
		f.log.Info("what could not be used can be again", "was", what)
	case err != nil && before != err.Error():
		f.told[what] = err.Error()
		f.log.Error(what, "error", err.Error())
	}
}

// readPair reads certificate and key where one of them has changed.
func (f *files) readPair() error {
	var infos [2]fs.FileInfo
	var faults [2]error
	for index, path := range []string{f.of.Certificate, f.of.Key} {
		infos[index], faults[index] = os.Stat(path)
	}
	if err := errors.Join(ofFile("certificate", f.of.Certificate, faults[0]), ofFile("key", f.of.Key, faults[1])); err != nil {
		return err
	}
	if same(infos, f.seen) {
		return nil
	}
	pair, err := loadPair(f.of)
	if err != nil {
		return err
	}
	f.pair, f.seen = pair, infos
	return nil
}

func loadPair(of TLS) (tls.Certificate, error) {
	chain, _, err := readPEM(of.Certificate)
	err = ofFile("certificate", of.Certificate, err)
	key, mode, fault := readPEM(of.Key)
	if fault == nil && mode.Perm()&0o007 != 0 {
		fault = fmt.Errorf("everybody may read it: run `chmod o= %s`, and have the certificate renewed with another key", of.Key)
	}
	if err = errors.Join(err, ofFile("key", of.Key, fault)); err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("certificate %s and key %s: %w", of.Certificate, of.Key, err)
	}
	return pair, nil
}

// readRoots reads who signs clients' certificates, where that has changed. Without it, who is to be
// let in is not known any more.
func (f *files) readRoots() error {
	err := f.parseRoots()
	f.tell("nobody is let in", err)
	return err
}

func (f *files) parseRoots() error {
	if f.of.ClientCA == "" {
		return nil
	}
	info, err := os.Stat(f.of.ClientCA)
	if err != nil {
		return ofFile("client_ca", f.of.ClientCA, err)
	}
	if f.pool != nil && same([2]fs.FileInfo{info, info}, [2]fs.FileInfo{f.roots, f.roots}) {
		return nil
	}
	text, _, err := readPEM(f.of.ClientCA)
	if err != nil {
		return ofFile("client_ca", f.of.ClientCA, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return ofFile("client_ca", f.of.ClientCA, errors.New("there is no certificate in it: want PEM"))
	}
	f.pool, f.roots = pool, info
	return nil
}

// ofFile says which of the files of a listener is no good, with the way out.
func ofFile(key, path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w: put the file there (PEM), or name another", key, err)
	case errors.Is(err, fs.ErrPermission):
		const way = "%w: %s may not read it: have a group of that user's read it, or name a copy that one may read"
		return fmt.Errorf("%s: %w", key, cmp.Or(durable.ClosedAbove(path), fmt.Errorf(way, err, durable.ThisUser())))
	}
	return fmt.Errorf("%s: %s: %w", key, path, err)
}

func same(some, others [2]fs.FileInfo) bool {
	for index, one := range some {
		other := others[index]
		if other == nil || !os.SameFile(one, other) || one.Size() != other.Size() || !one.ModTime().Equal(other.ModTime()) {
			return false
		}
	}
	return true
}

// maxPEM is of one file, in bytes: some hundred certificates.
const maxPEM = 1 << 20

// readPEM reads what only an administrator has written. Links of theirs are followed: who renews
// certificates often exchanges links.
func readPEM(path string) (text []byte, mode fs.FileMode, err error) {
	file, err := durable.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err == nil {
		err = durable.OnlyAdministratorWrites(path, info)
	}
	if err != nil {
		return nil, 0, err
	}
	if text, err = io.ReadAll(io.LimitReader(file, maxPEM+1)); err == nil && len(text) > maxPEM {
		err = fmt.Errorf("%s has more than %d bytes", path, maxPEM)
	}
	return text, info.Mode(), err
}
