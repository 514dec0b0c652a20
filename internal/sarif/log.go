package sarif

import "hotcell/internal/digest"

// The parts of a SARIF log that are used here, as sections 3.13 to 3.49 of the
// standard name them.
type (
	log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct {
		Tool        tool         `json:"tool"`
		Invocations []invocation `json:"invocations"`
		Artifacts   []file       `json:"artifacts,omitempty"`
		ColumnKind  string       `json:"columnKind"`
		Results     []result     `json:"results"`
		Properties  properties   `json:"properties"`
	}
	tool struct {
		Driver driver `json:"driver"`
	}
	driver struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		Rules   []rule `json:"rules"`
	}
	rule struct {
		ID                   string        `json:"id"`
		ShortDescription     message       `json:"shortDescription"`
		FullDescription      message       `json:"fullDescription"`
		Help                 message       `json:"help"`
		DefaultConfiguration configuration `json:"defaultConfiguration"`
	}
	configuration struct {
		Level string `json:"level"`
	}
	message struct {
		Text string `json:"text"`
	}
	invocation struct {
		ExecutionSuccessful bool           `json:"executionSuccessful"`
		Notifications       []notification `json:"toolExecutionNotifications,omitempty"`
	}
	notification struct {
		Level     string     `json:"level"`
		Message   message    `json:"message"`
		Locations []physical `json:"locations"`
	}
	file struct {
		Location       location          `json:"location"`
		Length         int               `json:"length"`
		SourceLanguage string            `json:"sourceLanguage"`
		Encoding       string            `json:"encoding"`
		Hashes         map[string]string `json:"hashes"`
	}
	location struct {
		URI string `json:"uri"`
	}
	result struct {
		RuleID    string     `json:"ruleId"`
		RuleIndex *int       `json:"ruleIndex,omitempty"`
		Kind      string     `json:"kind"`
		Level     string     `json:"level"`
		Message   message    `json:"message"`
		Locations []physical `json:"locations"`
	}
	physical struct {
		PhysicalLocation physicalLocation `json:"physicalLocation"`
	}
	physicalLocation struct {
		ArtifactLocation location `json:"artifactLocation"`
		Region           *region  `json:"region,omitempty"`
	}
	region struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
	properties struct {
		Policy       string     `json:"policy"`
		PolicySHA256 digest.Hex `json:"policySha256"`
	}
)
