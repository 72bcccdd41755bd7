"""A tiny Llama with random weights, served by vLLM on the CPU: python serve.py FOLDER [DUMP]

prints the tokens that it makes, as JSON. With DUMP, vLLM dumps what torch.compile does there, by depyf. Nothing is
downloaded: the model is a configuration that is written to FOLDER.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
from typing import Any

os.environ.update(
    HF_HUB_OFFLINE="1",
    VLLM_CPU_KVCACHE_SPACE="1",
    VLLM_CPU_OMP_THREADS_BIND="nobind",
    VLLM_DISABLE_COMPILE_CACHE="1",
    VLLM_ENABLE_V1_MULTIPROCESSING="0",
)

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 128,
    "intermediate_size": 256,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "num_hidden_layers": 3,
    "vocab_size": 512,
    "max_position_embeddings": 256,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "torch_dtype": "float32",
}


def compile_as_on_a_gpu() -> None:
    """For CPUs vLLM takes a mode in which it does not call depyf; keep the mode that is asked for."""
    from vllm.config import CompilationMode
    from vllm.platforms.cpu import CpuPlatform

    update = CpuPlatform.check_and_update_config.__func__

    def check_and_update_config(cls: Any, config: Any) -> None:
        update(cls, config)
        config.compilation_config.mode = CompilationMode.VLLM_COMPILE
        config.compilation_config.backend = "inductor"

    CpuPlatform.check_and_update_config = classmethod(check_and_update_config)
    try:
        # Later builds for CPUs lack an operation that this pass looks for.
        from vllm.compilation.passes.utility.fix_functionalization import FixFunctionalizationPass
    except ImportError:
        return
    FixFunctionalizationPass.__call__ = lambda self, graph: None


def main(folder: str, dump: str | None = None) -> None:
    from vllm import LLM, SamplingParams

    compile_as_on_a_gpu()
    pathlib.Path(folder, "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    llm = LLM(
        model=folder,
        load_format="dummy",
        skip_tokenizer_init=True,
        max_model_len=128,
        max_num_seqs=4,
        dtype="float32",
        compilation_config={
            "mode": 3,
            "compile_sizes": [],
            "cudagraph_capture_sizes": [],
            **({"debug_dump_path": dump} if dump else {}),
        },
    )
    prompts = [{"prompt_token_ids": [1, 5, 7, 9]}, {"prompt_token_ids": [1, 8]}]
    out = llm.generate(prompts, SamplingParams(max_tokens=6, temperature=0, detokenize=False))
    print(json.dumps([list(o.outputs[0].token_ids) for o in out]))


if __name__ == "__main__":
    main(*sys.argv[1:])
