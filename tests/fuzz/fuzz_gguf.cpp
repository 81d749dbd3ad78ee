// Any bytes as a GGUF file: refused with an EngineError, or a model whose tensors lie within the file, whose
// weights decode, and whose tokenizer encodes.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "models/gguf_model.h"
#include "support/gguf_bytes.h"
#include "text/gguf_tokenizer.h"
#include "vitrine/chat_format.h"
#include "vitrine/error.h"

namespace {

using namespace vitrine;

void readTensors(const GgufFile& file, std::size_t size) {
  for (const GgufTensor& tensor : file.header().tensors) {
    if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
    std::vector<std::byte> bytes(tensor.bytes);
    file.read(tensor, 0, bytes);
    const auto weights = static_cast<std::int64_t>(tensor.bytes) / blockTypeInfo(tensor.type).bytes *
                         blockTypeInfo(tensor.type).length;
    std::vector<float> floats(static_cast<std::size_t>(weights));
    decodeBlocks(tensor.type, bytes.data(), floats);
  }
}

void readModel(std::string_view bytes) {
  std::vector<std::unique_ptr<GgufFile>> files;
  files.push_back(std::make_unique<GgufFile>(bytes.size(), test::readerOf(bytes), "fuzz"));
  auto model = std::make_unique<GgufModel>(std::move(files));
  const ModelConfig config = readGgufConfig(*model);
  const auto weights = openGgufWeights(std::move(model), config);
  weights->require("model.norm.weight", {config.hiddenSize});
  weights->get("model.layers.0.self_attn.q_proj.weight",
               {std::int64_t{config.heads} * config.headDim, config.hiddenSize});
}

template <typename Work>
void refusedOrDone(Work work) {
  try {
    work();
  } catch (const EngineError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  refusedOrDone([&] { readTensors(vitrine::test::openBytes(bytes), size); });
  refusedOrDone([&] { readModel(bytes); });
  refusedOrDone([&] {
    const auto file = vitrine::test::openBytes(bytes);
    vitrine::ChatFormat::ofModel(file);
    const auto tokenizer = vitrine::readGgufTokenizer(file);
    tokenizer->decode(tokenizer->encode("Hello 123 <s> \xC3\xA4", true), false);
  });
  return 0;
}
