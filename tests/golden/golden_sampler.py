"""What transformers' own logits processors make of a few rows of logits, stage by stage.

The order is Vitrine's: repetition, presence and frequency penalties, temperature, top-k, top-p, min-p. Presence
and frequency are not in transformers; they are the formula of OpenAI's documentation, over generated tokens only.
"""

import itertools
import json
import random

import torch
import transformers
from transformers import (MinPLogitsWarper, RepetitionPenaltyLogitsProcessor, TemperatureLogitsWarper,
                          TopKLogitsWarper, TopPLogitsWarper)

CASES = 64
MARGIN = 5e-6  # a filter's boundary closer than this would make the case a test of rounding

NEUTRAL = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0, "repetition_penalty": 1.0,
           "presence_penalty": 0.0, "frequency_penalty": 0.0}
CHOICES = {"logits": ["normal", "ties", "peaked", "flat", "equal"],
           "history": ["full", "empty"],
           "temperature": [0.3, 0.7, 1.0, 1.7],
           "top_k": [0, 1, 5, 50, 1000],
           "top_p": [1.0, 0.9, 0.5, 0.01],
           "min_p": [0.0, 0.05, 0.3],
           "repetition_penalty": [1.0, 1.3, 0.8],
           "presence_penalty": [0.0, 0.6, -0.4],
           "frequency_penalty": [0.0, 0.25, -0.3]}


class Unsteady(Exception):
    """Rounding would decide this case."""


def rows():
    generator = torch.Generator().manual_seed(20)
    normal = 2.0 * torch.randn(160, generator=generator)
    normal[[5, 17, 159]] = -float("inf")
    normal[30] = 0.0
    ties = (2.0 * torch.randn(90, generator=generator)).round() / 2.0
    peaked = (1.5 * torch.randn(120, generator=generator)).clamp(-5.0, 5.0)
    peaked[77] = 14.0
    flat = 0.01 * torch.randn(110, generator=generator)
    return {"normal": normal, "ties": ties, "peaked": peaked, "flat": flat, "equal": torch.full((67,), 0.75)}


def history(row, kind):
    """Prompt and generated ids: likely and unlikely ones, some several times, some in both."""
    if kind == "empty":
        return [], []
    order = row.argsort(descending=True).tolist()
    prompt = [order[0], order[3], order[20], order[20], order[-1], 0, order[40]]
    generated = [order[1], order[3], order[1], order[6], order[1], order[50], 2]
    return prompt, generated


def penalized(scores, prompt, generated, options):
    if options["repetition_penalty"] != 1.0 and prompt + generated:
        processor = RepetitionPenaltyLogitsProcessor(penalty=float(options["repetition_penalty"]))
        scores = processor(torch.tensor([prompt + generated], dtype=torch.int64), scores.clone())
    counts = torch.bincount(torch.tensor(generated, dtype=torch.int64), minlength=scores.shape[-1]).to(scores.dtype)
    return (scores - options["presence_penalty"] * (counts > 0).to(scores.dtype)
            - options["frequency_penalty"] * counts)


def chain(row, prompt, generated, options, dtype):
    """[(stage, scores [V])] in Vitrine's order; a filtered token's score is -inf."""
    scores = row.to(dtype).unsqueeze(0)
    ids = torch.tensor([prompt + generated], dtype=torch.int64)  # the warpers do not look at it
    stages = [("logits", scores)]
    stages.append(("penalties", penalized(scores, prompt, generated, options)))
    warpers = [("temperature", TemperatureLogitsWarper(float(options["temperature"]))),
               ("top_k", TopKLogitsWarper(top_k=options["top_k"]) if options["top_k"] > 0 else None),
               ("top_p", TopPLogitsWarper(top_p=float(options["top_p"])) if options["top_p"] < 1.0 else None),
               ("min_p", MinPLogitsWarper(min_p=float(options["min_p"])) if options["min_p"] > 0.0 else None)]
    for name, warper in warpers:
        before = stages[-1][1]
        stages.append((name, warper(ids, before.clone()) if warper else before))
    return [(name, values[0]) for name, values in stages]


def boundary_is_tied(before, after):
    """Whether a filter kept one token and dropped another of the same score; Unsteady when almost the same."""
    kept, dropped = after[torch.isfinite(after)], before[torch.isfinite(before) & ~torch.isfinite(after)]
    if len(dropped) == 0:
        return False
    distance = float(kept.min() - dropped.max())
    if distance != 0.0 and abs(distance) < MARGIN:
        raise Unsteady
    return distance == 0.0


