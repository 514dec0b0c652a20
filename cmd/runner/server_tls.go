package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"hotcell/internal/durable"
)

// The variables name files of a client's certificate and its key, and of authorities: PEM.
const (
	certVariable = "HOTCELL_TLS_CERT"
	keyVariable  = "HOTCELL_TLS_KEY"
	caVariable   = "HOTCELL_TLS_CA"
)

const maxPEM = 1 << 20

// serverTLS is what the environment says of TLS, or nil where it says nothing.
func serverTLS() (*tls.Config, error) {
	cert, key, authorities := os.Getenv(certVariable), os.Getenv(keyVariable), os.Getenv(caVariable)
	if cert == "" && key == "" && authorities == "" {
		return nil, nil
	}
	if (cert == "") != (key == "") {
		return nil, usageError{fmt.Errorf("%s and %s belong together: name the certificate and its key", certVariable, keyVariable)}
	}
	made := &tls.Config{MinVersion: tls.VersionTLS12}
	if cert != "" {
		certText, certErr := readPEM(certVariable, cert)
		keyText, keyErr := readPEM(keyVariable, key)
		if err := errors.Join(certErr, keyErr); err != nil {
			return nil, err
		}
		pair, err := tls.X509KeyPair(certText, keyText)
		if err != nil {
			return nil, usageError{fmt.Errorf("%s and %s: %w", certVariable, keyVariable, err)}
		}
		made.Certificates = []tls.Certificate{pair}
	}
	if authorities == "" {
		return made, nil
	}
	text, err := readPEM(caVariable, authorities)
	if err != nil {
		return nil, err
	}
	if made.RootCAs = x509.NewCertPool(); !made.RootCAs.AppendCertsFromPEM(text) {
		return nil, usageError{fmt.Errorf("%s: %s has no certificate (PEM)", caVariable, onOneLine(authorities))}
	}
	return made, nil
}

func readPEM(variable, name string) ([]byte, error) {
	text, err := durable.ReadFile(name, maxPEM)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", variable, err)}
	}
	return text, nil
}
