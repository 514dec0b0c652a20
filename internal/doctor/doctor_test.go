package doctor

import (
	"errors"
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

func TestAVersionFallsInItsKnownBadRanges(t *testing.T) {
	advisories, err := knownAdvisories()
	require.NoError(t, err)
	for _, test := range []struct {
		component, version string
		has, hasNot        []string
	}{
		{"runc", "1.1.5+ds1", []string{"CVE-2024-21626", "CVE-2025-31133", "CVE-2026-41579"}, []string{"CVE-2023-27561", "CVE-2019-5736"}},
		{"runc", "1.0.0-rc92", []string{"CVE-2021-30465"}, []string{"CVE-2024-21626", "CVE-2019-5736"}},
		{"runc", "1.2.8", []string{"CVE-2026-41579"}, []string{"CVE-2025-31133"}},
		{"runc", "1.3.2", []string{"CVE-2025-31133"}, nil},
		{"runc", "1.4.0-rc.2", []string{"CVE-2025-31133"}, nil},
		{"runc", "1.4.3", nil, []string{"CVE-2025-31133", "CVE-2026-41579"}},
		{"crun", "1.8.1", []string{"CVE-2026-88264"}, []string{"CVE-2022-27650"}},
		{"crun", "1.30", nil, []string{"CVE-2026-88264"}},
		{"docker", "19.03.0", []string{"CVE-2019-14271"}, nil},
		{"docker", "20.10.24+dfsg1", []string{"CVE-2024-24557"}, []string{"CVE-2022-36109"}},
		{"containerd", "1.6.20~ds1-1+deb12u3", []string{"CVE-2024-25621"}, []string{"CVE-2020-15257"}},
		{"linux", "6.18.44-fc-v445", nil, []string{"CVE-2026-31431", "CVE-2024-1086"}},
		{"linux", "5.15.0-91-generic", []string{"CVE-2022-0847", "CVE-2026-31431"}, []string{"CVE-2024-1"}},
		{"libseccomp", "2.5.4", nil, []string{"CVE-2019-9893"}},
		{"go", "go1.26.8", nil, []string{"CVE-2026-39822"}},
		{"go", "go1.26.4", []string{"CVE-2026-39822"}, []string{"CVE-2025-22873"}},
	} {
		t.Run(test.component+" "+test.version, func(t *testing.T) {
			var ids []string
			for _, finding := range findings([]container.Component{{Name: test.component, Version: test.version}}, advisories) {
				ids = append(ids, finding.ID)
			}
			require.Subset(t, ids, test.has)
			for _, id := range test.hasNot {
				require.NotContains(t, ids, id)
			}
		})
	}
}

func TestADistributionsVersionIsToldFromUpstreams(t *testing.T) {
	for _, version := range []string{"1.1.5+ds1", "1.6.20~ds1-1+deb12u3", "5.15.0-91-generic", "6.1.0-18-amd64", "1.3.0-0ubuntu2~24.04.1"} {
		require.True(t, packaged(version), version)
	}
	for _, version := range []string{"1.3.3", "1.4.0-rc.2", "go1.26.8", "2.5.4"} {
		require.False(t, packaged(version), version)
	}
}

func TestBadAdvisoriesAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"unknown key":       "- {id: A, component: runc, title: t, here: h, affected: [{before: 1.0.0}], more: 1}",
		"missing field":     "- {id: A, component: runc, title: t, affected: [{before: 1.0.0}]}",
		"no interval":       "- {id: A, component: runc, title: t, here: h, affected: []}",
		"not a version":     "- {id: A, component: runc, title: t, here: h, affected: [{before: soon}]}",
		"reversed interval": "- {id: A, component: runc, title: t, here: h, affected: [{from: 1.2.0, before: 1.1.0}]}",
		"no end":            "- {id: A, component: runc, title: t, here: h, affected: [{from: 1.2.0}]}",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseAdvisories([]byte(text))
			require.Error(t, err)
		})
	}
}

