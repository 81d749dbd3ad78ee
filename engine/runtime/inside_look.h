// InsideLook: collects an InsideReport while a forward runs.
//
// The forward may come in chunks; each passes all layers before the next one begins. Requires options that
// fit the model and the tokens. Thread: the engine's. Read next: models/decoder.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "execution/model_runner.h"
#include "vitrine/inside.h"

namespace vitrine {

class InsideLook {
 public:
  InsideLook(ModelRunner& runner, const InsideOptions& options, int tokens);

  int layers() const { return m_layers; }  // that must be computed, from the first on
  // For the runner; refers to this object. Each layer calls `passed` with the layers done of all.
  LayerObserver observer(std::function<void(int done, int of)> passed);
  InsideReport take() { return std::move(m_report); }

 private:
  void takeHidden(int layer, const TensorView& hidden);  // [rows, hidden], of the chunk's tokens
  void takeNorms(int layer);
  void takeExits(int layer, const TensorView& hidden);
  void takeAttention(const TensorView& qkv);
  void addHead(int head, int row);  // of the chunk's row

  ModelRunner& m_runner;
  const ModelConfig& m_config;
  const InsideOptions m_options;
  const int m_tokens, m_layers;
  InsideReport m_report;
  int m_first = 0, m_rows = 0;  // the chunk's tokens: positions m_first .. m_first + m_rows - 1
  std::vector<float> m_hidden;  // [m_rows, hidden]
  std::vector<float> m_logits;  // of some rows
  std::vector<float> m_qkv;     // [m_rows, (heads + 2 kvHeads) headDim]
  std::vector<float> m_keys;    // [tokens so far, kvHeads headDim]
  std::vector<float> m_scores;  // of one query
  std::vector<std::int32_t> m_picked;
};

}  // namespace vitrine
