"""Beam search as transformers' generate() does it, over the small golden models: sequences and their scores.

A case is kept only when small noise on the scores changes none of its sequences: another engine's rounding must not
decide it either. End tokens are chosen among those the model writes, so that answers do end.
"""

import hashlib
import json
import random

import torch
import transformers
from transformers import GenerationConfig, LogitsProcessor, LogitsProcessorList

from golden_models import load

MODELS = ["llama", "llama-tied", "qwen2", "qwen2-sliding", "qwen3", "mistral"]
CASES_PER_MODEL = 10
LEAST_CASES = 40
ATTEMPTS = 40
NOISE = 5e-5
NOISES = 3
TOLERANCE = 1e-4

WIDTHS = [1, 2, 3, 4, 5, 8, 16]
LENGTH_PENALTIES = [-1.0, 0.0, 0.5, 1.0, 2.0]
EARLY_STOPPING = [True, False, "never"]
REPETITION_PENALTIES = [1.0, 1.0, 1.3]
END_TOKENS = [1, 2, 1, 3, 0]


class Noise(LogitsProcessor):
    """Stands last in the chain, where in a beam search the scores are logprobs."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)

    def __call__(self, input_ids, scores):
        return scores + NOISE * torch.randn(scores.shape, generator=self.generator, dtype=scores.dtype)


def digest(directory):
    """Of a model's weights, so that a test distinguishes a stale golden from a wrong engine."""
    sha = hashlib.sha256()
    for path in sorted(directory.glob("*.safetensors")):
        if path.name not in ("expected.safetensors", "inside.safetensors"):
            sha.update(path.read_bytes())
    return sha.hexdigest()


def config_of(case, use_cache):
    """A whole GenerationConfig, so that nothing is taken over from the model's own."""
    options = dict(do_sample=False, num_beams=case["num_beams"], num_return_sequences=case["num_return_sequences"],
                   max_new_tokens=case["max_new_tokens"], repetition_penalty=case["repetition_penalty"],
                   eos_token_id=case["eos_token_ids"] or None, pad_token_id=0, use_cache=use_cache,
                   return_dict_in_generate=True, output_scores=True)
    if case["num_beams"] > 1:
        options.update(length_penalty=case["length_penalty"], early_stopping=case["early_stopping"])
    return GenerationConfig(**options)


@torch.no_grad()
def generate(model, case, noise_seed=None):
    """The sequences, without prompt and padding, and their scores; no scores for a width of 1."""
    prompt = torch.tensor([case["prompt"]], dtype=torch.int64)

    def run(use_cache):
        model.generation_config = config_of(case, use_cache)
        more = {} if noise_seed is None else {"logits_processor": LogitsProcessorList([Noise(noise_seed)])}
        return model.generate(prompt, attention_mask=torch.ones_like(prompt), **more)

    try:
        out = run(True)
    except Exception:  # some caches cannot reorder their beams; everything computed again can
        out = run(False)
    sequences = []
    for row in out.sequences[:, prompt.shape[1]:].tolist():
        row = row[:case["max_new_tokens"]]
        ends = [i for i, token in enumerate(row) if token in case["eos_token_ids"]]
        sequences.append(row[:ends[0] + 1] if ends else row)
    scores = getattr(out, "sequences_scores", None)
    return sequences, None if scores is None else [float(score) for score in scores]


@torch.no_grad()
def score_of(model, case, tokens):
    """The same score from one forward over prompt and answer, by the documented formula."""
    prompt = case["prompt"]
    logits = model(input_ids=torch.tensor([prompt + tokens], dtype=torch.int64), use_cache=False).logits[0].float()
    total = 0.0
    for i, token in enumerate(tokens):
        row = torch.log_softmax(logits[len(prompt) - 1 + i], dim=-1)
        penalised = case["num_beams"] > 1 and token in prompt + tokens[:i]
        total += float(row[token]) * (case["repetition_penalty"] if penalised else 1.0)
    return total / len(tokens) ** case["length_penalty"]


