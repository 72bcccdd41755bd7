# make demo    install torch, run the toy example under depyf, show the dump folder
# make test    everything that is tested, with its set-up
.PHONY: demo test test-torch fuzz fuzz-foreign fuzz-torch test-models test-vllm facts lint build score clean wheels site vsix

demo:
	@scripts/demo.sh

test:
	@scripts/test.sh

# All tests with torch: make test-torch TORCH="2.4.1:3.12 2.9.1:3.13"
test-torch:
	@TORCH="$(TORCH)" scripts/test.sh torch

# Random programs for the decompiler: what is not proven, shrunk and grouped by cause.
#   make fuzz VERSIONS="3.8 3.12" COUNT=20000 SEED=0 KINDS="grammar mutant skeleton nest samecalls"
fuzz:
	@go run ./tools/fuzz -n "$(or $(COUNT),1000)" -seed "$(or $(SEED),0)" $(if $(VERSIONS),-versions "$(VERSIONS)") $(if $(KINDS),-kinds "$(KINDS)")

# Programs of somebody else's generator: make fuzz-foreign VERSIONS="3.10 3.13" COUNT=300 SEED=0 NODES=900
fuzz-foreign:
	@COUNT="$(COUNT)" SEED="$(SEED)" NODES="$(NODES)" KEEP="$(KEEP)" scripts/foreign.sh $(VERSIONS)

# Random programs for torch.compile: does watching change anything, is every frame proven?
#   make fuzz-torch TORCH="2.6.0:3.12 2.15.0:3.13" COUNT=400 SEED=0 BACKEND=aot_eager KEEP=folder
fuzz-torch:
	@TORCH="$(TORCH)" COUNT="$(COUNT)" SEED="$(SEED)" BACKEND="$(BACKEND)" KEEP="$(KEEP)" scripts/fuzz_torch.sh

# Real models with random weights; takes long, and is not part of test.
test-models:
	@TORCH="$(TORCH)" scripts/models.sh

# vLLM itself, which dumps by depyf, on the CPU; takes some minutes, and is not part of test.
test-vllm:
	@VLLM="$(VLLM)" scripts/vllm.sh

# What the reports say against what torch records: every snippet, three versions of torch.
facts:
	@TORCH="$(TORCH)" scripts/facts.sh

lint:
	@scripts/test.sh lint

build:
	go build -trimpath -o python/depyf/bin/depyf ./cmd/depyf

# The share of exact code objects over every standard library at hand.
score:
	@scripts/score.sh full

# dist/: a wheel for each platform and the sdist.
wheels:
	@scripts/wheels.sh build

# dist/depyf.vsix: the extension for VS Code.
vsix:
	@scripts/vscode.sh build

# dist/site: the documentation as a site.
site:
	@scripts/site.sh

clean:
	rm -rf .venv demo_dump dist python/depyf/bin editors/vscode/node_modules editors/vscode/out
