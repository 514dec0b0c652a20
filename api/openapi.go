package api

import _ "embed"

//go:embed openapi.yaml
var openAPI string

// OpenAPI is openapi.yaml: what a service takes and answers, as a document of OpenAPI 3.1.
func OpenAPI() string { return openAPI }
