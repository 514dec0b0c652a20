package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
	"hotcell/internal/records"
	"hotcell/internal/signing"
)

func (a *app) bundleSign() *cobra.Command {
	var path string
	command := &cobra.Command{
		Use:   "sign NAME[@VERSION]|DIGEST --key FILE",
		Short: "Sign what is attested of a stored bundle",
		Long: `Sign what bundle.json attests of a stored bundle: an in-toto statement about its digest
in a DSSE envelope. "runner keygen FILE" makes a key; there is no default one.

The signature is kept beside the bundle and changes nothing of it. A policy can name the
keys of which one must have signed (attestation.signers), by the sha256 that keygen tells.`,
		Example: "  runner bundle sign heart-study --key officer.key",
		Args:    arguments(1, 1, "one bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if path == "" {
				return usageError{errors.New("--key is missing: `runner keygen FILE` makes a key, and its owner signs with it")}
			}
			return a.signBundle(cmd.Context(), args[0], path)
		},
		ValidArgsFunction: a.completeBundles,
	}
	command.Flags().StringVar(&path, "key", "", "`file` of the private key (required)")
	return command
}

func (a *app) signBundle(ctx context.Context, reference, path string) error {
	store, found, err := a.findBundle(ctx, reference)
	if err != nil {
		return err
	}
	key, err := signing.Load(path)
	if err != nil {
		return usageError{err}
	}
	if err := store.Verify(ctx, found.Digest); err != nil { // nobody signs for what changed
		return faultOf(err)
	}
	signer, err := store.Sign(ctx, found, key)
	if err != nil {
		return faultOf(err)
	}
	event := records.Event{
		Kind: records.KindKeyUsed, Name: "bundle", Reason: records.Brief(found.Reference()),
		Subjects: []records.Subject{{Role: records.RoleKey, SHA256: signer.Hex()}, {Role: records.RoleBundle, Name: records.Brief(found.Reference()), SHA256: found.Digest.Hex()}},
	}
	if err := a.note(ctx, event); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"bundle": found.Digest, "key": signer.Hex()})
	}
	fmt.Fprintf(a.stdout, "%s is signed by the key %s\n", found, signer.Hex())
	return nil
}

// showSigners tells which keys have signed, in a list whose names are of some width.
func (a *app) showSigners(signers []digest.Digest, width int) {
	if len(signers) == 0 {
		fmt.Fprintf(a.stdout, "  %-*s  by nobody\n", width, "signed")
	}
	for _, each := range signers {
		fmt.Fprintf(a.stdout, "  %-*s  by the key %s\n", width, "signed", each.Hex())
	}
}
