// Terms of the glossary: what a model is made of, and what limits it. Internal to glossary.cpp. Thread: any.
#pragma once

#include "prose/glossary_term.h"
#include "prose/speaker.h"

namespace vitrine::prose {

class ModelTerms : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using Speaker::Speaker;

  std::vector<Term> terms() const {
    return {
        term(tr("arithmetic intensity"), tr("arithmetic intensity|flop/byte"),
             tr("Operations for each byte read: left of the ridge of the roofline memory limits an "
                "operation, right of it arithmetic does."),
             {"", "", ""}),
        term(tr("attention"), tr("attention"),
             tr("For each token, a weighted sum over the values of the tokens before it: the weights say "
                "where the token looks."),
             {"Attention Is All You Need, arXiv 1706.03762", "https://arxiv.org/abs/1706.03762", ""}),
        term(tr("attention sink"), tr("attention sink|attention sinks|sink|sinks"),
             tr("The first tokens of a text, which attention leans on whatever they say; a context that "
                "evicts keeps them."),
             {"StreamingLLM, arXiv 2309.17453", "https://arxiv.org/abs/2309.17453", "long-context-sinks"}),
        term(tr("bandwidth"), tr("bandwidth|gb/s"),
             tr("Bytes that can be read from memory in a second; a step of decode reads every weight."),
             {"", "", ""}),
        term(
            tr("early exit"), tr("early exit|exit layer"),
            tr("Stopping after the first layers of a model: their guess is cheap, and may serve as a draft."),
            {"LayerSkip, arXiv 2404.16710", "https://arxiv.org/abs/2404.16710", "speculation-pays"}),
        term(tr("embedding"), tr("embedding|embeddings|embed"),
             tr("The vector that stands for a token at the input of the first layer."), {"", "", ""}),
        term(tr("forward pass"), tr("forward pass|forward"),
             tr("One run of a batch through all layers of the model."), {"", "", ""}),
        term(tr("gate-up"), tr("gate-up"),
             tr("The two matrices that widen the hidden state inside a layer; one of them gates the other."),
             {"SwiGLU, arXiv 2002.05202", "https://arxiv.org/abs/2002.05202", ""}),
        term(tr("GFLOP/s"), tr("gflop/s|gflops"),
             tr("Billions of floating-point operations a second; a multiply-add counts two."), {"", "", ""}),
        term(tr("head"), tr("head|heads"),
             tr("One of the attentions that a layer computes side by side; also the last matrix, which turns "
                "a hidden state into logits."),
             {"", "", ""}),
        term(tr("heavy hitter"), tr("heavy hitter|heavy hitters"),
             tr("A token that has received much attention; a context that evicts by score keeps it."),
             {"H2O, arXiv 2306.14048", "https://arxiv.org/abs/2306.14048", ""}),
        term(tr("hidden state"), tr("hidden state|hidden states"),
             tr("The vector that a token has between two layers: its embedding, and what each layer has "
                "added to it."),
             {"", "", ""}),
        term(tr("KV cache"), tr("kv cache|kv memory|kv"),
             tr("The keys and values of the tokens computed so far, kept so that no later step computes them "
                "again."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "one-request"}),
        term(tr("layer"), tr("layer|layers"),
             tr("One of the equal stages of the model: attention, then a small network, each adding to the "
                "hidden state."),
             {"", "", ""}),
        term(tr("logit"), tr("logit|logits"),
             tr("The model's raw number for a token; the softmax of all of them gives probabilities."),
             {"", "", ""}),
        term(tr("logit lens"), tr("logit lens"),
             tr("What the model would say if it ended after a layer: the final norm and the head over that "
                "layer's states."),
             {"Tuned lens, arXiv 2303.08112", "https://arxiv.org/abs/2303.08112", ""}),
        term(tr("norm"), tr("norm|norms"),
             tr("The length of a vector; before each part of a layer, the hidden state is scaled to one "
                "length."),
             {"RMSNorm, arXiv 1910.07467", "https://arxiv.org/abs/1910.07467", ""}),
        term(tr("position"), tr("position|positions"),
             tr("The place of a token in its sequence, counted from 0."), {"", "", ""}),
        term(tr("q k v"), tr("q k v"),
             tr("The matrices that make of a hidden state a query, a key and a value, with which attention "
                "compares tokens."),
             {"Attention Is All You Need, arXiv 1706.03762", "https://arxiv.org/abs/1706.03762", ""}),
        term(tr("quantization"), tr("quantization|quantized|int8|int4"),
             tr("Weights as small integers with a scale for each group, so that a step reads fewer bytes."),
             {"LLM.int8(), arXiv 2208.07339", "https://arxiv.org/abs/2208.07339", ""}),
        term(tr("roofline"), tr("roofline"),
             tr("The most that a machine allows an operation: its bandwidth, or its arithmetic, whichever "
                "ends first."),
             {"Roofline, CACM 52(4)", "https://doi.org/10.1145/1498765.1498785", ""}),
        term(tr("rotary"), tr("rotary|rope"),
             tr("Queries and keys are turned by angles that grow with the position, so that attention sees "
                "distances."),
             {"RoFormer, arXiv 2104.09864", "https://arxiv.org/abs/2104.09864", ""}),
        term(tr("token"), tr("token|tokens"),
             tr("A piece of text that the model reads and writes as one: a word, a part of it, or a sign."),
             {"", "", ""}),
    };
  }
};

}  // namespace vitrine::prose
