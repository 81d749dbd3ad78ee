"""Muon for the matrices, AdamW for embedding and norms.

Muon replaces a matrix's momentum by the nearest orthogonal matrix, found by five Newton-Schulz iterations
(Jordan et al. 2024); the factor 0.2 sqrt(max side) gives its steps the size AdamW's have (arXiv 2502.16982).
"""

import math

import torch


def orthogonalised(stack, iterations=5):
    """(count, rows, columns) with rows <= columns: each matrix with its singular values moved to about one."""
    x = stack.bfloat16()
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(iterations):
        gram = x @ x.mT
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * (gram @ gram)) @ x
    return x


class Muon:
    def __init__(self, stacks, weight_decay=0.1, momentum=0.95):
        self.stacks, self.weight_decay, self.momentum = list(stacks), weight_decay, momentum
        self.buffers = [torch.zeros_like(p) for p in self.stacks]
        self.groups = {}
        for index, p in enumerate(self.stacks):
            rows, columns = p.shape[-2:]
            self.groups.setdefault((min(rows, columns), max(rows, columns)), []).append(index)

    @torch.no_grad()
    def step(self, rate):
        for (_, long_side), members in self.groups.items():
            pending = []
            for index in members:
                p, buffer = self.stacks[index], self.buffers[index]
                buffer.lerp_(p.grad, 1 - self.momentum)
                update = p.grad.lerp(buffer, self.momentum)
                pending.append(update.mT if p.shape[-2] > p.shape[-1] else update)
            done = orthogonalised(torch.cat(pending)).float()
            for index, update in zip(members, done.split([len(u) for u in pending])):
                p = self.stacks[index]
                update = update.mT if p.shape[-2] > p.shape[-1] else update
                p.mul_(1 - rate * self.weight_decay)
                p.add_(update, alpha=-rate * 0.2 * math.sqrt(long_side))


class Both:
    """One optimiser out of two: Muon for the stacks, AdamW for the rest."""

    def __init__(self, model, kind, rate):
        stacks = [getattr(model, name) for name in model.MATRICES]
        rest = [model.embedding, model.norm1, model.norm2, model.norm]
        self.rate, self.muon, on_gpu = rate, None, model.embedding.is_cuda
        groups = [{"params": rest, "weight_decay": 0.0}]
        if kind == "muon":
            self.muon = Muon(stacks)
        else:
            groups.append({"params": stacks, "weight_decay": 0.1})
        self.adam = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.95), eps=1e-10, fused=on_gpu)

    def step(self, factor):
        """`factor` is the schedule's share of the top rate, 0 to 1."""
        for group in self.adam.param_groups:
            group["lr"] = self.rate * factor
        self.adam.step()
        if self.muon:
            self.muon.step(2.0 * self.rate * factor)
        self.adam.zero_grad(set_to_none=True)
        if self.muon:
            for p in self.muon.stacks:
                p.grad = None
