"""Measures a model directory with transformers: prints one JSON report, writes the model card.

    python3 resources/model/train/evaluate.py [--model DIR] [--answers F.jsonl] [--card] [--cli build/release/bin/vitrine-cli]

Questions never trained on, by their key facts: paraphrases of the corpus's own and an exam written apart from it;
follow-ups; outside questions declined; small tasks right; stories whole. Perplexity of every exit in float32 and
bf16; acceptance of the exits as drafts. With --cli, the logits of Vitrine's engine beside those of transformers.
"""

import argparse
import json
import math
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import torch  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402

import card  # noqa: E402
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


def draft_cost(config, exit_layer):
    """Bytes of weights that one draft step reads over those of a whole forward: what a small batch costs."""
    head_dim = config.head_dim
    attention = config.hidden_size * head_dim * (2 * config.num_attention_heads + 2 * config.num_key_value_heads)
    layer = attention + 3 * config.hidden_size * config.intermediate_size
    head = config.hidden_size * config.vocab_size
    return (exit_layer * layer + head) / (config.num_hidden_layers * layer + head)


def acceptance(subject, prompts, answers, exits):
    matches = {e: [] for e in exits}
    for prompt, (answer, closed) in zip(prompts, answers):
        said = answer + [EOS] if closed else answer
        logits = subject.logits(torch.tensor([prompt + said], device=subject.device), exits)
        full = logits[subject.layers][0, len(prompt) - 1 : -1].argmax(-1)
        for e in exits:
            matches[e].append((logits[e][0, len(prompt) - 1 : -1].argmax(-1) == full).tolist())
    report = []
    for e in exits:
        cost = draft_cost(subject.model.config, e)
        for length in DRAFT_LENGTHS:
            runs = [run for same in matches[e] for run in accepted_runs(same, length)]
            drafted, taken = sum(d for _, d in runs), sum(a for a, _ in runs)
            by_place = [sum(a > place for a, _ in runs) / max(sum(a >= place and d > place for a, d in runs), 1) for place in range(length)]
            mean = taken / max(len(runs), 1)
            report.append({
                "exit": e, "draft_length": length, "acceptance": round(taken / max(drafted, 1), 4),
                "by_position": [round(p, 4) for p in by_place], "mean_accepted": round(mean, 3), "draft_cost": round(cost, 4),
                "break_even_mean_accepted": round(length * cost, 3), "expected_speedup": round((1 + mean) / (1 + length * cost), 3)})
    return report


def engine_difference(subject, cli, folder, prompts):
    """Largest difference of logits between transformers and Vitrine's engine, float32."""
    worst = 0.0
    for ids in prompts:
        command = [str(cli), "logits", "--model", str(folder), "--dtype", "f32", "--token-ids", ",".join(map(str, ids)), "--json"]
        ours = torch.tensor(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["logits"])
        theirs = subject.logits(torch.tensor([ids], device=subject.device), [])[subject.layers][0].cpu()
        worst = max(worst, float((ours - theirs).abs().max()))
    return worst


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


def words_of(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def overlap(said, wanted):
    """Share of words in common (F1), counted without order."""
    left, right = words_of(said), words_of(wanted)
    common = sum(min(left.count(w), right.count(w)) for w in set(left))
    return 2 * common / max(len(left) + len(right), 1)


def judge(item, answer, closed):
    """Whether one answer is right, by what its kind asks for."""
    low, kind = answer.lower(), item["kind"]
    if not closed:
        return False
    if kind in ("qa", "exam"):
        return all(any(fact in low for fact in group) for group in item["keys"])
    if kind.endswith("outside"):
        return documents.is_decline(answer)
    if kind == "task":
        return words_of(low) in [words_of(right) for right in item["right"]]
    if kind == "followup":
        return any(overlap(answer, right) >= 0.6 for right in item["right"])
    sentences = [s for s in re.split(r"(?<=[.!?])\s+", answer) if len(s) > 20]
    return len(sentences) == len(set(sentences)) and all(word in low for word in item["words"])


def read_items(path, limit):
    items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else documents.evaluation(1)
    if not limit:
        return items
    kinds = {}
    for item in items:
        kinds.setdefault(item["kind"], []).append(item)
    return [item for group in kinds.values() for item in group[:limit]]


def prompt_of(codec, item):
    asked = item["turns"] if "turns" in item else [item["question"]]
    return codec.prompt([("user" if i % 2 == 0 else "assistant", said) for i, said in enumerate(asked)])


def questions(codec, subject, items):
    """Greedy answers and their verdicts: (report, written answers, prompts, answers)."""
    prompts = [prompt_of(codec, item) for item in items]
    answers = subject.answers(prompts)
    tally, written = {}, []
    for item, (ids, closed) in zip(items, answers):
        answer = codec.decode(ids)
        right = judge(item, answer, closed)
        good, total = tally.get(item["kind"], (0, 0))
        tally[item["kind"]] = (good + right, total + 1)
        written.append({**item, "answer": answer, "closed": closed, "verdict": bool(right)})
    report = {kind: {"right": good, "of": total, "share": round(good / total, 4)} for kind, (good, total) in tally.items()}
    return report, written, prompts, answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--questions", type=pathlib.Path, help="default: evaluation.jsonl in the model's directory, else made anew")
    parser.add_argument("--answers", type=pathlib.Path, help="write every question with its answer and verdict here")
    parser.add_argument("--card", action="store_true", help="write the model card (README.md) from training.json and this report")
    parser.add_argument("--cli", type=pathlib.Path, help="vitrine-cli, to compare its logits")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--limit", type=int, default=0, help="at most so many questions of a kind")
    parser.add_argument("--exits", type=int, nargs="+", default=[4, 6])
    options = parser.parse_args()

    codec = Codec(options.model / "tokenizer.model")
    items = read_items(options.questions or options.model / "evaluation.jsonl", options.limit)
    subject = Subject(options.model, options.device, torch.float32)
    tally, written, prompts, answers = questions(codec, subject, items)
    if options.answers:
        options.answers.write_text("".join(json.dumps(w, ensure_ascii=False) + "\n" for w in written), encoding="utf-8")

    held = conversations(codec, 40 if options.limit else 150)
    report = {"questions": tally, "drafts": acceptance(subject, prompts, answers, options.exits),
              "perplexity": {"float32": perplexity(subject, held, options.exits)}}
    if options.cli:
        report["engine_difference"] = engine_difference(subject, options.cli, options.model, prompts[:8])
    report["perplexity"]["bfloat16"] = perplexity(Subject(options.model, options.device, torch.bfloat16), held, options.exits)
    if options.card:
        training = json.loads((options.model / "training.json").read_text(encoding="utf-8"))
        (options.model / "README.md").write_text(card.text(subject.model.config, training, report, written), encoding="utf-8")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
