package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// mostImports is how many a request may name, and mostFaults how many of them its error names:
// each of those is compared with all that the policy lists.
const (
	mostImports = 10_000
	mostFaults  = 20
)

// Narrowed is p with no other imports than these, each of which p must list; nil changes
// nothing. What p preloads stays. It changes no list of p's, and the digest stays: it is
// that of the file.
func (p Policy) Narrowed(imports []string) (Policy, error) {
	if imports == nil {
		return p, nil
	}
	if p.Guard.Mode == GuardOff {
		return Policy{}, fmt.Errorf("policy %s has no guard, which alone could hold the code to a list of imports", p.Name)
	}
	if len(imports) > mostImports {
		return Policy{}, fmt.Errorf("resolve policy %s: a request may name at most %d imports, and this one names %d: the policy has %s", p.Name, mostImports, len(imports), count(len(p.Guard.Imports), "import"))
	}
	own := make(map[string]bool, len(p.Guard.Imports))
	for _, module := range p.Guard.Imports {
		own[module] = true
	}
	var faults []error
	for index, module := range imports {
		if len(faults) == mostFaults {
			faults = append(faults, fmt.Errorf("the other %d imports of the request were not looked at", len(imports)-index))
			break
		}
		if !own[module] {
			faults = append(faults, fmt.Errorf("import %.80q is not among the policy's %s: a request can only tighten%s", module, count(len(p.Guard.Imports), "import"), p.listed(module)))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return Policy{}, fmt.Errorf("resolve policy %s: %w", p.Name, err)
	}
	p.Guard.Imports = slices.Compact(slices.Sorted(slices.Values(imports)))
	return p, nil
}

// listed names what p lists of a module's package.
func (p Policy) listed(module string) string {
	first, _, _ := strings.Cut(module, ".")
	var found []string
	for _, own := range p.Guard.Imports {
		if own == first || strings.HasPrefix(own, first+".") {
			found = append(found, own)
		}
	}
	if len(found) == 0 {
		return ""
	}
	const most = 10
	if len(found) > most {
		found = append(found[:most:most], "…")
	}
	return "; it lists " + strings.Join(found, ", ")
}