def require_margins(stages, options):
    """No filter's threshold may lie within rounding of a value it is compared with."""
    values = dict(stages)
    if options["top_p"] < 1.0:
        mass = torch.sort(values["top_k"].softmax(-1)).values.cumsum(-1)
        if float((mass - (1.0 - options["top_p"])).abs().min()) < MARGIN:
            raise Unsteady
    if options["min_p"] > 0.0:
        probabilities = values["top_p"].softmax(-1)
        if float((probabilities / probabilities.max() - options["min_p"]).abs().min()) < MARGIN:
            raise Unsteady


def candidates(scores):
    """[[id, probability]] of what is left, most likely first, the smaller id first on a tie."""
    probabilities = scores.softmax(-1).tolist()
    left = [(token, p) for token, p in enumerate(probabilities) if p > 0.0]
    return [[token, float(f"{p:.7g}")] for token, p in sorted(left, key=lambda pair: (-pair[1], pair[0]))]


def make_case(table, choice):
    """One case in full; computed in float64, and refused when float32 would keep other tokens."""
    row = table[choice["logits"]]
    prompt, generated = history(row, choice["history"])
    options = {name: choice[name] for name in NEUTRAL}
    wide = chain(row, prompt, generated, options, torch.float64)
    single = chain(row, prompt, generated, options, torch.float32)
    require_margins(wide, options)
    tied = {}
    for (_, before), (name, after) in itertools.pairwise(wide):
        tied[name] = name in ("top_k", "top_p", "min_p") and boundary_is_tied(before, after)
    if tied["top_k"] or (tied["min_p"] and not tied["top_p"]):
        raise RuntimeError("top-k or min-p parted equal scores")
    ties = tied["top_p"]
    for (name, a), (_, b) in zip(wide, single):
        pa, pb = a.softmax(-1), b.softmax(-1).double()
        if ties and name in ("top_p", "min_p"):
            pa, pb = pa.sort().values, pb.sort().values
        if int((pa > 0).sum()) != int((pb > 0).sum()) or float((pa - pb).abs().max()) > MARGIN:
            raise Unsteady
    return {"logits": choice["logits"], "prompt": prompt, "generated": generated, **options, "ties": ties,
            "stages": [{"name": name, "candidates": candidates(scores)} for name, scores in wide]}


def plan(table):
    """Each knob alone on the ordinary row, then combinations chosen so that all pairs of settings meet early."""
    made, covered, draw = [], set(), random.Random(7)

    def pairs(choice):
        return set(itertools.combinations(sorted((key, str(value)) for key, value in choice.items()), 2))

    def take(choice):
        try:
            made.append(make_case(table, choice))
            covered.update(pairs(choice))
        except Unsteady:
            pass

    plain = {"logits": "normal", "history": "full", **NEUTRAL}
    for key in NEUTRAL:
        for value in CHOICES[key]:
            if value != NEUTRAL[key]:
                take({**plain, key: value})
    for _ in range(10 * CASES):
        if len(made) >= CASES:
            break
        offers = [{key: draw.choice(values) for key, values in CHOICES.items()} for _ in range(40)]
        take(max(offers, key=lambda offer: len(pairs(offer) - covered)))
    return made


def make_sampler(root, command):
    """Writes sampler/expected.json and returns a line about it."""
    table = rows()
    cases = plan(table)
    if len(cases) < CASES:
        raise RuntimeError(f"only {len(cases)} of {CASES} cases were steady")
    for number, case in enumerate(cases):
        case["name"] = f"case {number}"
    head = {"magic": "vitrine-golden", "version": 1, "tolerance": 1e-5, "command": command,
            "transformers": transformers.__version__, "torch": str(torch.__version__),
            "logits": {name: [float(f"{x:.9g}") if x > -float("inf") else None for x in row.tolist()]
                       for name, row in table.items()}}
    directory = root / "sampler"
    directory.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(case, separators=(",", ":"), allow_nan=False) for case in cases)
    text = json.dumps(head, indent=None, allow_nan=False)[:-1] + ',\n"cases": [\n' + lines + "\n]}\n"
    json.loads(text)
    (directory / "expected.json").write_text(text)
    if len(text) > 1_500_000:
        raise RuntimeError(f"expected.json has {len(text)} bytes")
    tied = sum(case["ties"] for case in cases)
    return f"{len(cases)} cases, {tied} with ties at the nucleus' edge, {len(text)} bytes"
