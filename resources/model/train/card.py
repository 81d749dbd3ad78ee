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


def text(model, codec, history, corpus_tokens, rates, exit_layer, size, options):
    s = model.shape
    last = next(h for h in reversed(history) if "held_out" in h)
    losses = "\n".join(f"| {name} | {value:.4f} | {math.exp(value):.3f} |" for name, value in last["held_out"].items())
    agree = ", ".join(f"{rate:.1%} at exit {e}" for e, rate in rates.items())
    return f"""---
license: gpl-3.0-or-later
language: en
library_name: transformers
pipeline_tag: text-generation
---

# Vitrine's built-in model

A Llama of {sum(p.numel() for p in model.parameters()) / 1e6:.1f} million parameters that chats in plain English, knows
the subject the program teaches (how a language model is served), and is trained so that its own early layers
are a good draft for speculative decoding.

| | |
|---|---|
| shape | {s.layers} layers, hidden {s.hidden}, {s.heads} query heads on {s.kv_heads} KV heads, head {s.head_dim}, MLP {s.inner}, context {s.context} |
| weights | bf16, tied embeddings, {size / 1e6:.1f} MB |
| tokenizer | SentencePiece BPE, {codec.pieces.get_piece_size()} pieces, byte fallback, digits apart |
| chat format | Zephyr: `<|user|>` newline text `</s>` newline `<|assistant|>` newline |
| data | {corpus_tokens / 1e6:.0f} M tokens from the generator in `train/corpus`: every sentence written for this program, nothing downloaded |
| training | {history[-1]["tokens"] / 1e6:.0f} M tokens in {history[-1]["seconds"] / 60:.1f} minutes on one GPU, {options.optimizer}, seed {options.seed} |
| early exit | trained with an early-exit loss and layer dropout (LayerSkip, arXiv 2404.16710); recommended exit {exit_layer} |
| licence | GPL-3.0-or-later |

![Loss curves](loss.svg)

Held-out answers:

| depth | loss | perplexity |
|---|---|---|
{losses}

The exits' first choice is the full model's on held-out answers: {agree}.

## What it can do

- Answer questions about LLM inference: tokens, attention, the KV cache and its blocks, prefix sharing, batching, prefill
  and decode, scheduling, preemption, sampling, beams, speculation, quantization, GPUs, latency, and this program's views and keys.
- Short follow-ups: "why?", "give an example", "shorter, please".
- Greetings and small talk, simple instructions (count, list, spell, small sums, opposites, weekdays), short stories.

## What it cannot do

It knows nothing of the world: people, places, news, medicine, law, prices. It is trained to say so, and sometimes fails to.
It does not reason, translate, write programs or remember earlier conversations. It reads English alone. It can be wrong about
its own subject too: take it as an exhibit, not as a reference.

## How it was made

`python3 resources/model/train/train.py --out DIR`; `evaluate.py` beside it measures the result. The generator is
deterministic for a seed; the GPU's rounding is not, so two runs give two slightly different models.
"""
