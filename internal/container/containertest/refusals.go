package containertest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

func refusalTests() []subtest {
	absent := digest.Of([]byte("nobody has this"))
	tests := []subtest{
		{"a control that is inactive and not optional", inactiveControl},
		{"no id", noID},
		{"limits that are tightened to more", looserRefused},
		{"an unknown runtime is the caller's mistake", unknownRuntime},
	}
	for _, test := range []struct {
		name   string
		change func(*container.Spec)
	}{
		{"an image that is not a digest", func(s *container.Spec) { s.Image = "debian:trixie" }},
		{"an image that is not here", func(s *container.Spec) { s.Image = absent }},
		{"a bundle that is not a digest", func(s *container.Spec) { s.Bundle = "../../etc" }},
		{"a bundle that is not here", func(s *container.Spec) { s.Bundle = absent }},
		{"no command", func(s *container.Spec) { s.Command = nil }},
		{"a command that is not absolute", func(s *container.Spec) { s.Command = []string{"python3"} }},
		{"no environment", func(s *container.Spec) { s.Environment = nil }},
		{"no PATH", func(s *container.Spec) { s.Environment = []string{"HOME=/"} }},
		{"no HOME", func(s *container.Spec) { s.Environment = []string{"PATH=/usr/bin"} }},
		{"a variable without a value", func(s *container.Spec) { s.Environment = append(s.Environment, "HOSTNAME") }},
		{"a variable that ends early", func(s *container.Spec) { s.Environment = append(s.Environment, "A=a\x00") }},
		{"a variable that appears twice", func(s *container.Spec) { s.Environment = append(s.Environment, "HOME=/tmp") }},
		{"no seccomp profile", func(s *container.Spec) { s.Seccomp = nil }},
		{"an optional control that does not exist", func(s *container.Spec) { s.Optional = append(s.Optional, "luck") }},
		{"a limit of zero", func(s *container.Spec) { s.Limits.MemoryBytes = 0 }},
		{"no limits at all", func(s *container.Spec) { s.Limits = job.Limits{} }},
	} {
		tests = append(tests, subtest{test.name, refused(test.change)})
	}
	return tests
}

func refused(change func(*container.Spec)) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		spec := h.spec(t, Behaviour{Name: ExitWith})
		spec.Optional = slices.Clone(spec.Optional)
		change(&spec)
		require.Error(t, refusal(t, h, h.New(t), spec))
	}
}

// noID would give the sandbox the name of what is above all of them.
func noID(t *testing.T, h Harness) {
	sandbox, err := h.New(t).Create(t.Context(), container.ID{}, h.spec(t, Behaviour{Name: ExitWith}))
	require.ErrorContains(t, err, "parse sandbox id")
	require.Nil(t, sandbox)
}

func unknownRuntime(t *testing.T, h Harness) {
	for _, name := range []string{"no-such-runtime", "../../bin/true", "/usr/bin/crun"} {
		engine := h.New(t)
		_, err := engine.Probe(t.Context(), name)
		require.ErrorIs(t, err, container.ErrUnknownRuntime, name)
		spec := h.spec(t, Behaviour{Name: ExitWith})
		spec.Runtime = name
		require.ErrorIs(t, refusal(t, h, engine, spec), container.ErrUnknownRuntime, name)
	}
}

// refusal requires that Create leaves nothing when it refuses.
func refusal(t *testing.T, h Harness, engine container.Engine, spec container.Spec) error {
	t.Helper()
	id := container.NewID()
	sandbox, err := engine.Create(t.Context(), id, spec)
	if err == nil {
		require.NoError(t, sandbox.Destroy(t.Context()))
		return nil
	}
	require.Nil(t, sandbox)
	requireNothingLeft(t, h, id)
	return err
}

func inactiveControl(t *testing.T, h Harness) {
	if h.Lacking != nil {
		engine, spec, control := h.Lacking(t)
		err := refusal(t, h, engine, spec)
		require.ErrorContains(t, err, control)
		require.ErrorContains(t, err, container.WayOut(control))
		return
	}
	engine := h.New(t)
	host, err := engine.Probe(t.Context(), h.Spec(t).Runtime)
	require.NoError(t, err)
	for _, control := range host.Inactive() {
		spec := h.spec(t, Behaviour{Name: ExitWith})
		spec.Optional = slices.DeleteFunc(container.Controls(), func(name string) bool { return name == control })
		err := refusal(t, h, engine, spec)
		require.ErrorContains(t, err, host.Admit(spec.Optional).Error())
		require.ErrorContains(t, err, control)
	}
}
