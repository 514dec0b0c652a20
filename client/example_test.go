package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/job"
)

// example is a service of this process with one run, so that the examples need none.
func example() *client.Client {
	const sum = "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865" // of "1\n"
	id, err := client.ParseID("1795219431042-9f86d081884c7d65")
	if err != nil {
		panic(err)
	}
	queued := api.Run{RunID: id, Status: api.StateQueued, Policy: "study-analysis"}
	ended := queued
	ended.Status = api.State(job.Succeeded)
	ended.Result = &api.RunResult{RunID: id, Status: job.Succeeded, Stdout: "42\n", Files: []job.File{{Path: "a.csv", Bytes: 2, SHA256: sum, MediaType: "text/csv", Role: "file"}}}
	say := func(w http.ResponseWriter, value any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(value)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/runs", func(w http.ResponseWriter, _ *http.Request) { say(w, queued) })
	mux.HandleFunc("GET /v1/runs/{id}/events", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		result, err := json.Marshal(ended)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(w, "id: 1\nevent: stdout\ndata: {\"text\":\"42\\n\"}\n\nid: 2\nevent: result\ndata: %s\n\n", result)
	})
	mux.HandleFunc("GET /v1/runs/{id}/files", func(w http.ResponseWriter, _ *http.Request) {
		say(w, api.FileList{Files: []api.FileInfo{{Path: "a.csv", Bytes: 2, SHA256: sum, MediaType: "text/csv", Role: "file"}}})
	})
	mux.HandleFunc("GET /v1/runs/{id}/files/a.csv", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("1\n")) })
	mux.HandleFunc("POST /v1/checks", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_ = json.NewEncoder(w).Encode(api.Problem{Type: "urn:hotcell:problem:refused", Title: "the request cannot be run", Detail: "there is no policy of this name"})
	})
	service, err := client.New(client.Options{Transport: client.InProcess(mux)})
	if err != nil {
		panic(err)
	}
	return service
}

func ExampleNew() {
	service, err := client.New(client.Options{
		URL:         "https://hotcell.example.org",
		TokenSource: func(context.Context) (string, error) { return "hc_…", nil },
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(service.Name())
	_, err = client.New(client.Options{URL: "http://hotcell.example.org", Token: "hc_1"})
	fmt.Println(err)
	// Output:
	// https://hotcell.example.org
	// new client: a token would go to http://hotcell.example.org in plain text: want https://, or a service of this host
}

func Example() {
	ctx, service := context.Background(), example() // client.New(client.Options{URL: …, Token: …})
	run, err := service.CreateRun(ctx, api.CreateRun{Policy: "study-analysis", Code: "print(6 * 7)"}, client.CreateOptions{})
	if err != nil {
		panic(err)
	}
	run, err = service.Wait(ctx, run.RunID)
	if err != nil {
		panic(err)
	}
	if run.Result == nil { // the service has failed: run.Error says why
		panic(run.Error)
	}
	fmt.Print(run.Result.Status, ": ", run.Result.Stdout)
	for _, file := range run.Result.Files {
		content, err := service.OpenFile(ctx, run.RunID, file.Path)
		if err != nil {
			panic(err)
		}
		text, err := io.ReadAll(content) // which is an error for any other content than what was released
		if err = errors.Join(err, content.Close()); err != nil {
			panic(err)
		}
		fmt.Printf("%s: %q\n", file.Path, text)
	}
	// Output:
	// succeeded: 42
	// a.csv: "1\n"
}

func ExampleClient_Follow() {
	ctx, service := context.Background(), example()
	id, err := client.ParseID("1795219431042-9f86d081884c7d65")
	if err != nil {
		panic(err)
	}
	err = service.Follow(ctx, id, 0, func(event api.Event) error {
		if event.Type == api.EventStdout {
			fmt.Println(event.Seq, string(event.Data))
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// 1 {"text":"42\n"}
	// <nil>
}

func ExampleClient_Check() {
	_, err := example().Check(context.Background(), api.CreateRun{Policy: "unknown", Code: "1"})
	if problem, ok := errors.AsType[*api.Problem](err); ok {
		fmt.Println(problem.Status, problem.Type, problem)
	}
	// Output:
	// 422 urn:hotcell:problem:refused the request cannot be run: there is no policy of this name
}
