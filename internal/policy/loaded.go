package policy

import (
	"bytes"
	"sync"
)

// loaded is what was loaded of the policies that a catalog has served. The file is read
// each time, because its bytes decide; what is not done again is to parse and to check
// what was found good, which costs a hundred times as much as the reading. It may be
// used concurrently.
type loaded struct {
	mu       sync.Mutex
	policies map[string]loadedPolicy // one for each name
}

type loadedPolicy struct {
	source []byte
	policy Policy // nobody else has it
}

// load is the function load, for a name that the catalog has.
func (l *loaded) load(name string, source []byte) (Policy, error) {
	l.mu.Lock()
	found, ok := l.policies[name]
	l.mu.Unlock()
	if ok && bytes.Equal(found.source, source) {
		return found.policy.Clone(), nil
	}
	made, err := load(name, source)
	if err != nil {
		return made, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.policies == nil {
		l.policies = map[string]loadedPolicy{}
	}
	l.policies[name] = loadedPolicy{bytes.Clone(source), made.Clone()}
	return made, nil
}
