// The interface of the SentencePiece module, between its user (sentencepiece_tokenizer.cpp) and its
// implementation (segmenter_module.cpp). Why a module: vitrine/module.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

// Text to the ids of one model's pieces, by libsentencepiece. Immutable: any thread.
class Segmenter {
 public:
  virtual ~Segmenter() = default;
  // Ids of UTF-8 text; on failure false, and `error` says why.
  virtual bool encode(std::string_view text, std::vector<int>& ids, std::string& error) const = 0;
};

// From a serialized model; null on failure, and `error` says why.
using MakeSegmenter = Segmenter* (*)(std::string_view model, std::string& error);
constexpr const char* kMakeSegmenter = "vitrineMakeSegmenter";

}  // namespace vitrine
