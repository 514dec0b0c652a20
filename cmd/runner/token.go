package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/access"
	"hotcell/internal/access/token"
	"hotcell/internal/records"
)

const tokenHelp = `Manage the tokens by which programs are known to a service (runner serve).

A file has what is known of them, and of each only the hash: who reads the file cannot ask
for anything by it. Whoever may write the file decides who may ask. A service reads it
again with the first request after a change.`

// tokenFile is the file of tokens that a command works on.
type tokenFile struct{ path, group string }

func (a *app) tokenCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "token", Short: "Manage the tokens by which programs are known to a service", Long: tokenHelp,
		Example: "  runner token create ci\n  runner token ls",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	of := &tokenFile{}
	command.PersistentFlags().StringVar(&of.path, "file", token.DefaultPath, "`file` of tokens, as the service's configuration names it")
	command.AddCommand(a.tokenCreate(of), a.tokenList(of), a.tokenRevoke(of))
	return command
}

// serviceGroup is the group of the service's user, and nobody else's, where it was installed as a
// package.
const serviceGroup = "hotcell-serve"

func (a *app) tokenCreate(of *tokenFile) *cobra.Command {
	scopes, expires := []string{}, "90d"
	command := &cobra.Command{
		Use: "create NAME", Short: "Make a token, and print it once",
		Long: `Make a token, and print it once: nobody can find it out later. Whoever sends it is
token:NAME to the service, and sees the runs of that name alone. The name is not given
again, also after the token has been revoked.

Scopes are run, check, bundle:read, records:read, pull (images and bundles, with their
data, from runner registry), and admin, which is all of them and everybody's runs. A token
expires, within a year at the latest.

Standard output has the token and nothing else: TOKEN=$(runner token create ci). The audit
chain has the token's id and the hash of what the file says of it.`,
		Example: "  runner token create ci\n  runner token create dashboard --scope records:read --expires 30d",
		Args:    arguments(1, 1, "one name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			life, err := readLife(expires)
			if err != nil {
				return usageError{err}
			}
			named := cmd.Flags().Changed("group")
			group, err := of.readers(named)
			if err != nil {
				return err
			}
			asked := token.Asked{Name: args[0], Life: life}
			for _, one := range scopes {
				asked.Scopes = append(asked.Scopes, access.Scope(one))
			}
			return a.createToken(cmd.Context(), of.path, token.Readers{Group: group, Named: named}, asked)
		},
	}
	everyday := []string{string(access.ScopeRun), string(access.ScopeCheck), string(access.ScopeBundles), string(access.ScopeRecords)}
	command.Flags().StringSliceVar(&scopes, "scope", everyday, "`scopes` of the token, with commas between")
	command.Flags().StringVar(&expires, "expires", expires, "`time` until the token expires, such as 90d or 12h")
	command.Flags().StringVar(&of.group, "group", serviceGroup, "`group` that may read the file, beside its owner; by itself only of a file that is made")
	complete(command, "scope", fixed(append(everyday, string(access.ScopePull), string(access.ScopeAdmin))...))
	return command
}

// readLife reads days, or a time with its unit.
func readLife(text string) (time.Duration, error) {
	days, inDays := strings.CutSuffix(text, "d")
	if number, err := strconv.ParseUint(days, 10, 16); inDays && err == nil {
		return time.Duration(number) * 24 * time.Hour, nil
	}
	life, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("--expires must be a time such as 90d or 12h, not %q", text)
	}
	return life, nil
}

// readers is the group that may read the file. The one that is the default is passed over on a
// host that has none, where the service runs as who makes its tokens.
func (of *tokenFile) readers(named bool) (int, error) {
	if !named && os.Geteuid() != 0 {
		return -1, nil
	}
	found, err := user.LookupGroup(of.group)
	if _, unknown := errors.AsType[user.UnknownGroupError](err); unknown && !named {
		return -1, nil
	}
	if err != nil {
		return 0, usageError{fmt.Errorf("--group: %w", err)}
	}
	return strconv.Atoi(found.Gid)
}

func (a *app) createToken(ctx context.Context, path string, readers token.Readers, asked token.Asked) error {
	text, entry, err := token.New(asked, time.Now())
	if err != nil {
		return usageError{err}
	}
	err = token.Edit(ctx, path, readers, func(all []token.Entry) ([]token.Entry, error) {
		all, err := token.Add(all, entry)
		if err != nil {
			return nil, usageError{err}
		}
		return all, a.noteToken(ctx, records.KindTokenCreated, entry)
	})
	if err != nil {
		return explainTokens(err)
	}
	if a.json {
		return a.printJSON(struct {
			Token string `json:"token"`
			shownToken
		}{text, tokenShown(entry)})
	}
	fmt.Fprintln(a.stdout, text)
	fmt.Fprintf(a.stderr, "token:%s (%s) may %s until %s. It is not shown again.\n", entry.Name, entry.ID, joined(entry.Scopes), entry.ExpiresAt.Format(time.DateTime))
	return nil
}

