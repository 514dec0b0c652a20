# make            builds bin/runner, as any user; says which packages are missing
# make setup      installs them from Debian (root)
# make demo       sets up this machine and runs a real analysis in a real container
# make image      the image that sandboxes start from
# make test       everything: Go, the guard's Python, the alert rules, both engines, security (root)
# make test-cluster  a Kubernetes of one node, built from Go modules, and what is tested in it (root)
# make test-hosts the same runner on emulated machines of other kinds; CI runs a smoke test of it (root)
# make test-cosign  what is signed, checked by another party's tool, whose build takes minutes (root)
# make test-mcp-inspector  runner mcp and /mcp, asked by another party's client from npm
# make test-integrations  docs/integrations in Slurm, HTCondor, Snakemake, cwltool and Temporal's SDK; TOOLS=slurm for one (root)
# make selftest   tries this host's containment, with reports for CI in out/
# make lint       linters of Go, as any user, and of Python where there is root
# make coverage   what the guard's tests reach, by line and branch (root)
# make vulnerabilities  known ones of the modules and of Go, where the database can be reached
# make cross      bin/runner-arm64 and the image for arm64, made on this machine (root)
# make release    dist/: archives of the runner for three systems and their sums, as any user; CHECK=1 makes them twice
# make package    and Debian packages, bills of materials and container images for amd64 and arm64; RELEASE_KEY=FILE signs the sums
# make test-package  installs, upgrades, removes and purges the package in small Debian systems (root)
# make profile    policies/imports/analysis.yaml: every public submodule of the image's packages (root)
# make benign     every ordinary script and docstring example, with and without the guard (root)
# make bench      runs beside the kernel's floor and plain runtimes, and the guard's cost; half an hour (root)
# make bench-scale  the same by callers, modes, sizes of bundles, numbers of files; 10 minutes (root)
# make bench-service  what the service adds to a warm run (a goal: 2 ms), and many callers and streams; LOAD=10m of them (root)
# make bench-loading  tables of bundles, mapped as they are prepared beside parsed from text; 5 minutes (root)
# make soak       many runs in one engine process, and nothing grows; SOAK=10000 of them (root)
# make fuzz       every fuzz target in turn; FUZZTIME=30 seconds each
# make clean      removes bin/, dist/, out/ and demo/

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

GO ?= go
# Go's own module checksum of the linter is verified by the go command.
GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
FUZZTIME ?= 30
# The directory for the profiles of Go's coverage; neither that nor the guard's is noted without it.
COVERAGE ?=
RUNNER := bin/runner

.PHONY: build setup setup-docker setup-cluster setup-cross setup-hosts setup-package setup-integrations cross image demo test test-go test-guard test-alerts test-cluster test-hosts test-hosts-smoke test-cosign test-mcp-inspector test-integrations selftest lint linter lint-go lint-python vulnerabilities coverage bench bench-scale bench-service bench-loading soak fuzz profile benign release package package-here test-package clean help check-build

# What is named first is done first: setup before build.
.NOTPARALLEL:

# The lines above.
help:
	@sed -n '/^#/!q; s/^# //p' Makefile

setup:
	@scripts/setup.sh

setup-docker:
	@scripts/setup.sh docker

setup-cluster:
	@scripts/setup.sh cluster

setup-cross:
	@scripts/setup.sh cross

setup-package:
	@scripts/setup.sh package

setup-hosts:
	@scripts/setup.sh hosts

setup-integrations:
	@scripts/setup.sh integrations

check-build:
	@GO="$(GO)" scripts/check-build.sh

build: check-build
	@$(GO) build -ldflags "-X main.linkedVersion=$$(scripts/version.sh)" -o $(RUNNER) ./cmd/runner

image: setup build
	@$(RUNNER) image build

cross: setup-cross build
	@scripts/cross-build.sh arm64
	@$(RUNNER) image build --arch arm64

# With CHECK=1 they are made again in another directory, with nothing in Go's build cache.
CHECK ?=
release:
	@GO="$(GO)" scripts/release.sh
	$(if $(CHECK),@GO="$(GO)" scripts/check-release.sh)

package: setup-cross
	@GO="$(GO)" scripts/release.sh
	@GO="$(GO)" scripts/package.sh
	$(if $(CHECK),@GO="$(GO)" scripts/check-release.sh)

# With what is cached it takes a minute beside the building of a release, of which it needs this
# machine's part.
# Sources that git does not know, such as a copy of them, have a version for the test.
test-package package-here: export VERSION := $(or $(VERSION),$(shell scripts/version.sh),v0.0.0)
test-package package-here: export SOURCE_DATE_EPOCH := $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),1767225600)
test-package: setup-package
	@GO="$(GO)" scripts/release.sh linux-amd64
	@work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; openssl genpkey -algorithm ed25519 -out "$$work/release.key"; \
	openssl pkey -in "$$work/release.key" -pubout -out "$$work/release.pub"; \
	GO="$(GO)" RELEASE_KEY="$$work/release.key" scripts/package.sh amd64; RELEASE_PUB="$$work/release.pub" scripts/test-package.sh

package-here: setup-package
	@GO="$(GO)" scripts/release.sh linux-amd64
	@GO="$(GO)" scripts/package.sh amd64

