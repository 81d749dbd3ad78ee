"""What transformers' TypicalLogitsWarper (locally typical sampling, arXiv 2202.00666) leaves of rows of logits.

Rows of several vocabulary sizes and shapes, each with several masses. A case is kept only when rounding cannot decide
it: no cumulative probability lies at the mass, and no distance to the entropy lies just beyond the last one kept.
"""

import json

import torch
import transformers
from transformers import TypicalLogitsWarper

MARGIN = 5e-6
LEAST_CASES = 150
VOCABULARIES = [2, 5, 17, 61, 160]
MASSES = [0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99]


def rows():
    """{name: logits [V]}, float32."""
    table = {}
    for size in VOCABULARIES:
        generator = torch.Generator().manual_seed(100 + size)
        normal = 2.0 * torch.randn(size, generator=generator)
        table[f"normal {size}"] = normal
        table[f"ties {size}"] = (normal / 2.0).round()
        table[f"flat {size}"] = 0.01 * torch.randn(size, generator=generator)
        peaked = torch.randn(size, generator=generator)
        peaked[size // 2] = 6.0
        table[f"peaked {size}"] = peaked
        if size > 10:
            filtered = normal.clone()
            filtered[[1, 4, size - 1]] = -float("inf")
            table[f"filtered {size}"] = filtered
    return table


def left(row, mass, dtype):
    """Scores [V] after the warper; -inf where it removed a token."""
    scores = row.to(dtype).unsqueeze(0)
    ids = torch.zeros((1, 1), dtype=torch.int64)  # the warper does not look at it
    return TypicalLogitsWarper(mass=mass)(ids, scores.clone())[0]


def is_steady(row, mass):
    """Whether no comparison of the warper's rule is within rounding."""
    logprobs = row.double().log_softmax(-1)
    logprobs = logprobs[torch.isfinite(logprobs)]
    distances = (-logprobs - (-(logprobs.exp() * logprobs).sum())).abs()
    distances, order = distances.sort()
    cumulative = logprobs.exp()[order].cumsum(-1)
    if float((cumulative - mass).abs().min()) < MARGIN:
        # Tokens that tie stay together, so a boundary between two of them decides nothing.
        return False
    last = min(int((cumulative < mass).sum()), len(distances) - 1)
    beyond = (distances - distances[last]).abs()
    same_logit = logprobs[order] == logprobs[order][last]
    return not bool(((beyond < MARGIN) & ~same_logit).any())


def make_case(name, row, mass):
    wide, single = left(row, mass, torch.float64), left(row, mass, torch.float32)
    if not is_steady(row, mass) or not bool((torch.isfinite(wide) == torch.isfinite(single)).all()):
        return None
    probabilities = wide.softmax(-1).tolist()
    kept = sorted(((token, p) for token, p in enumerate(probabilities) if p > 0.0), key=lambda item: (-item[1], item[0]))
    return {"name": f"{name}, {mass}", "logits": name, "mass": mass,
            "candidates": [[token, float(f"{p:.7g}")] for token, p in kept]}


def make_typical(root, command):
    """Writes sampler/typical.json and returns a line about it."""
    table = rows()
    cases = [make_case(name, row, mass) for name, row in table.items() for mass in MASSES]
    tried, cases = len(cases), [case for case in cases if case is not None]
    if len(cases) < LEAST_CASES:
        raise RuntimeError(f"only {len(cases)} of {tried} cases are steady")
    head = {"magic": "vitrine-golden", "version": 1, "tolerance": 1e-5, "command": command,
            "transformers": transformers.__version__, "torch": str(torch.__version__),
            "logits": {name: [float(f"{x:.9g}") if x > -float("inf") else None for x in row.tolist()]
                       for name, row in table.items()}}
    lines = ",\n".join(json.dumps(case, separators=(",", ":"), allow_nan=False) for case in cases)
    text = json.dumps(head, allow_nan=False)[:-1] + ',\n"cases": [\n' + lines + "\n]}\n"
    json.loads(text)
    directory = root / "sampler"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "typical.json").write_text(text)
    dropped = sum(len(case["candidates"]) < sum(x is not None for x in head["logits"][case["logits"]])
                  for case in cases)
    return f"{len(cases)} of {tried} cases, {dropped} of which remove tokens, {len(text)} bytes"