// noteToken is called before the file changes: no token is worth anything of which the chain does
// not know.
func (a *app) noteToken(ctx context.Context, kind records.Kind, entry token.Entry) error {
	sum, err := entry.Sum()
	if err != nil {
		return err
	}
	return a.note(ctx, records.Event{
		Kind: kind, Name: entry.Principal().Name, Reason: records.Brief("may " + joined(entry.Scopes) + " until " + entry.ExpiresAt.Format(time.RFC3339)),
		Subjects: []records.Subject{{Role: records.RoleToken, Name: entry.ID, SHA256: sum}},
	})
}

// explainTokens tells the way out of what the user can change.
func explainTokens(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usageError{fmt.Errorf("%w: make its directory (install -d -m 755 /etc/hotcell), or name another --file", err)}
	case errors.Is(err, token.ErrReaders):
		return usageError{err}
	case errors.Is(err, fs.ErrPermission) && os.Geteuid() != 0:
		return usageError{fmt.Errorf("%w: name another --file, or run as root", err)}
	}
	return err
}

func (a *app) tokenList(of *tokenFile) *cobra.Command {
	return &cobra.Command{
		Use: "ls", Short: "List the tokens, and which of them are worth something",
		Long:    "List the tokens, the oldest first, and whether each is active, expired or revoked.",
		Example: "  runner token ls",
		Args:    arguments(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			all, err := token.List(of.path)
			if errors.Is(err, fs.ErrNotExist) {
				return usageError{fmt.Errorf("%w: name another --file, or make the first token with runner token create NAME", err)}
			}
			if err != nil {
				return explainTokens(err)
			}
			return a.showTokens(all)
		},
	}
}

func (a *app) tokenRevoke(of *tokenFile) *cobra.Command {
	return &cobra.Command{
		Use: "revoke NAME|ID", Short: "Make a token worth nothing",
		Long: `Make a token worth nothing, from the service's next request on. It stays in the list, with
the time, and its name is not given to another one: the runs of token:NAME stay its own.
Runs that were accepted go on: cancel those that must not.`,
		Example: "  runner token revoke ci",
		Args:    arguments(1, 1, "one name or id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.revokeToken(cmd.Context(), of.path, args[0])
		},
	}
}

func (a *app) revokeToken(ctx context.Context, path, which string) error {
	var revoked token.Entry
	err := token.Edit(ctx, path, token.Readers{Group: -1}, func(all []token.Entry) (_ []token.Entry, err error) {
		if all, revoked, err = token.Revoke(all, which, time.Now()); err != nil {
			return nil, usageError{err}
		}
		return all, a.noteToken(ctx, records.KindTokenRevoked, revoked)
	})
	if err != nil {
		return explainTokens(err)
	}
	if a.json {
		return a.printJSON(tokenShown(revoked))
	}
	fmt.Fprintf(a.stdout, "token:%s (%s) is worth nothing any more\n", revoked.Name, revoked.ID)
	return nil
}

// shownToken is what is told of a token.
type shownToken struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Principal string         `json:"principal"`
	State     string         `json:"state"`
	Scopes    []access.Scope `json:"scopes"`
	CreatedAt time.Time      `json:"created_at"`
	ExpiresAt time.Time      `json:"expires_at"`
	RevokedAt time.Time      `json:"revoked_at,omitzero"`
}

func tokenShown(entry token.Entry) shownToken {
	return shownToken{entry.ID, entry.Name, entry.Principal().Name, entry.State(time.Now()), entry.Scopes, entry.CreatedAt, entry.ExpiresAt, entry.RevokedAt}
}

func joined(scopes []access.Scope) string {
	words := make([]string, len(scopes))
	for index, one := range scopes {
		words[index] = string(one)
	}
	return strings.Join(words, ", ")
}

func (a *app) showTokens(all []token.Entry) error {
	list := make([]shownToken, len(all))
	for index, entry := range all {
		list[index] = tokenShown(entry)
	}
	if a.json {
		return a.printJSON(map[string]any{"tokens": list})
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tSTATE\tEXPIRES\tSCOPES")
	for _, one := range list {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", one.ID, one.Name, one.State, one.ExpiresAt.Format(time.DateTime), joined(one.Scopes))
	}
	return table.Flush()
}
