package httpapi

import (
	"fmt"
	"net/http"

	"github.com/goccy/go-yaml"

	"hotcell/api"
	"hotcell/internal/strictjson"
)

func (c *call) listPolicies() error { return answerAll(c, c.front.Backend.Policies) }

func (c *call) getPolicy() error { return answerNamed(c, "name", c.front.Backend.Policy) }

func (c *call) listBundles() error { return answerAll(c, c.front.Backend.Bundles) }

func (c *call) getBundle() error { return answerNamed(c, "reference", c.front.Backend.Bundle) }

func (c *call) listTools() error { return answerAll(c, c.front.Backend.Tools) }

func (c *call) getHost() error { return answerAll(c, c.front.Backend.Host) }

func (c *call) getVersion() error { return c.json(http.StatusOK, c.front.Version) }

func (c *call) getDocument() error {
	return c.text(http.StatusOK, "application/json", c.front.document)
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

// ready says whether requests are worth sending, and not why they are not.
func (c *call) ready() error {
	if load := c.front.Backend.Load(); load.Draining || !load.Answers {
		return refuse(wordNotReady, "try again")
	}
	return c.lives()
}
