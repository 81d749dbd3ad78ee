// PreTokenizer: cuts a normalized text into the words that the model then encodes one by one.
//
// Source: the pre-tokenizers of Hugging Face's tokenizers library. Thread: immutable. Read next: bpe_model.h.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "text/json_field.h"
#include "text/regex.h"
#include "text/split.h"
#include "text/work_limit.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

// A part of the text on its way to ids: either still text, or already an added token.
struct Piece {
  std::string text;
  TokenId token = -1;
  bool atStart = false;  // it begins where the whole text begins

  bool isText() const { return token < 0; }
};

enum class PrependScheme { kFirst, kAlways, kNever };
PrependScheme readPrependScheme(const JsonField& description);  // of a Metaspace, old spelling included

class PreTokenizer {
 public:
  PreTokenizer() = default;                             // leaves pieces whole
  explicit PreTokenizer(const JsonField& description);  // throws kUnsupported by the kind's name

  // Throws EngineError(kFileCorrupt) when a pattern takes more steps than the limit has.
  void apply(std::vector<Piece>& pieces, WorkLimit& limit) const;

 private:
  struct ByteLevel {
    bool addPrefixSpace, useRegex;
  };
  struct Metaspace {
    std::string replacement;
    PrependScheme scheme;
    bool split;
  };
  enum class CharacterTest { kNumeric, kPunctuation, kWhitespace };
  struct ByCharacter {
    CharacterTest test;
    SplitBehavior behavior;
  };
  struct ByPattern {
    std::variant<std::string, Regex> pattern;
    SplitBehavior behavior;
    bool invert;
  };
  using Step = std::variant<ByteLevel, Metaspace, ByCharacter, ByPattern>;

  void add(const JsonField& description, int depth);
  static void applyStep(const ByteLevel& step, Piece piece, std::vector<Piece>& out, WorkLimit& limit);
  static void applyStep(const Metaspace& step, Piece piece, std::vector<Piece>& out, WorkLimit& limit);
  static void applyStep(const ByCharacter& step, const Piece& piece, std::vector<Piece>& out,
                        WorkLimit& limit);
  static void applyStep(const ByPattern& step, const Piece& piece, std::vector<Piece>& out, WorkLimit& limit);

  std::vector<Step> m_steps;
};

}  // namespace vitrine
