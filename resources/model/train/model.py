"""The decoder as the trainer sees it: Llama's arithmetic with one stacked tensor for each kind of weight.

Stacking (layers, out, in) lets the optimiser work on all layers at once; `hf_tensors` splits the stacks
into the names Hugging Face reads. Early exits share the final norm and the head (LayerSkip, arXiv 2404.16710).
"""

import dataclasses
import math

import torch
import torch.nn.functional as F
from torch import nn


@dataclasses.dataclass(frozen=True)
class Shape:
    vocab: int = 6144
    hidden: int = 256
    layers: int = 12
    heads: int = 8
    kv_heads: int = 2
    head_dim: int = 32
    inner: int = 768
    context: int = 1024
    theta: float = 10000.0
    eps: float = 1e-5
    exits: tuple = (4, 6)


def rms_norm(x, gain, eps):
    wide = x.float()
    wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
    return (wide * gain.float()).to(x.dtype)


def rotate(x, cos, sin):
    """Rotary embedding on (batch, heads, positions, head_dim), halves paired as Hugging Face does."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


def block(x, cos, sin, keep, norm1, wq, wk, wv, wo, norm2, wg, wu, wd, heads: int, kv_heads: int, eps: float):
    """One layer. `keep` (batch, 1, 1) is 0 for the sequences that skip it (layer dropout)."""
    batch, length, _ = x.shape
    h = rms_norm(x, norm1, eps)
    q = F.linear(h, wq).view(batch, length, heads, -1).transpose(1, 2)
    k = F.linear(h, wk).view(batch, length, kv_heads, -1).transpose(1, 2)
    v = F.linear(h, wv).view(batch, length, kv_heads, -1).transpose(1, 2)
    q, k = rotate(q, cos, sin), rotate(k, cos, sin)
    group = heads // kv_heads
    k = k.repeat_interleave(group, dim=1)
    v = v.repeat_interleave(group, dim=1)
    attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + keep * F.linear(attended.transpose(1, 2).reshape(batch, length, -1), wo)
    h = rms_norm(x, norm2, eps)
    return x + keep * F.linear(F.silu(F.linear(h, wg)) * F.linear(h, wu), wd)


def head(x, gain, embedding, eps: float):
    return F.linear(rms_norm(x, gain, eps), embedding).float()


def answer_loss(x, gain, embedding, targets, weights, eps: float):
    """Weighted cross entropy of the next token."""
    logits = head(x, gain, embedding, eps)
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return (loss * weights.flatten()).sum() / weights.sum()


def exit_losses(x, x_exit, gain, embedding, targets, weights, from_full, eps: float):
    """The loss of the full depth and that of one exit.

    The exit learns from the text at first and later (`from_full` towards 1) from the whole model's own
    distribution: a draft is good when it says what the full model will say.
    """
    logits = head(x, gain, embedding, eps).flatten(0, 1)
    loss = F.cross_entropy(logits, targets.flatten(), reduction="none")
    early = torch.log_softmax(head(x_exit, gain, embedding, eps).flatten(0, 1), dim=-1)
    soft = -(torch.softmax(logits.detach(), dim=-1) * early).sum(-1)
    hard = -early.gather(1, targets.flatten()[:, None])[:, 0]
    early_loss = from_full * soft + (1.0 - from_full) * hard
    flat = weights.flatten()
    total = flat.sum()
    return (loss * flat).sum() / total, (early_loss * flat).sum() / total


class Decoder(nn.Module):
    MATRICES = ("wq", "wk", "wv", "wo", "wg", "wu", "wd")

    def __init__(self, shape):
        super().__init__()
        s = self.shape = shape
        wide, narrow = s.heads * s.head_dim, s.kv_heads * s.head_dim

        def stack(out, inp, scale):
            return nn.Parameter(torch.randn(s.layers, out, inp) * scale)

        small = 0.04 / math.sqrt(2 * s.layers)
        self.embedding = nn.Parameter(torch.randn(s.vocab, s.hidden) * 0.02)
        self.norm1 = nn.Parameter(torch.ones(s.layers, s.hidden))
        self.norm2 = nn.Parameter(torch.ones(s.layers, s.hidden))
        self.norm = nn.Parameter(torch.ones(s.hidden))
        self.wq = stack(wide, s.hidden, 0.04)
        self.wk = stack(narrow, s.hidden, 0.04)
        self.wv = stack(narrow, s.hidden, 0.04)
        self.wo = stack(s.hidden, wide, small)
        self.wg = stack(s.inner, s.hidden, 0.04)
        self.wu = stack(s.inner, s.hidden, 0.04)
        self.wd = stack(s.hidden, s.inner, small)
        inverse = s.theta ** (-torch.arange(0, s.head_dim, 2).float() / s.head_dim)
        angle = torch.outer(torch.arange(s.context).float(), inverse)
        angle = torch.cat((angle, angle), dim=-1)
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)
        self.run_block = block

    def hidden_states(self, ids, dtype, keep=None, wanted=()):
        """The last hidden state, before the final norm, and those after the `wanted` layers."""
        s = self.shape
        length = ids.shape[1]
        cos, sin = self.cos[:length].to(dtype), self.sin[:length].to(dtype)
        stacks = [self.norm1.unbind(0)]
        stacks += [getattr(self, name).to(dtype).unbind(0) for name in ("wq", "wk", "wv", "wo")]
        stacks += [self.norm2.unbind(0)]
        stacks += [getattr(self, name).to(dtype).unbind(0) for name in ("wg", "wu", "wd")]
        x = F.embedding(ids, self.embedding).to(dtype)
        whole = torch.ones(ids.shape[0], 1, 1, dtype=dtype, device=ids.device)
        kept = {}
        for layer, weights in enumerate(zip(*stacks)):
            x = self.run_block(x, cos, sin, whole if keep is None else keep[layer], *weights, s.heads, s.kv_heads, s.eps)
            if layer + 1 in wanted:
                kept[layer + 1] = x
        return x, kept

    def logits(self, ids, dtype=torch.float32, exit_layer=None):
        x, kept = self.hidden_states(ids, dtype, wanted=(exit_layer,) if exit_layer else ())
        return head(kept[exit_layer] if exit_layer else x, self.norm, self.embedding.to(dtype), self.shape.eps)

    def hf_tensors(self):
        """The weights under the names Hugging Face reads, bf16."""
        names = {"wq": "self_attn.q_proj", "wk": "self_attn.k_proj", "wv": "self_attn.v_proj", "wo": "self_attn.o_proj",
                 "wg": "mlp.gate_proj", "wu": "mlp.up_proj", "wd": "mlp.down_proj",
                 "norm1": "input_layernorm", "norm2": "post_attention_layernorm"}
        found = {"model.embed_tokens.weight": self.embedding, "model.norm.weight": self.norm}
        for layer in range(self.shape.layers):
            for ours, theirs in names.items():
                found[f"model.layers.{layer}.{theirs}.weight"] = getattr(self, ours)[layer]
        return {name: t.detach().to(torch.bfloat16).contiguous().cpu().clone() for name, t in found.items()}
