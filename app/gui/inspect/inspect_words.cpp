#include "gui/inspect/inspect_words.h"

#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/wording.h"
#include "widgets/weights/histogram_model.h"
#include "widgets/weights/tensor_table_model.h"

namespace vitrine {
namespace {

QString bitsEach(std::int64_t bytes, std::int64_t weights) {
  const auto each =
      8.0 * static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(weights, 1));
  return Wording::tr("%1 bits a weight").arg(formatDecimal(each, 2));
}

QString parametersText(const InspectedModel& model) {
  const auto count = static_cast<double>(model.parameters);
  return count >= 1e9 ? Wording::tr("%1 billion parameters").arg(formatDecimal(count / 1e9, 2))
                      : Wording::tr("%1 million parameters").arg(formatDecimal(count / 1e6, 2));
}

QString tokenizerText(const InspectedModel& model) {
  const QString vocabulary = Wording::tr("vocabulary of %1").arg(formatCount(model.vocabularySize));
  if (model.tokens == 0) return Wording::tr("%1, no tokenizer").arg(vocabulary);
  return Wording::tr("%1, tokenizer with %2 tokens").arg(vocabulary, formatCount(model.tokens));
}

QString contextText(const InspectedModel& model) {
  const QString length = Wording::tr("context of %1 tokens").arg(formatCount(model.contextLength));
  if (model.slidingWindow <= 0) return length;
  return Wording::tr("%1, attention sees the last %2").arg(length, formatCount(model.slidingWindow));
}

}  // namespace

QString modelTitle(const InspectedModel& model) {
  return model.container == "GGUF"
             ? Wording::tr("%1: %2, in a GGUF file").arg(windowText(model.name), windowText(model.family))
             : Wording::tr("%1: %2, in a folder").arg(windowText(model.name), windowText(model.family));
}

QStringList modelFacts(const InspectedModel& model) {
  return {parametersText(model),
          Wording::tr("%n tensor(s)", nullptr, static_cast<int>(model.tensors.size())),
          Wording::tr("%1, %2").arg(formatBytes(model.bytes), bitsEach(model.bytes, model.parameters)),
          Wording::tr("%n layer(s)", nullptr, model.layers),
          Wording::tr("hidden state of %1 numbers").arg(formatCount(model.hiddenSize)),
          Wording::tr("%1 heads over %2 KV heads of %3 each")
              .arg(formatCount(model.heads), formatCount(model.kvHeads), formatCount(model.headDim)),
          Wording::tr("MLP of %1").arg(formatCount(model.intermediateSize)),
          tokenizerText(model),
          contextText(model),
          Wording::tr("RoPE: %1").arg(windowText(model.rope)),
          model.tiedEmbeddings ? Wording::tr("tied embeddings: one table for the first and the last step")
                               : Wording::tr("embedding and head are two tables"),
          Wording::tr("chat format: %1").arg(windowText(model.chatFormat))};
}

QString memoryText(const InspectedModel& model, std::int64_t context) {
  const std::int64_t kv = kvBytesAt(model, context);
  return Wording::tr("%1 of weights + %2 of KV cache (float32) = %3")
      .arg(formatBytes(model.bytes), formatBytes(kv), formatBytes(model.bytes + kv));
}

QString speedText(const InspectedModel& model, std::int64_t context, const MachineRoof& roof) {
  const std::int64_t bytes = bytesReadAt(model, context);
  return Wording::tr("At most %1 for one sequence on this machine: each token reads %2 at %3 GB/s.")
      .arg(formatRate(tokensPerSecondAtMost(model, context, roof)), formatBytes(bytes),
           formatDecimal(roof.gbpsOf(bytes), 1));
}

QString tensorTitle(const InspectedTensor& tensor) {
  return Wording::tr("%1 · %2 · %3 · %4")
      .arg(windowText(tensor.type), tensorShapeText(tensor), formatBytes(tensor.bytes),
           bitsEach(tensor.bytes, tensor.rows() * tensor.shape.back()));
}

QString weightsText(const InspectedWeights& weights) {
  return Wording::tr("From %1 to %2, mean %3, standard deviation %4")
      .arg(weightText(weights.least), weightText(weights.most), weightText(weights.mean, 3),
           weightText(weights.deviation, 3));
}

}  // namespace vitrine
