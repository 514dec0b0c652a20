package container_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// hostLacking has every control but those of lacking, each with the reason.
func hostLacking(lacking map[string]string) container.Host {
	var host container.Host
	for _, name := range container.Controls() {
		detail, lacks := lacking[name]
		host.Controls = append(host.Controls, job.Control{Name: name, Active: !lacks, Detail: detail})
	}
	return host
}

func TestEveryControlThatIsLackingIsRefusedByName(t *testing.T) {
	host := hostLacking(map[string]string{
		container.ControlUserNamespace: "user.max_user_namespaces is 0",
		container.ControlSwapOff:       "swapaccount=0",
		container.ControlAppArmor:      "no apparmor_parser",
	})
	require.Equal(t, []string{container.ControlUserNamespace, container.ControlSwapOff, container.ControlAppArmor}, host.Inactive())
	err := host.Admit(nil)
	require.ErrorContains(t, err, "user_namespace (user.max_user_namespaces is 0)")
	require.ErrorContains(t, err, "memory.swap.max (swapaccount=0): repair that, or name memory.swap.max among the policy's optional_controls")
	require.ErrorContains(t, err, "apparmor (no apparmor_parser): repair that, or take apparmor out of the policy's required_controls")
	require.NotContains(t, err.Error(), "seccomp")
	require.NoError(t, host.Admit([]string{container.ControlUserNamespace, container.ControlSwapOff, container.ControlAppArmor}))
}

func TestAControlThatNothingIsKnownOfIsLacking(t *testing.T) {
	for _, name := range container.Controls() {
		host := hostLacking(nil)
		require.NoError(t, host.Admit(nil))
		host.Controls = slices.DeleteFunc(host.Controls, func(control job.Control) bool { return control.Name == name })
		require.ErrorContains(t, host.Admit(nil), "does not enforce "+name+" (nothing is known of it)")
		require.NoError(t, host.Admit([]string{name}))
	}
}

func TestARefusedControlKeepsItsCause(t *testing.T) {
	cause := errors.New("no such file")
	require.ErrorIs(t, container.Lacking(container.ControlSeccomp, cause), cause)
}

func TestAControlThatIsToldOfTwiceMustBeActiveBothTimes(t *testing.T) {
	for _, first := range []bool{false, true} {
		host := hostLacking(nil)
		host.Controls = append(host.Controls, job.Control{Name: container.ControlSeccomp, Active: !first, Detail: "by another"})
		host.Controls[6].Active = first
		require.Equal(t, container.ControlSeccomp, host.Controls[6].Name)
		require.ErrorContains(t, host.Admit(nil), "does not enforce seccomp", first)
		require.NoError(t, host.Admit([]string{container.ControlSeccomp}))
	}
}

func TestNoNameButTheOwnOneMakesAControlOptional(t *testing.T) {
	host := hostLacking(map[string]string{container.ControlSwapOff: "none"})
	for _, name := range []string{"", "memory.swap.max ", "Memory.swap.max", "memory.swap.max\x00", "memory.max", "*"} {
		require.Error(t, host.Admit([]string{name}), "%q", name)
	}
	misspelt := hostLacking(nil)
	for index, control := range misspelt.Controls {
		if control.Name == container.ControlSwapOff {
			misspelt.Controls[index].Name = "memory.swap.Max"
		}
	}
	require.ErrorContains(t, misspelt.Admit(nil), "nothing is known of it")
}
