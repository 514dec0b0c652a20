package httpapi

import (
	"context"
	"fmt"
	"net/http"

	"github.com/goccy/go-yaml"

	"hotcell/api"
	"hotcell/internal/strictjson"
)

func (c *call) listPolicies() error { return answerAll(c, c.door.Backend.Policies) }

func (c *call) getPolicy() error { return answerNamed(c, "name", c.door.Backend.Policy) }

func (c *call) listBundles() error { return answerAll(c, c.door.Backend.Bundles) }

func (c *call) getBundle() error { return answerNamed(c, "reference", c.door.Backend.Bundle) }

func (c *call) listTools() error { return answerAll(c, c.door.Backend.Tools) }

func (c *call) getHost() error { return answerAll(c, c.door.Backend.Host) }

func (c *call) getMe() error {
	return answerAll(c, func(ctx context.Context) (api.Me, error) { return c.door.Backend.Me(ctx, c.by) })
}

func (c *call) getVersion() error { return c.json(http.StatusOK, c.door.Version) }

func (c *call) getDocument() error {
	return c.text(http.StatusOK, "application/json", c.door.document)
}

// documentAsJSON is api/openapi.yaml.
func documentAsJSON() ([]byte, error) {
	var document any
	if err := yaml.Unmarshal([]byte(api.OpenAPI()), &document); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	return strictjson.Encode(document)
}

// lives says that the process answers, and nothing else: anybody may ask.
func (c *call) lives() error {
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// ready says whether requests are worth sending. What is wrong with the engine is not for anybody.
func (c *call) ready() error {
	switch load := c.door.Backend.Load(); {
	case load.Draining:
		return refuse(wordNotReady, "the service ends, or is being replaced")
	case !load.Answers:
		return refuse(wordNotReady, "the service's engine does not answer, or takes nothing just now: the service's log says why")
	}
	return c.lives()
}
