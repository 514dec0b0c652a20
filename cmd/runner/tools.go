package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
	"hotcell/internal/tool"
	"hotcell/internal/wire"
)

// refuseInTool refuses to run code for a tool: what runs in a sandbox must not be
// able to have more code run outside of its limits, however indirectly.
func refuseInTool() error {
	if os.Getenv(tool.Variable) == "" {
		return nil
	}
	return usageError{fmt.Errorf("this is a tool call of another run (%s is set): a tool must not run code", tool.Variable)}
}

// parseTools reads --tool and --tool-schema, and names every mistake.
func parseTools(given, schemas []string) ([]job.Tool, error) {
	var tools []job.Tool
	var faults []error
	known := map[string]int{}
	for _, flag := range given {
		parsed, err := parseTool(flag)
		if _, twice := known[parsed.Name]; err == nil && twice {
			err = fmt.Errorf("--tool %s is given twice", parsed.Name)
		}
		faults = append(faults, err)
		known[parsed.Name] = len(tools)
		tools = append(tools, parsed)
	}
	for _, flag := range schemas {
		name, file, found := strings.Cut(flag, "=")
		index, tooled := known[name]
		switch {
		case !found || file == "":
			faults = append(faults, fmt.Errorf("--tool-schema %q: want NAME=FILE", flag))
		case !tooled:
			faults = append(faults, fmt.Errorf("--tool-schema %s: no --tool has this name", name))
		case tools[index].Schema != nil:
			faults = append(faults, fmt.Errorf("--tool-schema %s is given twice", name))
		default:
			var err error
			tools[index].Schema, err = readSchema(file)
			faults = append(faults, err)
		}
	}
	return tools, errors.Join(faults...)
}

// parseTool reads NAME=COMMAND. A command with arguments is a JSON array: a line
// that is split into words would need rules of quoting, and yours are the shell's,
// which has read it already.
func parseTool(flag string) (job.Tool, error) {
	name, command, found := strings.Cut(flag, "=")
	if !found || name == "" || command == "" {
		return job.Tool{}, fmt.Errorf("--tool %q: want NAME=COMMAND", flag)
	}
	vector, err := parseCommand(command)
	if err != nil {
		return job.Tool{Name: name}, fmt.Errorf("--tool %s: %w", name, err)
	}
	return job.Tool{Name: name, Command: vector}, nil
}

// parseCommand reads a program, or a JSON array of one and its arguments.
func parseCommand(command string) ([]string, error) {
	vector := []string{command}
	if strings.HasPrefix(command, "[") {
		vector = nil
		if err := strictjson.Decode([]byte(command), maxScript, &vector); err != nil {
			return nil, fmt.Errorf("the command is not a JSON array of strings: %w", err)
		}
	}
	if len(vector) == 0 {
		return nil, errors.New("the command is empty")
	}
	path, err := exec.LookPath(vector[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		hint := ""
		if strings.ContainsRune(command, ' ') && !strings.HasPrefix(command, "[") {
			hint = `; a command with arguments is a JSON array, such as ["/opt/lookup","--fast"]`
		}
		return nil, fmt.Errorf("%w%s", notExecutable(vector[0], err), hint)
	}
	vector[0] = path
	return vector, nil
}

// notExecutable says why a program cannot be started, without the words of Go's
// library.
func notExecutable(program string, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%q is not in your PATH: give its absolute path", program)
	case errors.Is(err, exec.ErrDot):
		return fmt.Errorf("%q is in the working directory, not in your PATH: write ./%s", program, program)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %q", program)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%q is not executable: run `chmod +x` on it, or name its interpreter", program)
	}
	return err
}

// maxSchema is far above a schema that somebody has written.
const maxSchema = 1 << 20

func readSchema(name string) ([]byte, error) {
	file, err := durable.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read tool schema: %w", err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxSchema+1))
	if err != nil {
		return nil, fmt.Errorf("read tool schema: %w", err)
	}
	if len(content) > maxSchema {
		return nil, fmt.Errorf("read tool schema: %s has more than %d bytes", name, maxSchema)
	}
	return content, nil
}

// readInputs reads --inputs. What is larger than any policy allows is cut by one
// byte too many, and refused with the policy's limit.
func (a *app) readInputs(ctx context.Context, name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	source := a.stdin
	if name != "-" {
		file, err := durable.Open(name)
		if err != nil {
			if strings.HasPrefix(strings.TrimSpace(name), "{") {
				return nil, usageError{errors.New("--inputs takes the name of a file with a JSON object, not the object itself: write it to one, or pass - and give it on standard input")}
			}
			return nil, usageError{fmt.Errorf("read inputs: %w", err)}
		}
		defer file.Close()
		source = file
	}
	inputs, err := readAll(ctx, source, wire.MaxInputs)
	if err != nil {
		return nil, fmt.Errorf("read inputs: %w", err)
	}
	if len(inputs) == 0 {
		return nil, usageError{errors.New("--inputs is empty: want a JSON object")}
	}
	return inputs, nil
}
