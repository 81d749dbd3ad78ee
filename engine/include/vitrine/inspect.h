// What is inside a model, without loading it: sizes, tokenizer, template, every tensor with its type and
// bytes, and a tensor opened: its histogram, and a group of its weights, from the bits to the floats.
//
// Reads what it is asked for and no more: inspectModel() reads no weight, so that a model larger than memory
// can be looked at. Errors: EngineError as loading the model. Thread: any; the functions are pure.
// Read next: inspected_figures.h, what follows from it; convert.h; engine.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace vitrine {

struct InspectedTensor {
  std::string name;  // as the files spell it: "blk.0.attn_q.weight", "model.layers.0.self_attn.q_proj.weight"
  std::string type;  // "Q4_K", "BF16"
  std::vector<std::int64_t> shape;  // [outputs, inputs]
  std::int64_t bytes = 0;           // in the file
  std::int64_t groupLength = 0;     // inputs of one output that inspectGroup() opens together

  std::int64_t rows() const { return shape.size() < 2 ? 1 : shape.front(); }
  std::int64_t groups() const { return groupLength > 0 ? shape.back() / groupLength : 0; }  // of a row
};

struct InspectedModel {
  std::string name, container;             // "GGUF" or "folder"
  std::string family;                      // "llama", "qwen2", "qwen3", "mistral"
  std::int64_t parameters = 0, bytes = 0;  // of all tensors, in the files
  int layers = 0, hiddenSize = 0, intermediateSize = 0, heads = 0, kvHeads = 0, headDim = 0;
  int vocabularySize = 0, contextLength = 0, slidingWindow = 0;
  bool tiedEmbeddings = false;
  std::string rope;  // "default", "linear", "llama3", "yarn"
  int tokens = 0;    // of the tokenizer; 0: there is none
  std::string chatFormat, chatTemplate;
  std::int64_t kvBytesPerToken = 0;    // float32, all layers
  std::int64_t bytesReadPerToken = 0;  // of the weights: all but a table of which one row is read
  std::vector<InspectedTensor> tensors;
  std::vector<std::pair<std::string, std::string>> keys;  // of a GGUF file; a list as its length
};
InspectedModel inspectModel(const std::filesystem::path& model);
// The same without the tokenizer and the chat template, whose reading may take a second.
InspectedModel inspectSizes(const std::filesystem::path& model);

// The keys of one GGUF file, as in InspectedModel: also of a file that inspectModel() refuses, for example
// for its architecture. Throws EngineError for what is no GGUF file.
std::vector<std::pair<std::string, std::string>> inspectKeys(const std::filesystem::path& file);

// The weights of one tensor. `bins` >= 1 equal parts of least..most.
struct InspectedWeights {
  InspectedTensor tensor;
  double least = 0, most = 0, mean = 0, deviation = 0;
  std::vector<std::int64_t> histogram;
};
// Reads the tensor as it is stored and widens one row at a time, since the floats of a large one may not fit.
// `progress` gets the fraction done, 0..1; returning false cancels. Throws EngineError: kInvalidArgument for
// a tensor that is not there, kFileCorrupt for a weight that is no finite number, and kCancelled.
InspectedWeights inspectWeights(const std::filesystem::path& model, const std::string& tensor, int bins = 32,
                                const std::function<bool(double fraction)>& progress = {});

// The weights of one output that share a scale. For floats: 32 neighbours, each its own bits.
struct InspectedGroup {
  std::string type;
  std::int64_t row = 0, firstInput = 0;
  int bitWidth = 0;               // bits of each weight; 0 for floats
  std::vector<int> bits;          // as stored; empty for floats
  double scale = 1, minimum = 0;  // weight = scale * value + minimum
  std::vector<int> values;        // that the bits stand for; empty for floats
  std::vector<float> weights;
  // What is lost in another type of the 256 weights around the group, or of the group's own where a row is no
  // whole number of 256: the root of the mean square, over that of the weights.
  std::vector<std::pair<std::string, double>> errors;
};
// Throws EngineError: kInvalidArgument for a tensor, a row or a group that is not there, kFileCorrupt as
// inspectWeights().
InspectedGroup inspectGroup(const std::filesystem::path& model, const std::string& tensor, std::int64_t row,
                            std::int64_t group);

}  // namespace vitrine
