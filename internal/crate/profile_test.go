package crate_test

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the profile wants with a MUST, as crs4/rocrate-validator has it in its profile
// five-safes-crate: the numbers are those of its files (must/1_root_data_entity.ttl …). What
// begins with R is of RO-Crate, and with B of the profile's text alone. That validator is
// Python, and is run by scripts/check-crate.sh and TestTheValidatorAcceptsACrate where it is installed.

// graph is a metadata file that was read.
type graph struct {
	context  string
	entities []map[string]any
}

func (g *graph) get(id string) map[string]any {
	for _, one := range g.entities {
		if one["@id"] == id {
			return one
		}
	}
	return nil
}

func is(one map[string]any, kind string) bool {
	kinds, many := one["@type"].([]any)
	return one["@type"] == kind || many && slices.Contains(kinds, any(kind))
}

func (g *graph) ofType(kind string) (all []map[string]any) {
	for _, one := range g.entities {
		if is(one, kind) {
			all = append(all, one)
		}
	}
	return all
}

func text(value any) string { said, _ := value.(string); return said }

// links are the identifiers that a property has.
func links(value any) (ids []string) {
	switch value := value.(type) {
	case map[string]any:
		ids = append(ids, text(value["@id"]))
	case []any:
		for _, one := range value {
			ids = append(ids, links(one)...)
		}
	}
	return ids
}

