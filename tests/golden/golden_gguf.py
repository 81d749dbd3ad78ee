#!/usr/bin/env python3
"""GGUF files, and what they stand for, made with llama.cpp's own gguf-py.

    PYTHONPATH=llama.cpp/gguf-py python3 tests/golden/golden_gguf.py [--out DIR]

Needs numpy and gguf (github.com/ggml-org/llama.cpp), nothing else and no network. It writes
  gguf/blocks.safetensors      random blocks of every type, byte by byte, and the floats gguf-py decodes them to
  gguf/NAME.gguf               a model of tests/golden/models under its GGUF names, in one type of block
  gguf/NAME.safetensors        its logits, computed here in float64 from the decoded weights

The transformer below is held against transformers' logits of the same models in float32 before it is used.
"""

import argparse
import json
import pathlib

import gguf
import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type

HERE = pathlib.Path(__file__).resolve().parent
COMMAND = "PYTHONPATH=llama.cpp/gguf-py python3 tests/golden/golden_gguf.py"
TYPES = [Type.F16, Type.BF16, Type.Q8_0, Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q5_1, Type.Q4_K, Type.Q5_K, Type.Q6_K,
         Type.IQ4_NL, Type.MXFP4]
# Drawn after all others, so that what those were made of stays.
LATER_TYPES = [Type.Q2_K, Type.Q3_K, Type.IQ4_XS]
HALVES = {Type.Q2_K: [80, 82], Type.Q3_K: [108], Type.Q6_K: [208], Type.Q4_1: [0, 2], Type.Q5_1: [0, 2],
          Type.Q4_K: [0, 2], Type.Q5_K: [0, 2]}
# A type for each, so that every family and every way to stretch RoPE has a file that another program wrote.
MODELS = {"llama3-rope": Type.Q8_0, "llama-linear": Type.BF16, "llama-yarn": Type.Q5_1, "llama-yarn-tuned": Type.F16,
          "qwen2": Type.Q4_0, "qwen3": Type.Q5_0, "mistral": Type.Q4_1}
TOKENS = 24


def write_safetensors(path, tensors, metadata):
    names, header, data = {np.float32: "F32", np.int64: "I64"}, {}, b""
    header["__metadata__"] = {"magic": "vitrine-golden", "version": "1", "command": COMMAND,
                              "tolerance": "1e-4", **metadata}
    for name, array in tensors.items():
        bytes_ = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": names[array.dtype.type], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def read_safetensors(path):
    bytes_ = path.read_bytes()
    length = int.from_bytes(bytes_[:8], "little")
    header = json.loads(bytes_[8:8 + length])
    header.pop("__metadata__", None)
    types = {"F32": np.float32, "I64": np.int64}
    return {name: np.frombuffer(bytes_, types[e["dtype"]], offset=8 + length + e["data_offsets"][0],
                                count=int(np.prod(e["shape"]))).reshape(e["shape"]) for name, e in header.items()}


def random_blocks(kind, count, random):
    """Any bits, but scales that are ordinary numbers."""
    length, size = GGML_QUANT_SIZES[kind]
    if kind in (Type.F16, Type.BF16):
        length = size = 2
        count *= 16
    blocks = random.integers(0, 256, (count, size), dtype=np.uint8)
    if kind == Type.MXFP4:
        blocks[:, 0] = [0, 1, 2, 120, 127, 130, 140, 251][:count] + [127] * (count - 8)
    elif kind == Type.F16:
        blocks[:, 1] &= 0xBB  # no infinities
    elif kind == Type.BF16:
        blocks[:, 1] &= 0xBF
    else:
        for at in HALVES.get(kind, [0]):
            scale = random.uniform(-0.2, 0.2, count).astype(np.float16)
            scale[0] = np.float16(3e-6)  # subnormal
            if kind in LATER_TYPES:
                scale[1:3] = np.float16(65504), np.float16(-65504)  # the largest
            blocks[:, at:at + 2] = scale.view(np.uint8).reshape(count, 2)
    return blocks


