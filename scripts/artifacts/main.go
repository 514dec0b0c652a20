// Command artifacts makes the parts of a release that a shell cannot: the bill of materials of
// a binary, and a container image of it.
//
//	artifacts needs BINARY                   the libraries that it loads, and the glibc that it needs
//	artifacts sbom BINARY VERSION            CycloneDX JSON on standard output
//	artifacts image ROOT ARCHITECTURE VERSION FILE
//	                                         an OCI image layout as a tar archive, of a directory
//
// It decides how both are written: what goes into them depends on the files alone, on VERSION
// and on SOURCE_DATE_EPOCH. It does not decide what is in a release: scripts/package.sh does,
// and calls it.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "artifacts:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 2 && args[0] == "needs" {
		return printNeeds(out, args[1])
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	made := time.Unix(seconds, 0).UTC()
	switch {
	case len(args) == 3 && args[0] == "sbom":
		return writeBill(out, args[1], args[2], made)
	case len(args) == 5 && args[0] == "image":
		return writeImage(imageOf{root: args[1], architecture: args[2], version: args[3], made: made}, args[4])
	}
	return errors.New("usage: artifacts needs BINARY | sbom BINARY VERSION | image ROOT ARCHITECTURE VERSION FILE")
}