var (
	rfc3339  = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|z|[+-][0-9]{2}:[0-9]{2})$`)
	statuses = []string{
		"http://schema.org/PotentialActionStatus", "http://schema.org/ActiveActionStatus",
		"http://schema.org/CompletedActionStatus", "http://schema.org/FailedActionStatus",
	}
)

// rules are the checks, by their numbers.
func (g *graph) rules(payload fs.FS) map[string]func() bool {
	root := g.get("./")
	descriptor := g.get("ro-crate-metadata.json")
	actions := g.ofType("CreateAction")
	reviews := g.ofType("AssessAction")
	each := func(all []map[string]any, holds func(map[string]any) bool) bool {
		return !slices.ContainsFunc(all, func(one map[string]any) bool { return !holds(one) })
	}
	are := func(ids []string, kind string) bool {
		return !slices.ContainsFunc(ids, func(id string) bool { return g.get(id) == nil || !is(g.get(id), kind) })
	}
	times := func(one map[string]any) bool {
		return each([]map[string]any{{"of": one["startTime"]}, {"of": one["endTime"]}}, func(at map[string]any) bool {
			return at["of"] == nil || rfc3339.MatchString(text(at["of"]))
		})
	}
	named := func(one map[string]any) bool { return len(text(one["name"])) >= 10 }
	status := func(one map[string]any) bool { return slices.Contains(statuses, text(one["actionStatus"])) }
	return map[string]func() bool{
		"R1 the descriptor is a CreativeWork about the root, and of RO-Crate 1.2": func() bool {
			return is(descriptor, "CreativeWork") && slices.Equal(links(descriptor["about"]), []string{"./"}) && slices.Contains(links(descriptor["conformsTo"]), "https://w3id.org/ro/crate/1.2")
		},
		"R2 the root is a Dataset with name, description, datePublished and license": func() bool {
			return is(root, "Dataset") && text(root["name"]) != "" && text(root["description"]) != "" && rfc3339.MatchString(text(root["datePublished"])) && are(links(root["license"]), "CreativeWork") && len(links(root["license"])) == 1
		},
		"R3 what hasPart names is there, as entity and as file": func() bool { return g.partsAreThere(root, payload) },
		"R4 every File and Dataset is a part, of the root or of a part": func() bool {
			return each(append(g.ofType("File"), g.ofType("Dataset")...), func(one map[string]any) bool {
				return one["@id"] == "./" || slices.ContainsFunc(g.ofType("Dataset"), func(of map[string]any) bool { return slices.Contains(links(of["hasPart"]), text(one["@id"])) })
			})
		},
		"R5 no identifier is there twice, and every entity has a type": g.isFlat,
		"R6 every link leads to an entity":                             g.leadsSomewhere,
		"1 sourceOrganization is a Project with a name": func() bool {
			of := links(root["sourceOrganization"])
			return len(of) == 1 && are(of, "Project") && text(g.get(of[0])["name"]) != ""
		},
		"2 the agent of a CreateAction is a Person": func() bool {
			return each(actions, func(one map[string]any) bool {
				return len(links(one["agent"])) > 0 && are(links(one["agent"]), "Person")
			})
		},
		"3 times are of RFC 3339":            func() bool { return each(g.entities, times) },
		"5 the root conforms to the profile": func() bool { return slices.Equal(links(root["conformsTo"]), []string{"https://w3id.org/5s-crate/0.4"}) },
		"6 mainEntity is one Dataset, a Workflow RO-Crate": func() bool {
			of := links(root["mainEntity"])
			return len(of) == 1 && are(of, "Dataset") && strings.HasPrefix(strings.Join(links(g.get(of[0])["conformsTo"]), ""), "https://w3id.org/workflowhub/workflow-ro-crate")
		},
		"7a the root mentions a CreateAction": func() bool {
			return len(actions) > 0 && each(actions, func(one map[string]any) bool { return slices.Contains(links(root["mentions"]), text(one["@id"])) })
		},
		"7b its instrument is the mainEntity": func() bool {
			return each(actions, func(one map[string]any) bool {
				return slices.Equal(links(one["instrument"]), links(root["mainEntity"]))
			})
		},
		"7c its objects are entities": func() bool {
			return each(actions, func(one map[string]any) bool { return g.known(links(one["object"])) })
		},
		"8, 12, 13 a review's name, status": func() bool { return each(reviews, func(one map[string]any) bool { return named(one) && status(one) }) },
		"10 its results are entities": func() bool {
			return each(actions, func(one map[string]any) bool { return g.known(links(one["result"])) })
		},
		"11 its name, status and times": func() bool {
			return each(actions, func(one map[string]any) bool { return named(one) && status(one) && times(one) })
		},
		"14 nothing was downloaded":         func() bool { return len(g.ofType("DownloadAction")) == 0 },
		"15 the context is of RO-Crate 1.2": func() bool { return g.context == "https://w3id.org/ro/crate/1.2/context" },
		"16 the root mentions every review": func() bool {
			return each(reviews, func(one map[string]any) bool { return slices.Contains(links(root["mentions"]), text(one["@id"])) })
		},
		"B1 a program that acts has a provider": func() bool {
			return each(g.ofType("SoftwareApplication"), func(one map[string]any) bool {
				return len(links(one["provider"])) == 1 && are(links(one["provider"]), "Organization")
			})
		},
		"B2 the results of an action are parts": func() bool {
			return each(actions, func(one map[string]any) bool {
				return !slices.ContainsFunc(links(one["result"]), func(id string) bool { return !slices.Contains(links(root["hasPart"]), id) })
			})
		},
		"B3 no reference leaves the crate": func() bool {
			return each(g.entities, func(one map[string]any) bool {
				id := text(one["@id"])
				return !strings.HasPrefix(id, "/") && !slices.Contains(strings.Split(id, "/"), "..")
			})
		},
	}
}

func (g *graph) faults(payload fs.FS) (broken []string) {
	for name, holds := range g.rules(payload) {
		if !holds() {
			broken = append(broken, name)
		}
	}
	slices.Sort(broken)
	return broken
}

func (g *graph) known(ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return g.get(id) == nil || g.get(id)["@type"] == nil })
}

func (g *graph) partsAreThere(of map[string]any, payload fs.FS) bool {
	for _, id := range links(of["hasPart"]) {
		name, err := url.PathUnescape(strings.TrimSuffix(id, "/"))
		if err != nil || g.get(id) == nil {
			return false
		}
		info, err := fs.Stat(payload, name)
		if err != nil || info.IsDir() != strings.HasSuffix(id, "/") || info.IsDir() && !g.partsAreThere(g.get(id), payload) {
			return false
		}
	}
	return len(links(of["hasPart"])) > 0
}

func (g *graph) isFlat() bool {
	seen := map[string]bool{}
	for _, one := range g.entities {
		id := text(one["@id"])
		if id == "" || seen[id] || one["@type"] == nil {
			return false
		}
		seen[id] = true
	}
	return true
}

// leadsSomewhere wants each link within the crate to be described, as RO-Crate asks.
func (g *graph) leadsSomewhere() bool {
	for _, one := range g.entities {
		for property, value := range one {
			for _, id := range links(value) {
				outside := property == "conformsTo" || property == "additionalType"
				if !outside && g.get(id) == nil {
					return false
				}
			}
		}
	}
	return true
}

func TestEachMustOfTheProfile(t *testing.T) {
	store, id := recorded(t, nil)
	bag, _ := unpacked(t, sourceOf(t, store, id))
	payload := os.DirFS(filepath.Join(bag, "data"))
	g := graphOf(t, filepath.Join(bag, "data/ro-crate-metadata.json"))
	require.Empty(t, g.faults(payload))
	workflow := graphOf(t, filepath.Join(bag, "data/workflow/ro-crate-metadata.json"))
	main := workflow.get(links(workflow.get("./")["mainEntity"])[0])
	for _, kind := range []string{"File", "SoftwareSourceCode", "ComputationalWorkflow"} {
		require.True(t, is(main, kind), kind)
	}
	require.True(t, workflow.partsAreThere(workflow.get("./"), os.DirFS(filepath.Join(bag, "data/workflow"))))
	require.True(t, workflow.isFlat() && workflow.leadsSomewhere())
	require.Equal(t, "S-17", g.get("#project")["name"])
	require.Equal(t, "anna (root through sudo)", g.ofType("Person")[0]["name"])
	require.NotNil(t, g.get("outputs/tables/50%25%20of%20all.txt"))
}

// TestEachRuleCanBreak breaks the metadata in one place each, and one rule at least tells.
func TestEachRuleCanBreak(t *testing.T) {
	store, id := recorded(t, nil)
	bag, _ := unpacked(t, sourceOf(t, store, id))
	payload := os.DirFS(filepath.Join(bag, "data"))
	action := func(g *graph) map[string]any { return g.ofType("CreateAction")[0] }
	breaks := map[string]func(*graph){
		"R1":        func(g *graph) { delete(g.get("ro-crate-metadata.json"), "conformsTo") },
		"R2":        func(g *graph) { delete(g.get("./"), "license") },
		"R3":        func(g *graph) { g.get("./")["hasPart"] = []any{map[string]any{"@id": "nothing"}} },
		"R4":        func(g *graph) { delete(g.get("./"), "hasPart") },
		"R5":        func(g *graph) { g.entities = append(g.entities, g.get("#project")) },
		"R6":        func(g *graph) { g.get("#hotcell")["provider"] = map[string]any{"@id": "#nobody"} },
		"1 ":        func(g *graph) { delete(g.get("./"), "sourceOrganization") },
		"2 ":        func(g *graph) { delete(action(g), "agent") },
		"3 ":        func(g *graph) { action(g)["endTime"] = "yesterday" },
		"5 ":        func(g *graph) { delete(g.get("./"), "conformsTo") },
		"6 ":        func(g *graph) { delete(g.get("workflow/"), "conformsTo") },
		"7a":        func(g *graph) { delete(g.get("./"), "mentions") },
		"7b":        func(g *graph) { delete(action(g), "instrument") },
		"7c":        func(g *graph) { action(g)["object"] = map[string]any{"@id": "#nothing"} },
		"8, 12, 13": func(g *graph) { g.get("#vetting")["actionStatus"] = "fine" },
		"10":        func(g *graph) { action(g)["result"] = map[string]any{"@id": "#nothing"} },
		"11":        func(g *graph) { action(g)["name"] = "short" },
		"14":        func(g *graph) { g.get("#vetting")["@type"] = "DownloadAction" },
		"15":        func(g *graph) { g.context = "https://w3id.org/ro/crate/1.1/context" },
		"16":        func(g *graph) { g.get("./")["mentions"] = []any{} },
		"B1":        func(g *graph) { delete(g.get("#hotcell"), "provider") },
		"B2":        func(g *graph) { g.get("./")["hasPart"] = []any{} },
		"B3":        func(g *graph) { g.get("#image")["@id"] = "../bagit.txt" },
	}
	for rule, damage := range breaks {
		g := graphOf(t, filepath.Join(bag, "data/ro-crate-metadata.json"))
		damage(g)
		require.True(t, slices.ContainsFunc(g.faults(payload), func(told string) bool { return strings.HasPrefix(told, rule) }), "%s: %v", rule, g.faults(payload))
	}
	require.Len(t, breaks, len((&graph{}).rules(payload)))
}

// TestTheValidatorAcceptsACrate asks the profile's own validator, where it is installed.
func TestTheValidatorAcceptsACrate(t *testing.T) {
	program, err := exec.LookPath("rocrate-validator")
	if err != nil {
		t.Skip("rocrate-validator is not installed (pip install roc-validator): the rules above stand in for it")
	}
	store, id := recorded(t, nil)
	bag, _ := unpacked(t, sourceOf(t, store, id))
	cmd := exec.CommandContext(t.Context(), program, "validate", "--no-interactive", "--profile-identifier", "five-safes-crate", "--requirement-severity", "REQUIRED", "--output-format", "json", filepath.Join(bag, "data"))
	said, err := cmd.Output()
	require.NoError(t, err, "%s", said)
	var answer struct {
		Passed bool `json:"passed"`
	}
	require.NoError(t, json.Unmarshal(said, &answer), "%.200s", said)
	require.True(t, answer.Passed, "%s", said)
}
