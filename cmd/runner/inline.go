package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/runner"
)

// readInline reads --inline-files, if it was given.
func (a *app) readInline(cmd *cobra.Command, size string) error {
	if !cmd.Flags().Changed("inline-files") {
		return nil
	}
	if !a.json {
		return errors.New("--inline-files needs --json: without it no file's content is printed; use --output, or look into the record")
	}
	most, err := policy.ParseSize(size)
	if err != nil {
		return fmt.Errorf("--inline-files: %w", err)
	}
	a.inline = most
	return nil
}

// inlined puts the contents of the files that are small enough into the answer, from where
// the run is kept, unless something has failed already. What is there now is held to the hashes.
func (a *app) inlined(ctx context.Context, response runner.Response, failed error) (runner.Response, error) {
	if failed != nil || a.inline == 0 || response.Result.Status != job.Succeeded {
		return response, failed
	}
	files := slices.Clone(response.Result.Files)
	for index := range files {
		if files[index].Bytes > a.inline {
			continue
		}
		content, err := response.Content(ctx, files[index])
		if err != nil {
			return response, fmt.Errorf("put files into the answer (--inline-files): %w", err)
		}
		text := base64.StdEncoding.EncodeToString(content)
		files[index].Encoding, files[index].Content = "base64", &text
	}
	response.Result.Files = files
	return response, nil
}
