package crate

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
	"hotcell/internal/strictjson"
)

// What the metadata conform to.
const (
	context12    = "https://w3id.org/ro/crate/1.2/context"
	crate12      = "https://w3id.org/ro/crate/1.2"
	context11    = "https://w3id.org/ro/crate/1.1/context"
	crate11      = "https://w3id.org/ro/crate/1.1"
	fiveSafes    = "https://w3id.org/5s-crate/0.4"
	workflow10   = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
	completed    = "http://schema.org/CompletedActionStatus"
	failedAction = "http://schema.org/FailedActionStatus"
	pending      = "http://schema.org/PotentialActionStatus"
)

// Identifiers of entities that every crate has.
const (
	rootID     = "./"
	workflowID = workflowDir + "/"
	licenceID  = "#licence"
	projectID  = "#project"
	operatorID = "#operator"
	hotcellID  = "#hotcell"
	imageID    = "#image"
)

type entity map[string]any

func ref(id string) entity { return entity{"@id": id} }

func refs(ids ...string) []entity {
	all := []entity{}
	for _, id := range ids {
		all = append(all, ref(id))
	}
	return all
}

// fileID is a path as RO-Crate has it: a URI relative to the root.
func fileID(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

// urn is an identifier that is always the same for the same record: a UUID of version 8
// (RFC 9562) out of the hash that the chain has of it.
func (m *made) urn(what string) string {
	sum := sha256.Sum256([]byte("hotcell " + what + " " + m.result().RunID.String() + " " + string(m.run.Subject(records.RoleRecord))))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

func (m *made) runEntity() string { return "#run-" + strings.TrimPrefix(m.urn("run"), "urn:uuid:") }

func moment(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// graph is a metadata file in the making.
type graph struct {
	entities []entity
	mentions []string // of the root
	parts    []string // of the root
	persons  map[person]string
}

// person is an actor as a key: uid is a pointer there. It is -1 where nothing says.
type person struct {
	actor job.Actor
	uid   int64
}

func (g *graph) add(one entity) string {
	g.entities = append(g.entities, one)
	id, _ := one["@id"].(string)
	return id
}

// encode writes a metadata file.
func encode(context string, entities []entity) ([]byte, error) {
	text, err := strictjson.Form{Lenient: true, Indent: "  "}.Encode(map[string]any{"@context": context, "@graph": entities})
	if err != nil {
		return nil, fmt.Errorf("encode metadata: %w", err)
	}
	return append(text, '\n'), nil
}

// metadata is the description of the crate.
func (m *made) metadata() ([]byte, error) {
	g := &graph{persons: map[person]string{}}
	m.describeRun(g)
	m.describeFiles(g)
	m.assess(g)
	m.describeContext(g)
	root := entity{
		"@id": rootID, "@type": "Dataset", "name": "Run " + m.result().RunID.String(),
		"description":        "One run, as it was recorded: code, released files, record, and the events of the audit chain that name it.",
		"conformsTo":         ref(fiveSafes),
		"identifier":         m.urn("crate"),
		"datePublished":      moment(m.run.Time),
		"license":            ref(licenceID),
		"hasPart":            refs(g.parts...),
		"mainEntity":         ref(workflowID),
		"mentions":           refs(g.mentions...),
		"sourceOrganization": ref(projectID),
	}
	return encode(context12, append([]entity{descriptor(crate12), root}, g.entities...))
}

func descriptor(conforms ...string) entity {
	one := entity{"@id": metadataFile, "@type": "CreativeWork", "about": ref(rootID), "conformsTo": refs(conforms...)}
	if len(conforms) == 1 {
		one["conformsTo"] = ref(conforms[0])
	}
	return one
}

// describeRun says what was run, by whom, on what, and what became of it.
func (m *made) describeRun(g *graph) {
	result := m.result()
	said := result.Provenance
	status := failedAction
	if result.Status == job.Succeeded {
		status = completed
	}
	var results []string
	for _, file := range result.Files {
		results = append(results, fileID(path.Join(outputsDir, file.Path)))
	}
	action := entity{
		"@id": m.runEntity(), "@type": "CreateAction",
		"name":         fmt.Sprintf("Run %s under policy %s: %s", result.RunID, said.Policy, result.Status),
		"agent":        ref(g.person(m.run.Actor)),
		"instrument":   ref(workflowID),
		"object":       refs(m.madeOf(g)...),
		"result":       refs(results...),
		"actionStatus": status,
		"startTime":    moment(said.StartedAt),
	}
	if m.run.Time.After(said.StartedAt) { // a clock can have been set back
		action["endTime"] = moment(m.run.Time)
	}
	g.mentions = append(g.mentions, g.add(action))
}

// madeOf adds what the run has read, and returns what it was made of.
func (m *made) madeOf(g *graph) (ids []string) {
	said := m.result().Provenance
	ids = append(ids, g.add(entity{
		"@id": "#policy", "@type": "CreativeWork", "name": "Policy " + said.Policy,
		"identifier": digestOf(said.PolicySHA256), "description": "What the run was allowed to do.",
	}))
	if said.Bundle != "" {
		data := entity{"@id": "#data", "@type": "DigitalDocument", "name": "Data of the run", "identifier": said.Bundle.String()}
		if said.Data != nil {
			data["name"], data["version"] = said.Data.Name, said.Data.Version
			by := said.Data.Deidentification
			data["description"] = fmt.Sprintf("De-identified data, which are not in this crate. Method: %s; attested by %s on %s.", by.Method, by.AttestedBy, by.AttestedOn)
		}
		ids = append(ids, g.add(data))
	}
	if said.InputsSHA256 != "" {
		ids = append(ids, g.add(entity{
			"@id": "#inputs", "@type": "DigitalDocument", "name": "Inputs of the run", "identifier": digestOf(said.InputsSHA256),
			"description": "JSON that was given to the script. It was not kept.",
		}))
	}
	return append(ids, imageID)
}

func digestOf(sum digest.Hex) string { return sum.Digest().String() }

// describeFiles says what is in the payload.
func (m *made) describeFiles(g *graph) {
	code := fileID(path.Join(workflowDir, m.Record.Code))
	g.parts = append(g.parts, g.add(entity{
		"@id": workflowID, "@type": "Dataset", "name": "What was run", "conformsTo": ref(workflow10), "hasPart": refs(code),
	}))
	g.add(entity{
		"@id": code, "@type": []string{"File", "SoftwareSourceCode"}, "name": m.Record.Code, "encodingFormat": "text/x-python",
		"identifier": digestOf(m.result().Provenance.CodeSHA256), "description": "The script, below a header. Its identifier is of the script alone.",
	})
	file := func(name, shown, description, format string, sum digest.Hex) {
		g.parts = append(g.parts, g.add(entity{
			"@id": fileID(name), "@type": "File", "name": shown, "description": description, "encodingFormat": format, "identifier": digestOf(sum),
		}))
	}
	file(recordFile, "Record of the run", "All that Hotcell has kept of the run: status, streams, limits, controls and provenance.", "application/json", m.run.Subject(records.RoleRecord))
	if signed := m.run.Subject(records.RoleStatement); signed != "" {
		file(statementFile, "Signed statement", "An in-toto Statement in a DSSE envelope about record, code and released files.", "application/vnd.dsse.envelope.v1+json", signed)
	}
	file(eventsFile, "Events of the audit chain", "The events that name this run, each as its line stands in the chain; that it was exported is not among them.", "application/x-ndjson", digest.Of(m.lines()).Hex())
	for _, released := range m.result().Files {
		g.parts = append(g.parts, g.add(entity{
			"@id": fileID(path.Join(outputsDir, released.Path)), "@type": "File", "name": released.Path, "encodingFormat": released.MediaType,
			"contentSize": strconv.FormatInt(released.Bytes, 10), "identifier": digestOf(released.SHA256),
		}))
	}
}

// describeContext says who and what else there was.
func (m *made) describeContext(g *graph) {
	said := m.result().Provenance
	project := entity{"@id": projectID, "@type": "Project", "name": "No study: the run had no data of one"}
	if said.Data != nil && said.Data.Study != "" {
		project["name"] = said.Data.Study
	}
	g.add(project)
	g.add(entity{"@id": fiveSafes, "@type": "Profile", "name": "Five Safes RO-Crate profile", "version": "0.4"})
	g.add(entity{
		"@id": licenceID, "@type": "CreativeWork", "name": "No licence is stated",
		"description": "The record has no licence. What may be done with this crate is for the project to say.",
	})
	g.add(entity{"@id": operatorID, "@type": "Organization", "name": "Whoever operates the host (the record does not say)"})
	g.add(entity{
		"@id": hotcellID, "@type": "SoftwareApplication", "name": "Hotcell", "softwareVersion": said.Runner, "provider": ref(operatorID),
		"description": fmt.Sprintf("Engine %s, %s, on Linux %s. The crate was made by version %s.", said.Engine, said.Runtime, said.Kernel, m.Runner),
	})
	g.add(entity{
		"@id": imageID, "@type": "SoftwareApplication", "name": "Image of the sandbox", "identifier": said.Image.String(), "provider": ref(operatorID),
		"description": "The read-only file system in which the script ran.",
	})
}

// person adds who acted, once, and returns the identifier.
func (g *graph) person(actor job.Actor) string {
	key := person{actor, -1}
	key.actor.UID = nil
	if actor.UID != nil {
		key.uid = int64(*actor.UID)
	}
	id, known := g.persons[key]
	if known {
		return id
	}
	id = fmt.Sprintf("#person-%d", len(g.persons)+1)
	g.persons[key] = id
	name := actor.Principal
	if name == "" {
		name = actor.User
	}
	if actor.SudoUser != "" {
		name = fmt.Sprintf("%s (%s through sudo)", actor.SudoUser, name)
	}
	one := entity{"@id": id, "@type": "Person"}
	if actor.UID != nil {
		one["description"] = fmt.Sprintf("User id %d of the host.", *actor.UID)
		if name == "" {
			name = fmt.Sprintf("uid %d", *actor.UID)
		}
	}
	if name == "" {
		name = "not known: the event is of a version that kept no actors"
	}
	one["name"] = name
	g.add(one)
	return id
}

// workflow is the description of what was run, which is a Workflow RO-Crate of its own.
func (m *made) workflow() ([]byte, error) {
	said := m.result().Provenance
	code := fileID(m.Record.Code)
	return encode(context11, []entity{
		descriptor(crate11, workflow10),
		{
			"@id": rootID, "@type": "Dataset", "name": "Script of run " + m.result().RunID.String(),
			"description":   "A script as it ran, below a header that says on what.",
			"datePublished": moment(m.run.Time), "license": ref(licenceID), "hasPart": refs(code), "mainEntity": ref(code),
		},
		{
			"@id": code, "@type": []string{"File", "SoftwareSourceCode", "ComputationalWorkflow"}, "name": m.Record.Code,
			"encodingFormat": "text/x-python", "programmingLanguage": ref("#python"), "identifier": digestOf(said.CodeSHA256),
		},
		{"@id": "#python", "@type": "ComputerLanguage", "name": "Python", "url": ref("https://www.python.org/")},
		{"@id": "https://www.python.org/", "@type": "WebSite", "name": "Python"},
		{"@id": licenceID, "@type": "CreativeWork", "name": "No licence is stated", "description": "The record has no licence."},
	})
}
