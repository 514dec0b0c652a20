package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/durable"
)

// serverFlags say which service carries a command out, instead of this machine.
type serverFlags struct {
	server, tokenFile string
	token             string // that was found
	submission
}

// submission is how a service is asked for a run.
type submission struct {
	key      string // under which a request that is sent again gives the same run
	priority int64
}

// addSubmission declares the flags.
func addSubmission(command *cobra.Command, into *submission) {
	command.Flags().StringVar(&into.key, "idempotency-key", "", "with --server: `key` under which a request that is sent again gives the same run")
	command.Flags().Int64Var(&into.priority, "priority", 0, "with --server: `number` from -100 to 100; of your runs that wait the highest goes first")
}

// refuse adds what is of no use without a service.
func (s submission) refuse(faults *flagFaults, isRemote bool) {
	const most = 100
	for _, name := range []string{"idempotency-key", "priority"} {
		if !isRemote && faults.command.Flags().Changed(name) {
			faults.add(fmt.Errorf("--%s needs --server: a run of this machine waits in no queue", name))
		}
	}
	faults.refuse("idempotency-key", client.CheckKey(s.key) != nil, "a word of your own, of 1 to 255 characters of ASCII without blanks; leave the flag out for one that is made")
	faults.refuse("priority", s.priority < -most || s.priority > most, "from -100 to 100")
}

func (s serverFlags) isRemote() bool { return s.server != "" }

// The variables stand for --server, and for the token, which is never an argument: ps(1) shows
// those to everybody.
const (
	serverVariable = "HOTCELL_SERVER"
	tokenVariable  = "HOTCELL_TOKEN"
)

const serverHelp = `--server URL, or HOTCELL_SERVER, has a service (runner serve) carry it out: https://HOST,
http://127.0.0.1:PORT or unix:///run/hotcell/hotcell.sock. The token is in HOTCELL_TOKEN
or in a file, --token-file. Nothing of this machine's state is used. HOTCELL_TLS_CERT and
HOTCELL_TLS_KEY name the files (PEM) of a certificate of yours, HOTCELL_TLS_CA that of
the authorities by which the service is known, in the place of the system's.`

// addServer declares the flags, which are read with what stands in the environment before the
// command runs.
func addServer(command *cobra.Command, into *serverFlags) {
	addServerOr(command, into, ", else this machine")
}

// addRequiredServer is addServer for a command that has no other way.
func addRequiredServer(command *cobra.Command, into *serverFlags) { addServerOr(command, into, "") }

func addServerOr(command *cobra.Command, into *serverFlags, otherwise string) {
	command.PreRunE = func(cmd *cobra.Command, _ []string) error { return into.fromEnvironment(cmd) }
	command.Flags().StringVar(&into.server, "server", "", "`URL` of the service that carries it out (default: $HOTCELL_SERVER"+otherwise+")")
	command.Flags().StringVar(&into.tokenFile, "token-file", "", "`file` with the token for --server (default: $HOTCELL_TOKEN)")
}

// fromEnvironment fills in what no flag says, and finds the token.
func (s *serverFlags) fromEnvironment(cmd *cobra.Command) error {
	given := cmd.Flags().Changed("server")
	if !given {
		s.server = os.Getenv(serverVariable)
	}
	switch {
	case given && s.server == "":
		return usageError{errors.New("--server must be the URL of a service: leave the flag out, and unset HOTCELL_SERVER, for this machine")}
	case !s.isRemote() && cmd.Flags().Changed("token-file"):
		return usageError{errors.New("--token-file needs --server: there is nobody to give the token to")}
	case !s.isRemote():
		return nil
	case cmd.Flags().Changed("token-file"):
		return s.readToken()
	default:
		s.token = strings.TrimSpace(os.Getenv(tokenVariable))
		return nil
	}
}

// refuseState is for what this machine has a list of, too: --state asks for that one.
func (s *serverFlags) refuseState(cmd *cobra.Command) error {
	faults := &flagFaults{command: cmd}
	if s.isRemote() {
		faults.local("the service has its own", "state")
	}
	return faults.usage()
}

const maxTokenFile = 64 << 10