func TestEveryControlHasARemedy(t *testing.T) {
	for _, name := range container.Controls() {
		require.NotEmpty(t, remedies[name], name)
	}
	require.Len(t, remedies, len(container.Controls()))
	common := container.Host{Engine: "oci", Runtime: "crun 1.21"}
	for _, special := range []struct {
		host container.Host
		own  map[string]string
	}{
		{container.Host{Engine: "docker", Runtime: "runc on Docker 26.1"}, dockerRemedies},
		{container.Host{Engine: "oci", Runtime: "runsc 0.0~20221219.0"}, sentryRemedies},
	} {
		for name := range special.own {
			require.Contains(t, remedies, name)
			require.NotEqual(t, remedy(common, name), remedy(special.host, name))
		}
	}
}

func TestExamineTellsUsableEnginesFromOthers(t *testing.T) {
	report, err := Examine([]Probed{
		{Name: "oci", Host: container.Host{
			Runtime: "runc 1.1.5", Kernel: "6.18.44", Components: []container.Component{{Name: "runc", Version: "1.1.5"}},
			Controls: []job.Control{{Name: container.ControlSeccomp, Active: true}, {Name: container.ControlUserNamespace, Detail: "EPERM"}},
		}},
		{Name: "docker", Err: errors.New("docker is not answering")},
	}, []container.Component{{Name: "go", Version: "devel"}}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{container.ControlUserNamespace}, report.Engines[0].Inactive())
	require.Equal(t, "EPERM", report.Engines[0].Controls[1].Detail)
	require.NotEmpty(t, report.Engines[0].Controls[1].Remedy)
	require.Empty(t, report.Engines[0].Controls[0].Remedy)
	require.Equal(t, Engine{Name: "docker", Reason: "docker is not answering", Controls: []Control{}}, report.Engines[1])
	require.Equal(t, []Component{
		{container.Component{Name: "go", Version: "devel"}, false},
		{container.Component{Name: "linux", Version: "6.18.44"}, true},
		{container.Component{Name: "runc", Version: "1.1.5"}, true},
	}, report.Components)
	require.NotEmpty(t, report.Findings)
}

func TestSettingsAreJudged(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }
	weak := fstest.MapFS{
		"sys/fs/cgroup/memory/tasks":                        file(""),
		"proc/sys/kernel/core_pattern":                      file("|/usr/bin/apport"),
		"proc/sys/kernel/kptr_restrict":                     file("0"),
		"proc/sys/fs/suid_dumpable":                         file("1"),
		"sys/devices/system/cpu/smt/active":                 file("1"),
		"proc/swaps":                                        file("Filename\n/dev/sda2"),
		"sys/devices/system/cpu/vulnerabilities/mds":        file("Vulnerable: no microcode"),
		"sys/devices/system/cpu/vulnerabilities/spectre_v2": file("Mitigation: Retpolines"),
		"proc/sys/kernel/dmesg_restrict":                    file("1"),
		"proc/sys/kernel/unprivileged_bpf_disabled":         file("2"),
		"sys/kernel/security/lsm":                           file("capability,apparmor"),
		"etc/passwd":                                        file("root:x:0:0::/:/bin/sh\nnonroot:x:65532:65532::/:/bin/sh"),
	}
	settings, err := Settings(weak)
	require.NoError(t, err)
	advised := map[string]bool{}
	for _, setting := range settings {
		advised[setting.Name] = setting.Advice != ""
	}
	require.Equal(t, map[string]bool{
		"cgroup": true, "lsm": false, "kernel.core_pattern": true, "kernel.dmesg_restrict": false, "kernel.kptr_restrict": true, "fs.suid_dumpable": true,
		"kernel.unprivileged_bpf_disabled": false, "smt": true, "swap": true, "cpu_vulnerabilities": true, "uid 65532": true,
	}, advised)
}

func TestSettingsOfThisHostCanBeRead(t *testing.T) {
	settings, err := Settings(os.DirFS("/"))
	require.NoError(t, err)
	require.NotEmpty(t, settings)
}

func TestCoveredIsWhatTheAdvisoriesName(t *testing.T) {
	advisories, err := knownAdvisories()
	require.NoError(t, err)
	named := map[string]bool{}
	for _, advisory := range advisories {
		named[advisory.Component] = true
	}
	require.Len(t, named, len(Covered()))
	for _, component := range Covered() {
		require.True(t, named[component], component)
	}
}
