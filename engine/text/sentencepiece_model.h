// SentencePieceModel: the content of a tokenizer.model (Kudo & Richardson 2018, arXiv 1808.06226).
//
// The file is a protocol buffer (sentencepiece_model.proto); the few fields a tokenizer needs are read here,
// with every length checked, so that nothing unchecked ever reaches libsentencepiece. Thread: a value. Read
// next: sentencepiece_tokenizer.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

enum class PieceKind { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };
enum class SentencePieceAlgorithm { kUnigram = 1, kBpe = 2, kWord = 3, kCharacter = 4 };

struct SentencePieceModel {
  struct Entry {
    std::string text;
    float score = 0;
    PieceKind kind = PieceKind::kNormal;
  };
  std::vector<Entry> pieces;  // the id is the index

  SentencePieceAlgorithm algorithm = SentencePieceAlgorithm::kUnigram;
  bool byteFallback = false;
  std::string unknownSurface = " \xE2\x81\x87 ";  // what an unknown piece decodes to
  int unknownId = 0, bosId = 1, eosId = 2;        // -1 for none

  std::string characterMap;  // the normalizer's compiled rules; empty for none
  bool addDummyPrefix = true, removeExtraWhitespace = true, escapeWhitespace = true;

  // Throws EngineError(kFileCorrupt) for bytes that are not a sound model; `file` is for messages.
  static SentencePieceModel parse(std::string_view bytes, const std::string& file);

  // The same fields written again: a model for libsentencepiece with nothing in it that was not checked.
  std::string serialized() const;
};

}  // namespace vitrine
