package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/access"
	"hotcell/internal/access/token"
	"hotcell/internal/bundleimage"
	"hotcell/internal/records"
	"hotcell/internal/registry"
	"hotcell/internal/serveconfig"
)

// registryName is the part of the state that has what is known of bundles' images.
const registryName = "registry"

// registryFlags is what the user gave `runner registry`.
type registryFlags struct{ listen, certificate, key, clientCA, tokens string }

const registryHelp = `Serve the images and the bundles of this host to the nodes of a cluster, which pull them
by digest. It is a registry as the OCI distribution specification has it, that can only be
read: nothing is pushed to it, deleted or listed.

  HOST:PORT/sandbox@DIGEST   an image, by the digest of "runner image ls"
  HOST:PORT/bundle@DIGEST    a bundle, by the digest of "runner bundle image"

A bundle is data. So whoever pulls has to say who they are: by a token with the scope pull
(--tokens; runtimes send it as a password, whatever the user's name), or by a certificate
that --client-ca has signed; where both are given, by both. Other hosts connect by TLS
alone: --certificate and --key, which are read again when they are renewed.

Which bundle goes to whom is an event of the audit chain before the first byte does, once
for each client and bundle while the registry runs; the log has each transfer.`

func (a *app) registryCommand() *cobra.Command {
	var flags registryFlags
	command := &cobra.Command{
		Use:   "registry",
		Short: "Serve images and bundles to the nodes of a cluster, to be pulled by digest",
		Long:  registryHelp,
		Example: "  runner token create node-1 --scope pull --file /etc/hotcell/registry-tokens.json\n" +
			"  runner registry --listen 10.0.0.5:5443 --certificate tls.crt --key tls.key \\\n      --tokens /etc/hotcell/registry-tokens.json",
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serveRegistry(cmd.Context(), flags) },
	}
	set := command.Flags()
	set.StringVar(&flags.listen, "listen", "127.0.0.1:5443", "`address` and port to listen at")
	set.StringVar(&flags.certificate, "certificate", "", "`file` of the certificate (PEM)")
	set.StringVar(&flags.key, "key", "", "`file` of the certificate's key (PEM)")
	set.StringVar(&flags.clientCA, "client-ca", "", "`file` of the authorities that sign clients' certificates (PEM)")
	set.StringVar(&flags.tokens, "tokens", "", "`file` of tokens, of \"runner token create --scope pull\"")
	return command
}

// check refuses what could be overheard, and where nobody could say who they are.
func (f registryFlags) check() error {
	address, err := netip.ParseAddrPort(f.listen)
	switch {
	case err != nil:
		return fmt.Errorf("--listen %s is no address with a port: want for example 127.0.0.1:5443 or [::]:5443", onOneLine(f.listen))
	case (f.certificate == "") != (f.key == ""):
		return errors.New("--certificate and --key belong together: name the certificate and its key")
	case f.clientCA != "" && f.certificate == "":
		return errors.New("--client-ca needs TLS: give --certificate and --key, too")
	case f.certificate == "" && !address.Addr().Unmap().IsLoopback():
		return errors.New("tokens and data would cross the network in the clear: give --certificate and --key, or listen on 127.0.0.1 or ::1")
	case f.tokens == "" && f.clientCA == "":
		return errors.New("whoever knows a digest could have a study's data: give --tokens FILE (`runner token create NAME --scope pull --file FILE` makes one), or --client-ca")
	}
	return nil
}

// config is a registry's listener, as that of a service.
func (f registryFlags) config() serveconfig.Config {
	listen := serveconfig.Listen{TCP: f.listen}
	if f.certificate != "" {
		listen.TLS = &serveconfig.TLS{Certificate: f.certificate, Key: f.key, ClientCA: f.clientCA}
	}
	return serveconfig.Config{Listen: []serveconfig.Listen{listen}}
}

// authenticator is a token's, or else what lets a certificate in.
func (f registryFlags) authenticator(logger *slog.Logger) (access.Authenticator, error) {
	if f.tokens == "" {
		return access.Limited(access.First(access.Signed{Scopes: []access.Scope{access.ScopePull}}), logger), nil
	}
	store, err := token.Open(f.tokens)
	if err != nil {
		return nil, usageError{err}
	}
	return registry.Probed(access.Limited(access.First(store), logger)), nil
}

func (a *app) serveRegistry(ctx context.Context, flags registryFlags) error {
	if err := flags.check(); err != nil {
		return usageError{err}
	}
	logger := slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: a.serviceLevel()}))
	who, err := flags.authenticator(logger)
	if err != nil {
		return err
	}
	if err := a.mayNote(ctx); err != nil {
		return err
	}
	images, err := a.images()
	if err != nil {
		return err
	}
	bundles, err := a.bundleImages()
	if err != nil {
		return err
	}
	const transfers = 32
	made, err := registry.New(registry.Options{
		Sandbox: registry.Images{Store: images}, Bundle: registry.Bundles{Store: bundles},
		Authenticator: who, Logger: logger, Sending: a.noteSending, Transfers: transfers,
	})
	if err != nil {
		return err
	}
	listeners, err := flags.config().Open(ctx, logger)
	if err != nil {
		return usageError{err}
	}
	logger.Info("listening", "at", listeners[0].Addr().String(), "kind", listeners[0].Kind)
	return serveUntilDone(ctx, made.Server(), listeners[0])
}

func (a *app) serviceLevel() slog.Level {
	if a.verbose {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// serveUntilDone answers until ctx ends. What is on its way then breaks off after a while: who pulls goes on
// where it was, elsewhere or later.
func serveUntilDone(ctx context.Context, server *http.Server, listener serveconfig.Listener) error {
	const drainTime = 30 * time.Second
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }() // ends with the server
	select {
	case err := <-ended:
		return fmt.Errorf("serve requests at %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	err := server.Shutdown(draining)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	if stopped := <-ended; !errors.Is(stopped, http.ErrServerClosed) {
		err = errors.Join(err, stopped)
	}
	return err
}

// bundleImages are the bundles of this state, as images.
func (a *app) bundleImages() (*bundleimage.Store, error) {
	bundles, err := a.bundles()
	if err != nil {
		return nil, err
	}
	return bundleimage.Open(bundles, filepath.Join(a.state, registryName))
}

// noteSending has in the chain which data goes to whom, before it does.
func (a *app) noteSending(ctx context.Context, about registry.Sending) error {
	event := bundleEvent(records.KindBundleSent, about.Bundle)
	event.Reason = records.Brief(fmt.Sprintf("pulled by %s from %s", about.Client, about.From))
	return a.note(ctx, event)
}
