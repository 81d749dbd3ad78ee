"""What transformers computes with the built-in model: kept small, for its vocabulary is large."""

import hashlib
import pathlib

import torch
from safetensors.torch import save_file

from golden_models import GREEDY_TOKENS, NEEDED_GAP, forward, greedy_cached, greedy_recomputed, load, metadata

PROMPT_TOKENS = 64
SEEDS_TRIED = 12
ROWS_KEPT = 8


def digest(model_directory):
    """Of all weight files: a test can then tell a stale golden from a wrong engine."""
    sha = hashlib.sha256()
    for path in sorted(pathlib.Path(model_directory).glob("*.safetensors")):
        sha.update(path.read_bytes())
    return sha.hexdigest()


def choose_prompt(model):
    """Random ids are hard on a trained model; of a few prompts, the one that greedy decoding is surest about."""
    best = None
    for seed in range(1, SEEDS_TRIED + 1):
        generator = torch.Generator().manual_seed(seed)
        prompt = torch.randint(0, model.config.vocab_size, (PROMPT_TOKENS,), generator=generator)
        run = greedy_cached(model, prompt)
        if best is None or run[1] > best[1][1]:
            best = (prompt, run)
    return best


def make_builtin(model_directory, root):
    """Writes builtin/expected.safetensors and returns a line about it."""
    model = load(model_directory)
    if model.config.max_position_embeddings < PROMPT_TOKENS + GREEDY_TOKENS:
        raise RuntimeError(f"the context is shorter than {PROMPT_TOKENS + GREEDY_TOKENS} tokens")
    prompt, cached = choose_prompt(model)
    recomputed = greedy_recomputed(model, prompt)
    logits, _ = forward(model, prompt)
    directory = root / "builtin"
    directory.mkdir(parents=True, exist_ok=True)
    runs = (recomputed, cached)
    save_file({"input_ids": prompt, "logits_last": logits[-ROWS_KEPT:].contiguous().clone(),
               "argmax": logits.argmax(dim=-1), "greedy": torch.tensor(recomputed[0], dtype=torch.int64)},
              str(directory / "expected.safetensors"),
              metadata=metadata("builtin", runs, weights_sha256=digest(model_directory)))
    gap = min(recomputed[1], cached[1])
    if recomputed[0] != cached[0] or not gap > NEEDED_GAP:
        raise RuntimeError(f"greedy decoding comes too close to a tie ({gap}), or differs with a cache")
    return f"gap {gap:.4f}"
