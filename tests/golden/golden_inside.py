"""What transformers says of the inside of a forward: attention maps, and what each exit layer would have said.

Reads the models that golden_models.py made, in float32 with eager attention on one CPU thread.
"""

import torch
import transformers
from safetensors import safe_open
from safetensors.torch import save_file

import golden_models

TOP = 3


@torch.no_grad()
def inside(model, prompt):
    """For each layer l the map [T, T] of head l % heads, and the mean of all heads of the last layer; for each exit,
    0 the embeddings and L the model itself, the TOP most likely tokens [T, TOP] with their probabilities."""
    out = model(input_ids=prompt.unsqueeze(0), output_hidden_states=True, output_attentions=True, use_cache=False)
    tensors = {}
    for layer, attention in enumerate(out.attentions):  # [1, heads, T, T]
        tensors[f"attention.{layer}"] = attention[0, layer % attention.shape[1]].float().contiguous()
    tensors["attention.mean"] = out.attentions[-1][0].float().mean(dim=0).contiguous()
    last = len(out.hidden_states) - 1
    for exit_layer, state in enumerate(out.hidden_states):  # the last one is normed already
        normed = state if exit_layer == last else model.model.norm(state)
        best = torch.softmax(model.lm_head(normed)[0].float(), dim=-1).topk(TOP, dim=-1)
        tensors[f"exit.{exit_layer}.ids"] = best.indices.contiguous()
        tensors[f"exit.{exit_layer}.probabilities"] = best.values.contiguous()
    return tensors


def make_inside(out, models, command):
    made = 0
    for directory in sorted(path for path in models.iterdir() if (path / "expected.safetensors").exists()):
        with safe_open(str(directory / "expected.safetensors"), "pt") as expected:
            prompt = expected.get_tensor("input_ids")
        target = out / "models" / directory.name
        target.mkdir(parents=True, exist_ok=True)
        save_file(inside(golden_models.load(directory), prompt), str(target / "inside.safetensors"),
                  metadata={"magic": "vitrine-golden", "version": "1", "tolerance": "1e-4", "command": command,
                            "model": directory.name, "transformers": transformers.__version__,
                            "torch": str(torch.__version__)})
        made += 1
    return f"{made} models"