def make_blocks(out):
    random = np.random.default_rng(11)
    tensors = {}

    def add(kind, count):
        blocks = random_blocks(kind, count, random)
        tensors[kind.name + ".bytes"] = blocks.reshape(-1).astype(np.int64)
        tensors[kind.name + ".floats"] = gguf.quants.dequantize(blocks.reshape(-1), kind).reshape(-1).astype(np.float32)

    for kind in TYPES:
        add(kind, 4 if GGML_QUANT_SIZES[kind][0] == 256 else 8)
    floats = (random.standard_normal(512) * np.repeat(random.uniform(0.01, 3, 16), 32)).astype(np.float32)
    floats[:32] = 0
    tensors["plain"] = floats
    for kind in (Type.Q8_0, Type.Q4_0):
        tensors[kind.name + ".encoded"] = gguf.quants.quantize(floats, kind).reshape(-1).astype(np.int64)
    for kind in LATER_TYPES:
        add(kind, 6)
    write_safetensors(out / "blocks.safetensors", tensors, {})


# --- a transformer in float64 ---------------------------------------------------------------------------------------

def frequencies(config, factors):
    rope, dim = config["rope_parameters"], config["head_dim"]
    plain = rope["rope_theta"] ** (-np.arange(0, dim, 2) / dim)
    kind = rope["rope_type"]
    if kind == "linear":
        return plain / rope["factor"], 1.0
    if kind == "llama3":
        return plain / factors, 1.0
    if kind != "yarn":
        return plain, 1.0
    original = rope["original_max_position_embeddings"]

    def pair(turns):
        return dim * np.log(original / (turns * 2 * np.pi)) / (2 * np.log(rope["rope_theta"]))

    low, high = pair(rope.get("beta_fast") or 32), pair(rope.get("beta_slow") or 1)
    if rope.get("truncate", True):
        low, high = np.floor(low), np.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    ramp = np.clip((np.arange(dim // 2) - low) / max(high - low, 0.001), 0, 1)
    amplitude = rope.get("attention_factor") or 1 + 0.1 * np.log(rope["factor"])
    return plain * (1 - ramp) + plain / rope["factor"] * ramp, amplitude


def norm(x, weight, eps):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * weight


def logits_of(config, weights, tokens, factors):
    w = {name: value.astype(np.float64) for name, value in weights.items()}
    eps, dim, heads, kv = (config[k] for k in ("rms_norm_eps", "head_dim", "num_attention_heads",
                                               "num_key_value_heads"))
    count = len(tokens)
    by, amplitude = frequencies(config, factors)
    angles = np.arange(count)[:, None] * by
    cos, sin = amplitude * np.cos(angles)[:, None], amplitude * np.sin(angles)[:, None]
    seen = np.tril(np.ones((count, count), bool))
    window = config.get("sliding_window") if config["model_type"] == "mistral" else None
    if window:
        seen &= ~np.tril(np.ones((count, count), bool), -window)

    def turned(x):
        a, b = x[..., :dim // 2], x[..., dim // 2:]
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)

    def project(x, name):
        return x @ w[name + ".weight"].T + w.get(name + ".bias", 0)

    x = w["model.embed_tokens.weight"][tokens]
    for layer in range(config["num_hidden_layers"]):
        p = f"model.layers.{layer}."
        h = norm(x, w[p + "input_layernorm.weight"], eps)
        q, k, v = (project(h, p + f"self_attn.{c}_proj").reshape(count, -1, dim) for c in "qkv")
        if p + "self_attn.q_norm.weight" in w:
            q, k = (norm(y, w[p + f"self_attn.{c}_norm.weight"], eps) for y, c in ((q, "q"), (k, "k")))
        q, k = turned(q), np.repeat(turned(k), heads // kv, 1)
        scores = np.where(seen, np.einsum("qhd,khd->hqk", q, k) / np.sqrt(dim), -np.inf)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        mixed = np.einsum("hqk,khd->qhd", scores, np.repeat(v, heads // kv, 1)).reshape(count, -1)
        x = x + project(mixed, p + "self_attn.o_proj")
        h = norm(x, w[p + "post_attention_layernorm.weight"], eps)
        gate = project(h, p + "mlp.gate_proj")
        x = x + project(gate / (1 + np.exp(-gate)) * project(h, p + "mlp.up_proj"), p + "mlp.down_proj")
    x = norm(x, w["model.norm.weight"], eps)
    head = "model.embed_tokens.weight" if config["tie_word_embeddings"] else "lm_head.weight"
    return x @ w[head].T


# --- the same model under its GGUF names ----------------------------------------------------------------------------

def llama3_factors(config):
    rope = config["rope_parameters"]
    waves = 2 * np.pi / (rope["rope_theta"] ** (-np.arange(0, config["head_dim"], 2) / config["head_dim"]))
    original, factor = rope["original_max_position_embeddings"], rope["factor"]
    low, high = rope["low_freq_factor"], rope["high_freq_factor"]
    blend = (original / waves - low) / (high - low)
    between = 1 / ((1 - blend) / factor + blend)
    return np.where(waves < original / high, 1, np.where(waves > original / low, factor, between)).astype(np.float32)


def permuted(weight, heads):
    return weight.reshape(heads, 2, weight.shape[0] // heads // 2, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


def write_keys(writer, config, architecture):
    rope = config["rope_parameters"]
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(config["head_dim"])
    writer.add_value_length(config["head_dim"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(rope["rope_theta"])
    writer.add_vocab_size(config["vocab_size"])
    writer.add_tokenizer_model("none")
    if architecture == "llama":
        writer.add_rope_dimension_count(config["head_dim"])
    if config["model_type"] == "mistral":
        writer.add_sliding_window(config["sliding_window"])
    if rope["rope_type"] in ("linear", "yarn"):
        writer.add_rope_scaling_type(gguf.RopeScalingType(rope["rope_type"]))
        writer.add_rope_scaling_factor(rope["factor"])
    if rope["rope_type"] == "yarn":
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
    writer.add_eos_token_id(2)


def make_model(name, kind, out):
    source = HERE / "models" / name
    config = json.loads((source / "config.json").read_text())
    config.setdefault("head_dim", config["hidden_size"] // config["num_attention_heads"])
    architecture = "llama" if config["model_type"] == "mistral" else config["model_type"]
    weights = read_safetensors(source / "model.safetensors")
    expected = read_safetensors(source / "expected.safetensors")
    tokens = expected["input_ids"][:TOKENS]
    rope = config["rope_parameters"]
    factors = llama3_factors(config) if rope["rope_type"] == "llama3" else None
    off = np.abs(logits_of(config, weights, tokens, factors) - expected["logits"][:TOKENS]).max()
    if off > 1e-4:
        raise SystemExit(f"{name}: {off:.1e} away from transformers")
    if rope["rope_type"] == "yarn":
        for key in ("truncate", "attention_factor", "beta_fast", "beta_slow"):  # llama.cpp has its own, always
            rope.pop(key, None)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH_NAMES_INV[architecture] if hasattr(gguf, "MODEL_ARCH_NAMES_INV")
                                     else {v: k for k, v in gguf.MODEL_ARCH_NAMES.items()}[architecture],
                                     config["num_hidden_layers"])
    writer = gguf.GGUFWriter(out / f"{name}.gguf", architecture)
    write_keys(writer, config, architecture)
    writer.add_file_type({Type.F16: 1, Type.BF16: 32, Type.Q8_0: 7, Type.Q4_0: 2, Type.Q4_1: 3, Type.Q5_0: 8,
                          Type.Q5_1: 9}[kind])
    if factors is not None:
        writer.add_tensor("rope_freqs.weight", factors)
    decoded = {}
    for tensor, value in sorted(weights.items()):
        heads = config["num_attention_heads" if "q_proj" in tensor else "num_key_value_heads"]
        stored = permuted(value, heads) if architecture == "llama" and ("q_proj" in tensor or "k_proj" in tensor) else value
        own = kind if value.ndim == 2 and value.shape[1] % GGML_QUANT_SIZES[kind][0] == 0 else Type.F32
        packed = gguf.quants.quantize(np.ascontiguousarray(stored), own)
        writer.add_tensor(names.get_name(tensor, (".weight", ".bias")), packed, raw_dtype=own)
        decoded[tensor] = gguf.quants.dequantize(gguf.quants.quantize(value, own), own).reshape(value.shape)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    logits = logits_of(config, decoded, tokens, factors).astype(np.float32)
    write_safetensors(out / f"{name}.safetensors", {"input_ids": tokens, "logits": logits}, {"type": kind.name})
    print(f"{name} {kind.name}: {off:.1e} away from transformers before quantizing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "gguf")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    make_blocks(out)
    for name, kind in MODELS.items():
        make_model(name, kind, out)


if __name__ == "__main__":
    main()