// readToken takes a token from a file that nobody else can read or change.
func (s *serverFlags) readToken() error {
	file, err := durable.Open(s.tokenFile)
	if err != nil {
		return usageError{fmt.Errorf("read token: %w", err)}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("read token: %w", err)
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o006 != 0 {
		return usageError{fmt.Errorf("read token: %s can be read or written by everybody on this machine: `chmod 600` it, and have the token replaced", onOneLine(s.tokenFile))}
	}
	text, err := io.ReadAll(io.LimitReader(file, maxTokenFile))
	if err != nil {
		return fmt.Errorf("read token: %w", err)
	}
	if s.token = strings.TrimSpace(string(text)); s.token == "" {
		return usageError{fmt.Errorf("read token: %s is empty", onOneLine(s.tokenFile))}
	}
	return nil
}

// refuseServer adds what a service is not asked for: it chooses the engine, and has its own state.
func (a *app) refuseServer(faults *flagFaults, chosen target) {
	if chosen.isRemote() {
		faults.local("the service has its own", "engine", "runtime", "cold", "state")
	}
}

// refuseRemote is refuseServer for what only a run can ask for.
func (a *app) refuseRemote(faults *flagFaults, flags runFlags) {
	flags.refuse(faults, flags.isRemote())
	if flags.isRemote() {
		faults.local("a service takes no program of its callers", "tool", "tool-schema")
		faults.local("a service runs nothing without the guard", "allow-unguarded")
		faults.local("a service does not tell", "trace")
		faults.local("which run has made a directory stands in a state directory, which is not used; --output-numbered takes a new one", "overwrite")
	}
}

// refuseInputs refuses those that a session cannot have.
func (f runFlags) refuseInputs() error {
	if f.inputs == "-" {
		return usageError{errors.New("--inputs cannot come from standard input, where the steps come from: write it to a file")}
	}
	return nil
}

// local adds a fault for each of the flags that was given, and is not for a service.
func (f *flagFaults) local(why string, names ...string) {
	for _, name := range names {
		if f.command.Flags().Changed(name) {
			f.add(fmt.Errorf("--%s is not for --server (or HOTCELL_SERVER): %s", name, why))
		}
	}
}

// glance is how long a service may be away that is only looked at: a run is worth more patience.
const glance = 3 * time.Second

// looking is connected, for who only looks.
func (a *app) looking(server serverFlags) (*client.Client, error) {
	return a.connectedFor(server, glance)
}

// connected is a client of the service, which is not asked yet.
func (a *app) connected(server serverFlags) (*client.Client, error) { return a.connectedFor(server, 0) }

func (a *app) connectedFor(server serverFlags, patience time.Duration) (*client.Client, error) {
	secured, err := serverTLS()
	if err != nil {
		return nil, err
	}
	made, err := client.New(client.Options{
		URL: server.server, Token: server.token, TLS: secured, Patience: patience, UserAgent: "runner/" + thisBuild().Version,
		Waiting: func(why error, pause time.Duration) {
			tell := a.logger().Debug
			if pause >= 2*time.Second { // what a person notices
				tell = a.logger().Warn
			}
			tell("asks the service again", "in", pause.Round(time.Millisecond), "because", inLine(why.Error())+wayOut(why))
		},
	})
	if err != nil {
		return nil, usageError{fmt.Errorf("--server: %w", err)}
	}
	return made, nil
}

// ofService makes of a client's error what it is to a command: what was refused is a mistake of
// who asked, and everything else a failure.
func ofService(name string, err error) error {
	problem, ok := errors.AsType[*api.Problem](err)
	if !ok {
		return err
	}
	told := errors.New(problemText(name, problem))
	if isRefusal(problem.Status) {
		return usageError{told}
	}
	return told
}

// isRefusal tells requests that would be refused again from those that meet a bad moment.
func isRefusal(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return status >= http.StatusBadRequest && status < http.StatusInternalServerError
}

// wayOut is what only a user of this command can do about a refusal, or "".
func wayOut(err error) string {
	problem, ok := errors.AsType[*api.Problem](err)
	switch {
	case ok && problem.Quota == "sessions":
		return "; `runner session ls` lists your sessions, and `runner session close ID` closes one"
	case ok && problem.Status == http.StatusUnauthorized:
		return "; a token is sent if " + tokenVariable + " has it, or a file that --token-file names"
	}
	return ""
}

func problemText(name string, problem *api.Problem) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s", name, problem.Title)
	if problem.Detail != "" {
		fmt.Fprintf(&text, ": %s", problem.Detail)
	}
	text.WriteString(wayOut(problem))
	if problem.RetryAfter > 0 {
		fmt.Fprintf(&text, "; try again in %s", time.Duration(problem.RetryAfter)*time.Second)
	}
	if problem.Instance != "" {
		fmt.Fprintf(&text, " (its log has it as %s)", problem.Instance)
	}
	return text.String()
}

// remoteError is a run's own failure on another machine.
type remoteError struct {
	run  string
	text string
}

// Error implements error.
func (e remoteError) Error() string { return "run " + e.run + " at " + e.text }
