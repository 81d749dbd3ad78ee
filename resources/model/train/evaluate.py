"""Measures an exported model directory with transformers and prints one JSON report.

    python3 resources/model/train/evaluate.py --model DIR [--answers F.jsonl] [--device cuda|cpu]

Perplexity of every exit in float32 and bf16; acceptance of the exits as drafts; held-out questions by their key
facts; outside questions declined; small tasks right; stories whole. The answers file is for reading by eye.
"""

import argparse
import json
import math
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import torch  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402

from corpus import documents  # noqa: E402
from text import EOS, Codec  # noqa: E402

DRAFT_LENGTHS = range(1, 7)


class Subject:
    """The model under test: exit logits and greedy answers."""

    def __init__(self, folder, device, dtype):
        self.device = device
        self.model = AutoModelForCausalLM.from_pretrained(str(folder), dtype=dtype).to(device).eval()
        self.layers = self.model.config.num_hidden_layers

    @torch.no_grad()
    def logits(self, ids, exits):
        """{exit: logits}; the last exit is the full depth. Hidden state n is the one after n layers."""
        out = self.model(ids, output_hidden_states=True)
        found = {self.layers: out.logits.float()}
        for exit_layer in exits:
            hidden = self.model.model.norm(out.hidden_states[exit_layer])
            found[exit_layer] = self.model.lm_head(hidden).float()
        return found

    @torch.no_grad()
    def answers(self, prompts, longest=400, batch=96):
        """Greedy continuations without the closing mark, and whether each was closed."""
        found = []
        for start in range(0, len(prompts), batch):
            part = prompts[start : start + batch]
            width = max(map(len, part))
            ids = torch.tensor([[EOS] * (width - len(p)) + p for p in part], device=self.device)
            mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in part], device=self.device)
            out = self.model.generate(ids, attention_mask=mask, max_new_tokens=longest, do_sample=False, pad_token_id=EOS,
                                      temperature=None, top_p=None)
            for row in out[:, width:].tolist():
                found.append((row[: row.index(EOS)], True) if EOS in row else (row, False))
        return found


def perplexity(subject, sequences, exits):
    """Per exit, over the answers' tokens of held-out conversations (ids, first answer position)."""
    sums, count = dict.fromkeys([*exits, subject.layers], 0.0), 0
    for ids, wanted in sequences:
        tensor = torch.tensor([ids], device=subject.device)
        mask = torch.tensor(wanted[1:], device=subject.device)
        for exit_layer, logits in subject.logits(tensor, exits).items():
            loss = torch.nn.functional.cross_entropy(logits[0, :-1], tensor[0, 1:], reduction="none")
            sums[exit_layer] += float(loss[mask].sum())
        count += int(mask.sum())
    return {e: round(math.exp(total / max(count, 1)), 4) for e, total in sorted(sums.items())}


def accepted_runs(same, length):
    """Lengths of the accepted drafts when `length` tokens are drafted each time.

    While a draft is right its context is the real one, so agreement at every position of the full model's own
    greedy text decides every draft exactly: no draft needs to be run.
    """
    at, runs = 0, []
    while at < len(same):
        run = 0
        while run < length and at + run < len(same) and same[at + run]:
            run += 1
        runs.append((run, min(length, len(same) - at)))
        at += run + 1
    return runs