demo: image
	@scripts/demo.sh

test: setup-docker image test-guard test-alerts test-go

# A Mac's binary has the docker engine only, and no C. For arm64 the cross compiler is
# asked for the C that libseccomp brings.
test-go: setup-cross
	$(GO) vet ./...
	scripts/cross-build.sh arm64 vet ./...
	GOOS=darwin CGO_ENABLED=0 $(GO) vet ./cmd/runner
	@GO="$(GO)" scripts/with-docker.sh scripts/test-go.sh $(COVERAGE)

# Building the cluster takes 20 minutes once, or half a minute where Go's build cache has it.
test-cluster: setup-cluster image
	@GO="$(GO)" scripts/test-cluster.sh

# The alert rules, by Prometheus' own tool.
test-alerts:
	@scripts/test-alerts.sh

# With the guard's lines and branches noted it takes longer, so only where it is asked for.
test-guard:
	@scripts/test-guard.sh $(if $(COVERAGE),--coverage)

# Machines with systemd, cgroup v2 and what else this one does not have; HOSTS names
# some of them (go run ./tests/hosts -h). One of another architecture needs runner and
# image for it. The smoke is what each change is tried with.
HOSTS ?=
test-hosts: setup-hosts image $(if $(filter-out bookworm arm64,$(or $(HOSTS),trixie)),package-here) $(if $(filter-out trixie bookworm,$(or $(HOSTS),arm64)),cross)
	@$(GO) run ./tests/hosts $(HOSTS)

test-hosts-smoke: setup-hosts image
	@$(GO) run ./tests/hosts -smoke $(HOSTS)

# What this runner signs, checked by cosign: it takes minutes to build, so only where it is asked
# for. What test-go has openssl check is the same.
test-cosign: image
	@GO="$(GO)" scripts/test-cosign.sh

test-mcp-inspector: check-build
	@GO="$(GO)" scripts/test-mcp-inspector.sh

# Each tool in namespaces of its own. What is fetched once (HTCondor's Debian 13, Temporal's modules)
# is in /var/cache/hotcell.
TOOLS ?=
test-integrations: setup-integrations image
	@tests/integrations/stage.sh $(TOOLS)

# The guard's part needs root, for it runs in the image; CI has it.
lint: lint-go
	@if [ "$$(id -u)" = 0 ]; then $(MAKE) --no-print-directory lint-python; \
	else echo "lint: NOT CHECKED: the guard's Python. That needs root and the image: make lint-python"; fi

# Compiled and not run: it is in Go's caches then.
linter: check-build
	@$(GO) run -exec true $(GOLANGCI_LINT)

lint-go: check-build
	$(GO) run $(GOLANGCI_LINT) run ./...
	$(GO) run -exec "env GOOS=darwin CGO_ENABLED=0" $(GOLANGCI_LINT) run ./cmd/runner/... ./internal/container/docker/...

# Each of the two uses one processor.
lint-python: image
	@GUARD_PROGRAM=check-types.py scripts/test-guard.sh & types=$$!; code=0; \
	GUARD_PROGRAM=check-style.py scripts/test-guard.sh || code=1; \
	wait "$$types" || code=1; exit "$$code"

vulnerabilities:
	@scripts/vulnerabilities.sh

coverage: image
	@scripts/test-guard.sh --coverage

SOAK ?= 10000
soak: setup image
	HOTCELL_REQUIRE_ALL=1 $(GO) test -count=1 -v -timeout 6h -run TestManyRunsInOneEngineProcess ./tests/integration -soak.runs $(SOAK)

# With DOCS=. the tables and plots in README.md and docs/ are replaced. The benchmark is compiled
# first: a compiler that still ends is no idle machine.
DOCS ?=
bench: setup-docker image
	@$(GO) build -o bin/bench ./tests/bench
	@scripts/with-docker.sh bin/bench $(if $(DOCS),-docs $(DOCS))
	@scripts/bench-guard.sh
	@$(MAKE) --no-print-directory bench-service

# By medians of one run, each of the two ways in turn.
bench-service: setup image
	@$(GO) test ./tests/service -count=1 -v -run AtATime -bench WarmRun -benchtime 200x -service.load=$(or $(LOAD),30s) -timeout 60m

bench-scale: setup image
	@$(GO) build -o bin/bench ./tests/bench
	@bin/bench -scale $(if $(DOCS),-docs $(DOCS))

bench-loading: setup image
	@$(GO) build -o bin/bench ./tests/bench
	@bin/bench -loading $(if $(DOCS),-docs $(DOCS))

# Containment on this host, guard off and on.
selftest: image
	@mkdir -p out
	@$(RUNNER) selftest --junit out/selftest.xml --sarif out/selftest.sarif

# Written whole or not at all: the policies are part of the runner.
profile: image
	@GUARD_PROGRAM=tests/profiles.py scripts/test-guard.sh > policies/imports/analysis.yaml.new
	@mv policies/imports/analysis.yaml.new policies/imports/analysis.yaml

# Every ordinary script, and every docstring example of the image's packages; `make test` runs every tenth.
benign: image
	@scripts/benign.sh

# Every fuzz target of the module, one after the other.
fuzz:
	@scripts/fuzz.sh $(FUZZTIME)

clean:
	rm -rf bin dist out demo
