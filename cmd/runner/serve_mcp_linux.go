package main

import (
	"net/http"
	"time"

	"hotcell/client"
	"hotcell/internal/access"
	"hotcell/internal/mcpserver"
)

// engineAway is how long a call waits for an engine that is away: within what a call may last, so that
// it is answered with the reason.
const engineAway = 20 * time.Second

// mountMCP has the tools for models at /mcp. Each call asks the API in this process, with the
// context of the request that has brought it: what its principal may, and how often, is decided
// in one place.
func (p *frontProcess) mountMCP(version string) error {
	tools, err := mcpserver.New(mcpserver.Options{Version: version, Logger: p.logger})
	if err != nil {
		return err
	}
	inside, err := client.New(client.Options{Transport: client.InProcess(p.front), Patience: engineAway})
	if err != nil {
		return err
	}
	p.front.Mount("POST /mcp", tools.Handler(func(r *http.Request) (mcpserver.Backend, string) {
		return mcpserver.ByClient{Client: inside, Once: true}, access.Of(r.Context()).Name
	}))
	return nil
}