def acceptance(subject, prompts, answers, exits):
    matches = {e: [] for e in exits}
    for prompt, (answer, closed) in zip(prompts, answers):
        said = answer + [EOS] if closed else answer
        logits = subject.logits(torch.tensor([prompt + said], device=subject.device), exits)
        full = logits[subject.layers][0, len(prompt) - 1 : -1].argmax(-1)
        for e in exits:
            matches[e].append((logits[e][0, len(prompt) - 1 : -1].argmax(-1) == full).tolist())
    report = {}
    for e in exits:
        for length in DRAFT_LENGTHS:
            runs = [run for same in matches[e] for run in accepted_runs(same, length)]
            drafted, taken = sum(d for _, d in runs), sum(a for a, _ in runs)
            by_place = [sum(a > place for a, _ in runs) / max(sum(a >= place and d > place for a, d in runs), 1) for place in range(length)]
            mean = taken / max(len(runs), 1)
            report[f"exit {e}, K={length}"] = {
                "acceptance": round(taken / max(drafted, 1), 4), "by_position": [round(p, 4) for p in by_place],
                "mean_accepted": round(mean, 3), "break_even_acceptance": round(e / subject.layers, 4),
                "expected_speedup": round((1 + mean) / (1 + length * e / subject.layers), 3)}
    return report


def conversations(codec, count):
    """Held-out conversations: ids and which positions are answers."""
    rng, found = random.Random("evaluation/conversations"), []
    while len(found) < count:
        document = documents.document(rng)
        if isinstance(document, str):
            continue
        ids, wanted = [1], [False]
        for index, (role, text) in enumerate(document):
            turn = ([codec.newline] if index else []) + codec.turn(role, text)
            head = 2 + (1 if index else 0)
            ids += turn
            wanted += [role == "assistant" and place >= head for place in range(len(turn))]
        if len(ids) <= 1024:
            found.append((ids, wanted))
    return found


def judge(item, answer, closed):
    """Whether one answer is right, by what its kind asks for."""
    low = answer.lower()
    if item["kind"] == "qa":
        return closed and all(any(fact in low for fact in group) for group in item["keys"])
    if item["kind"] == "outside":
        return closed and documents.is_decline(answer)
    if item["kind"] == "task":
        return closed and " ".join(re.findall(r"[a-z0-9]+", low)) in [
            " ".join(re.findall(r"[a-z0-9]+", right.lower())) for right in item["right"]]
    sentences = [s for s in re.split(r"(?<=[.!?])\s+", answer) if len(s) > 20]
    return closed and len(sentences) == len(set(sentences)) and all(word in low for word in item["words"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--questions", type=pathlib.Path, help="default: evaluation.jsonl in the model's directory, else made anew")
    parser.add_argument("--answers", type=pathlib.Path, help="write every question with its answer and verdict here")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--limit", type=int, default=0, help="at most so many questions of a kind")
    parser.add_argument("--exits", type=int, nargs="+", default=[4, 6])
    options = parser.parse_args()

    codec = Codec(options.model / "tokenizer.model")
    questions = options.questions or options.model / "evaluation.jsonl"
    if questions.exists():
        items = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    else:
        items = documents.evaluation(1)
    if options.limit:
        kinds = {}
        for item in items:
            kinds.setdefault(item["kind"], []).append(item)
        items = [item for group in kinds.values() for item in group[: options.limit]]

    subject = Subject(options.model, options.device, torch.float32)
    prompts = [codec.prompt([("user", item["question"])]) for item in items]
    answers = subject.answers(prompts)
    tally, written = {}, []
    for item, (ids, closed) in zip(items, answers):
        answer = codec.decode(ids)
        right = judge(item, answer, closed)
        good, total = tally.get(item["kind"], (0, 0))
        tally[item["kind"]] = (good + right, total + 1)
        written.append({**item, "answer": answer, "closed": closed, "verdict": bool(right)})
    if options.answers:
        options.answers.write_text("".join(json.dumps(w, ensure_ascii=False) + "\n" for w in written), encoding="utf-8")

    held = conversations(codec, 40 if options.limit else 150)
    report = {"questions": {kind: {"right": good, "of": total, "share": round(good / total, 4)} for kind, (good, total) in tally.items()},
              "perplexity": {"float32": perplexity(subject, held, options.exits)},
              "drafts": acceptance(subject, prompts, answers, options.exits)}
    report["perplexity"]["bfloat16"] = perplexity(Subject(options.model, options.device, torch.bfloat16), held, options.exits)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
