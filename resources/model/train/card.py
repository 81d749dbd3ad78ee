"""The model card and its loss curve, drawn as a small SVG without any library."""

import math


def _path(points, to_x, to_y):
    return " ".join(f"{'M' if i == 0 else 'L'}{to_x(x):.1f} {to_y(y):.1f}" for i, (x, y) in enumerate(points))


def _thin(points, most=220):
    stride = max(1, len(points) // most)
    return points[::stride] + points[-1:]


def loss_curve(history):
    """Training loss over tokens, and the held-out answers' loss at full depth and at the exits."""
    width, height, left, right, top, bottom = 760, 380, 60, 20, 30, 50
    lines = {"training": [(h["tokens"] / 1e6, h["loss"]) for h in history]}
    for h in history:
        for name, value in h.get("held_out", {}).items():
            lines.setdefault(f"held-out, {name}", []).append((h["tokens"] / 1e6, value))
    values = [y for points in lines.values() for _, y in points]
    x_top = max(x for points in lines.values() for x, _ in points)
    low, high = max(min(values) * 0.9, 1e-3), max(values)

    def to_x(x):
        return left + (width - left - right) * x / x_top

    def to_y(y):
        share = (math.log(max(y, low)) - math.log(low)) / max(math.log(high) - math.log(low), 1e-9)
        return height - bottom - (height - top - bottom) * share

    colours = ["#999999", "#0072B2", "#D55E00", "#009E73", "#CC79A7"]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for tick in (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 8):
        if low <= tick <= high:
            parts.append(f'<path d="M{left} {to_y(tick):.1f}H{width - right}" stroke="#dddddd"/>'
                         f'<text x="{left - 8}" y="{to_y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for n in range(6):
        x = x_top * n / 5
        parts.append(f'<text x="{to_x(x):.1f}" y="{height - bottom + 18}" text-anchor="middle">{x:.0f}</text>')
    parts.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">million tokens</text>')
    parts.append(f'<text x="{left}" y="18">loss (nats per token, logarithmic)</text>')
    for index, (name, points) in enumerate(lines.items()):
        colour = colours[index % len(colours)]
        parts.append(f'<path d="{_path(_thin(points), to_x, to_y)}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        parts.append(f'<text x="{width - right - 150}" y="{top + 14 + 16 * index}" fill="{colour}">{name}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def _questions_table(report):
    names = {"qa": "held-out paraphrases of the corpus's questions", "exam": "an exam written apart from the corpus",
             "followup": "follow-ups (why? an example? shorter?)", "outside": "questions outside its subject, declined",
             "exam, outside": "outside questions of the exam, declined", "task": "small tasks, exactly right", "story": "stories, whole and without a repeated sentence"}
    rows = [f"| {names.get(kind, kind)} | {r['right']} of {r['of']} | {r['share']:.1%} |" for kind, r in report["questions"].items()]
    return "\n".join(["| asked, never in training, answered greedily | right | share |", "|---|---|---|", *rows])


def _perplexity_table(report, layers):
    single, half = report["perplexity"]["float32"], report["perplexity"]["bfloat16"]
    rows = [f"| {'full depth' if e == layers else f'exit after layer {e}'} | {single[e]:.4f} | {half[e]:.4f} |" for e in sorted(single)]
    return "\n".join(["| depth | float32 | bf16 |", "|---|---|---|", *rows])


def _drafts_table(report):
    rows = [f"| {d['exit']} | {d['draft_length']} | {d['acceptance']:.1%} | {' '.join(f'{p:.1%}' for p in d['by_position'])} | {d['mean_accepted']:.2f} "
            f"| {d['break_even_mean_accepted']:.2f} | {d['expected_speedup']:.2f} |" for d in report["drafts"]]
    return "\n".join(["| exit | K | accepted | by position | mean accepted | to break even | tokens per unit of cost |", "|---|---|---|---|---|---|---|", *rows])


def _fifty(written):
    exam = [w for w in written if w["kind"] == "exam"] or [w for w in written if w["kind"] == "qa"]
    picked = exam[:: max(1, len(exam) // 50)][:50]
    return "\n".join(f"{n}. **{w['question']}** {w['answer']}" + ("" if w["verdict"] else " *(misses a key fact)*") for n, w in enumerate(picked, 1))


def text(config, training, report, written):
    """The card; `training` is training.json, `report` and `written` come from evaluate.py."""
    c = config
    return f"""---
license: gpl-3.0-or-later
language: en
library_name: transformers
pipeline_tag: text-generation
---

# Vitrine's built-in model

A Llama of {training["parameters"] / 1e6:.1f} million parameters that chats in plain English, knows
the subject the program teaches (how a language model is served), and is trained so that its own early layers
are a good draft for speculative decoding.

| | |
|---|---|
| shape | {c.num_hidden_layers} layers, hidden {c.hidden_size}, {c.num_attention_heads} query heads on {c.num_key_value_heads} KV heads, head {c.head_dim}, MLP {c.intermediate_size}, context {c.max_position_embeddings} |
| weights | bf16, tied embeddings, {training["bytes"] / 1e6:.1f} MB |
| tokenizer | SentencePiece BPE, {c.vocab_size} pieces, byte fallback, digits apart |
| chat format | Zephyr after `<s>`: `<|user|>` newline text `</s>` newline `<|assistant|>` newline |
| data | {training["entries"]} question-and-answer entries written by hand, asked in {training["questions"]} ways, with small talk, tasks, stories and questions to decline: {training["corpus_tokens"] / 1e6:.0f} M tokens from the generator in `train/corpus`; every sentence written for this program, nothing downloaded |
| training | {training["tokens"] / 1e6:.0f} M tokens in {training["minutes"]:.1f} minutes on one GPU, {training["optimizer"]}, seed {training["seed"]} |
| early exit | trained with an early-exit loss and layer dropout (LayerSkip, arXiv 2404.16710); recommended exit after layer {training["exit_layer"]} |
| licence | GPL-3.0-or-later |

![Loss curves](loss.svg)

## What it can do

- Answer questions about LLM inference: tokens, attention, the KV cache and its blocks, prefix sharing, batching, prefill
  and decode, scheduling, preemption, sampling, beams, speculation, quantization, GPUs, latency, and this program's views and keys.
- Short follow-ups: "why?", "give an example", "shorter, please".
- Greetings and small talk, simple instructions (count, list, spell, small sums, opposites, weekdays), riddles, short poems and stories.

## What it cannot do

It knows nothing of the world: people, places, news, medicine, law, prices. It is trained to say so, and sometimes fails to.
It does not reason, translate, write programs or remember earlier conversations. It reads English alone. It can be wrong about
its own subject too: take it as an exhibit, not as a reference.

## Measured

`python3 resources/model/train/evaluate.py` repeats all of this from the shipped files.

{_questions_table(report)}

An answer is right when it names its entry's key facts and ends by itself.

Perplexity of the answers in held-out conversations:

{_perplexity_table(report, c.num_hidden_layers)}

The exits as drafts of K tokens, greedy, over the answers above. "To break even" is the mean number of accepted tokens
at which drafting costs what it saves, when a forward costs the bytes of weights it reads; what it costs on a real machine,
`vitrine-cli bench speculative` measures.

{_drafts_table(report)}

## Fifty answers

Every n-th question of the exam with the model's greedy answer.

{_fifty(written)}

## How it was made

`python3 resources/model/train/train.py --out DIR`; `evaluate.py` beside it measures the result. The generator is
deterministic for a seed; the GPU's rounding is not, so two runs give two slightly different models.
"""
