// What a search of this computer finds: models, with what can be said of them before one is loaded, and
// files that look like one and are not. Thread: values. Read next: model_scanner.h; model_estimate.h.
#pragma once

#include <QString>
#include <QtGlobal>

namespace vitrine {

// The program that keeps the model, and so the layout of its folder.
enum class ModelProgram { kVitrine, kHuggingFace, kLmStudio, kOllama, kLlamaCpp, kGpt4All, kJan, kOwnFolder };

// "Ollama": the name of the program. The last one is "A folder of yours".
QString programName(ModelProgram program);

struct FoundModel {
  QString name;  // as people call it there: "qwen3:8b" of Ollama, "owner/name" of the Hugging Face cache
  ModelProgram program = ModelProgram::kOwnFolder;
  QString path = {};      // what the engine loads: a GGUF file, of a split one the first part, or a folder
  bool isFolder = false;  // config.json and safetensors
  int files = 1;          // that hold weights
  qint64 bytes = 0;       // of these files

  // Whether this program can load it. If not, `reason` says why, and everything below that is not known is
  // empty or 0. Family and context are known also of many that cannot be opened.
  bool opens = false;
  QString reason = {};

  QString family = {};            // "qwen3"
  qint64 parameters = 0;          // of all weights
  int contextLength = 0;          // tokens, at most
  QString quantization = {};      // the type of most bytes of the weights: "Q4_K", "BF16"
  qint64 weightBytes = 0;         // in memory, once loaded
  qint64 bytesReadPerToken = 0;   // of the weights, for each token of one sequence
  qint64 cacheBytesPerToken = 0;  // of the KV cache, float32, all layers
  int headDim = 0;                // numbers of one head of a key
};

// A file or a folder that a search passed over, and why, in a sentence.
struct LeftOut {
  ModelProgram program = ModelProgram::kOwnFolder;
  QString path = {};
  QString reason = {};
};

}  // namespace vitrine
