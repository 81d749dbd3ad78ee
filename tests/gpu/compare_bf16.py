#!/usr/bin/env python3
"""How far bfloat16 logits are from float32 ones: ours, and those of transformers with its two ways to attend.

For each golden model: the root mean square of the differences over all logits of its prompt, and the largest. Rounding to
bfloat16 moves every logit; ours should be no further away than those of transformers are. Needs torch with CUDA and
transformers, and vitrine-cli built by tests/gpu/run.

    python3 tests/gpu/compare_bf16.py [VITRINE_CLI]
"""

import json
import pathlib
import subprocess
import sys

import torch
from safetensors import safe_open
from transformers import AutoModelForCausalLM
from transformers.utils import logging

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests" / "golden" / "models"


def of_transformers(folder, ids, dtype, attention):
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation=attention)
    with torch.no_grad():
        return model.cuda().eval()(torch.tensor([ids]).cuda()).logits[0].float().cpu()


def of_vitrine(program, folder, ids):
    command = [program, "logits", "--model", folder, "--device", "cuda", "--dtype", "bf16", "--json"]
    answer = subprocess.run(
        [*map(str, command), "--token-ids", ",".join(map(str, ids))], capture_output=True, text=True, check=True
    )
    return torch.tensor(json.loads(answer.stdout)["logits"])


def apart(some, others):
    difference = (some - others).abs()
    return f"{difference.pow(2).mean().sqrt().item():8.4f} {difference.max().item():7.4f}"


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "gpu" / "bin" / "vitrine-cli"
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    print(f"{'mean and largest difference':24} {'eager':>16} {'sdpa':>16} {'eager to sdpa':>16} {'ours':>16}")
    for folder in sorted(MODELS.iterdir()):
        with safe_open(folder / "expected.safetensors", "pt") as expected:
            ids = expected.get_tensor("input_ids").reshape(-1).tolist()
        exact = of_transformers(folder, ids, torch.float32, "eager")
        eager = of_transformers(folder, ids, torch.bfloat16, "eager")
        sdpa = of_transformers(folder, ids, torch.bfloat16, "sdpa")
        ours = of_vitrine(program, folder, ids)
        columns = [apart(eager, exact), apart(sdpa, exact), apart(eager, sdpa), apart(ours, exact)]
        print(f"{folder.name:24} " + " ".join(columns), flush=True)


if __name__ == "__main__":
    main()
