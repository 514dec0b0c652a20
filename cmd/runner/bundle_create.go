package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
)

func (a *app) bundleCreate() *cobra.Command {
	var options bundle.CreateOptions
	var attestation bundle.Deidentification
	var method, on string
	var tables tableFlags
	command := &cobra.Command{
		Use:   "create DIR",
		Short: "Write bundle.json for a directory of data",
		Long: `Write DIR/bundle.json for the files in DIR. A CSV, TSV or JSON Lines file becomes a table
named after it: visits.csv is preloaded as the DataFrame visits, baseline/labs.csv as
baseline_labs. Tables in gzip or zstd (visits.csv.gz), sheets of a workbook (visits.xlsx)
and Parquet files become plain tables beside the file, once, by a process that can do
nothing else. Other files can be read below DATA.

Each column gets a type in which none of its values changes, and is a string else: zeros
in front, telephone numbers and codes stay what they are. Look at the table that is
printed, choose otherwise where you know better, or edit bundle.json: "runner bundle add"
holds every value to it. Runs get exactly these types. What can be read in more than one
way is refused with its line: ragged rows, another delimiter, decimal commas.

Tables must be UTF-8, or --encoding names what they are, for one file or for all. The
store then has them as UTF-8. Your files stay as they are.`,
		Example: `  runner bundle create ./export --name heart-study --version 1.0.0 --study HS-2026-01 \
      --method safe_harbor --attested-by 'J. Doe, privacy officer' --statement 'All 18 identifiers removed.'`,
		Args: arguments(1, 1, "one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			attestation.Method, attestation.AttestedOn = bundle.Method(method), on
			options.Dir, options.Deidentification = args[0], attestation
			if err := tables.into(&options); err != nil {
				return err
			}
			made, err := a.create(cmd.Context(), options)
			if err != nil {
				return optionFaults(cmd, err)
			}
			return a.created(args[0], made)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.Name, "name", "", "`name` of the bundle: lower-case letters, digits and hyphens (required)")
	flags.StringVar(&options.Version, "version", "", "`version` of the data (required)")
	flags.StringVar(&options.Study, "study", "", "`study` or protocol that the data belong to (required)")
	flags.StringVar(&method, "method", "", "`method` of de-identification: safe_harbor, expert_determination, synthetic or public_use (required)")
	flags.StringVar(&attestation.AttestedBy, "attested-by", "", "`person` who attests the de-identification (required)")
	flags.StringVar(&on, "attested-on", time.Now().Format(time.DateOnly), "`date` of the attestation, as YYYY-MM-DD")
	flags.StringVar(&attestation.Statement, "statement", "", "`text` of the attestation (required)")
	flags.StringVar(&attestation.Tool, "tool", "", "`name` of the program with which the data was de-identified")
	flags.StringVar(&attestation.ValidUntil, "valid-until", "", "last `date` on which the attestation holds, as YYYY-MM-DD (default: no end)")
	flags.StringVar(&attestation.Protocol, "protocol", "", "`number` of the protocol, for example an ethics committee's")
	tables.register(flags)
	return command
}

// create shows on a terminal how far sources are unpacked.
func (a *app) create(ctx context.Context, options bundle.CreateOptions) (made bundle.Made, err error) {
	var done func()
	options.Progress, done = progressOf(a.stderr, "unpacking")
	defer done()
	if made, err = bundle.Create(ctx, options); errors.Is(err, context.Canceled) {
		return made, uncreatedError{err}
	}
	return made, err
}

// uncreatedError is a bundle whose making was cancelled.
type uncreatedError struct{ error }

// Unwrap tells that it was.
func (u uncreatedError) Unwrap() error { return u.error }

// cancelledText says what was cancelled, and what is there of it.
func cancelledText(err error) error {
	if _, is := errors.AsType[uncreatedError](err); is {
		return errors.New("cancelled: no bundle was created")
	}
	if left, is := errors.AsType[leftError](err); is {
		return fmt.Errorf("run %s goes on: `runner runs wait %[1]s` follows it again, and `runner runs cancel %[1]s` ends it", left.run)
	}
	return errors.New("cancelled before the code ran")
}

func (a *app) created(dir string, made bundle.Made) error {
	manifest := made.Manifest
	if a.json {
		return a.printJSON(manifest)
	}
	text := fmt.Sprintf("%s names %s; %s", filepath.Join(dir, bundle.ManifestName), counted(len(manifest.Files), "file"), tableList(manifest))
	fmt.Fprintln(a.stdout, printable(text))
	showSources(a.stdout, manifest)
	showEncodings(a.stdout, manifest)
	showUnread(a.stdout, manifest)
	for _, note := range made.Notes {
		fmt.Fprintf(a.stdout, "  note     %s\n", inLine(note))
	}
	return showColumns(a.stdout, made.Tables)
}

// createFlags are the flags of create by the field of bundle.json that each fills.
var createFlags = map[string]string{
	"name": "name", "bundle_version": "version", "study": "study", "deidentification.method": "method",
	"deidentification.attested_by": "attested-by", "deidentification.attested_on": "attested-on",
	"deidentification.tool": "tool", "deidentification.valid_until": "valid-until", "deidentification.protocol": "protocol",
	"deidentification.statement": "statement", "encoding": "encoding", "ignored": "ignore", "sheet": "sheet", "as_is": "as-is",
}

// optionFaults says faults of the manifest's fields in words of the flags, those
// that are missing together.
func optionFaults(cmd *cobra.Command, err error) error {
	found, ok := errors.AsType[*bundle.FaultError](err)
	if !ok || len(found.Fields) == 0 {
		return faultOf(err)
	}
	var missing, sentences []string
	for _, field := range found.Fields {
		flag := cmd.Flags().Lookup(createFlags[field.Field])
		switch {
		case flag == nil:
			sentences = append(sentences, field.String())
		case strings.TrimSpace(flag.Value.String()) == "":
			missing = append(missing, "--"+flag.Name)
		default:
			sentences = append(sentences, "--"+flag.Name+" "+field.Problem)
		}
	}
	if len(missing) > 0 {
		sentences = append([]string{areMissing(missing)}, sentences...)
	}
	return usageError{fmt.Errorf("%s (see `%s --help`)", strings.Join(sentences, "; "), cmd.CommandPath())}
}

func areMissing(flags []string) string {
	if len(flags) == 1 {
		return flags[0] + " is missing"
	}
	last := len(flags) - 1
	return strings.Join(flags[:last], ", ") + " and " + flags[last] + " are missing"
}