def draw_case(model, name, index, number, attempt):
    rng = random.Random(f"{name} {number} {attempt}")
    width = WIDTHS[(number + index) % len(WIDTHS)]
    case = {"name": f"{name} {number}", "model": name,
            "prompt": [rng.randrange(3, model.config.vocab_size) for _ in range(rng.randrange(2, 24))],
            "num_beams": width, "num_return_sequences": 1 if width == 1 else rng.randrange(1, width + 1),
            "length_penalty": LENGTH_PENALTIES[(3 * number + index) % len(LENGTH_PENALTIES)],
            "early_stopping": EARLY_STOPPING[(number + 2 * index) % len(EARLY_STOPPING)],
            "repetition_penalty": 1.0 if width == 1 else REPETITION_PENALTIES[(number // 2) % 3],
            "max_new_tokens": rng.choice([5, 12, 20]), "eos_token_ids": []}
    wanted = END_TOKENS[(number + index) % len(END_TOKENS)]
    if wanted:
        written = generate(model, case)[0]
        early = [token for row in written for token in row[:case["max_new_tokens"] // 2 + 1]]
        rng.shuffle(early)
        case["eos_token_ids"] = list(dict.fromkeys(early))[:wanted]
    return case


def make_case(model, name, index, number):
    """The first draw that is steady and, where it has end tokens, ends by one; None when none is."""
    for attempt in range(ATTEMPTS):
        case = draw_case(model, name, index, number, attempt)
        sequences, scores = generate(model, case)
        if any(generate(model, case, seed)[0] != sequences for seed in range(1, NOISES + 1)):
            continue
        ends = sum(row[-1] in case["eos_token_ids"] for row in sequences)
        if case["eos_token_ids"] and not ends:
            continue
        recomputed = [score_of(model, case, row) for row in sequences]
        case.update(sequences=sequences, sequences_scores=recomputed if scores is None else scores)
        off = max(abs(a - b) for a, b in zip(case["sequences_scores"], recomputed))
        return case, off
    return None


def make_beams(root, models, command):
    """Writes beams/expected.json from the models in `models` and returns a line about it."""
    cases, digests, worst, failures = [], {}, 0.0, []
    for index, name in enumerate(MODELS):
        model = load(models / name)
        digests[name] = digest(models / name)
        for number in range(CASES_PER_MODEL):
            try:
                made = make_case(model, name, index, number)
            except Exception as error:  # one case must not cost the others
                failures.append(f"{name} {number}: {error!r}")
                continue
            if made is not None:
                cases.append(made[0])
                worst = max(worst, made[1])
    for failure in failures:
        print(f"beams: left out {failure}", flush=True)
    head = {"magic": "vitrine-golden", "version": 1, "tolerance": TOLERANCE, "command": command,
            "transformers": transformers.__version__, "torch": str(torch.__version__), "noise": NOISE,
            "worst_against_formula": worst, "weights_sha256": digests}
    lines = ",\n".join(json.dumps(case, separators=(",", ":"), allow_nan=False) for case in cases)
    directory = root / "beams"
    directory.mkdir(parents=True, exist_ok=True)
    text = json.dumps(head, allow_nan=False)[:-1] + ',\n"cases": [\n' + lines + "\n]}\n"
    (directory / "expected.json").write_text(text)
    ended = sum(row[-1] in case["eos_token_ids"] for case in cases for row in case["sequences"])
    early = sum(len(row) < case["max_new_tokens"] for case in cases for row in case["sequences"])
    about = (f"{len(cases)} cases, {ended} answers with an end token, {early} shorter than asked, "
             f"formula off by {worst:.1e}")
    if len(cases) < LEAST_CASES or {case["num_beams"] for case in cases} != set(WIDTHS):
        raise RuntimeError(f"too few cases: {about}")
    return about
