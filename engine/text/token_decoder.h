// TokenDecoder: turns the strings of tokens back into text.
//
// Source: the decoders of Hugging Face's tokenizers library. Thread: immutable.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/json_field.h"
#include "text/normalizer.h"
#include "text/pre_tokenizer.h"

namespace vitrine {

class TokenDecoder {
 public:
  TokenDecoder() = default;                             // tokens joined by spaces
  explicit TokenDecoder(const JsonField& description);  // throws kUnsupported by the kind's name

  // What transformers writes for Llama: "▁" to a space, bytes to characters, without the space put in front.
  static TokenDecoder byteFallback(bool stripFirstSpace);

  // The result is valid UTF-8. Throws EngineError(kFileCorrupt) when replacements make it far longer than the
  // tokens (work_limit.h).
  std::string decode(std::vector<std::string> tokens) const;
  // The same, without copies of the tokens where the byte level is all there is to undo: every answer's text
  // comes this way, token by token.
  std::string decode(std::span<const std::string_view> tokens) const;

 private:
  struct ByteLevel {};
  struct ByteFallback {};
  struct Fuse {};
  struct Strip {
    std::string content;  // one character
    std::size_t start, stop;
  };
  struct Metaspace {
    std::string replacement;
    bool dropsFirst;
  };
  using Step = std::variant<ByteLevel, ByteFallback, Fuse, Strip, Metaspace, Replacement>;
  using Tokens = std::vector<std::string>;

  void add(const JsonField& description, int depth);
  template <typename Texts>
  static std::string undoByteLevel(const Texts& tokens);
  static Tokens applyStep(const ByteLevel& step, const Tokens& tokens);
  static Tokens applyStep(const ByteFallback& step, Tokens tokens);
  static Tokens applyStep(const Fuse& step, const Tokens& tokens);
  static Tokens applyStep(const Strip& step, Tokens tokens);
  static Tokens applyStep(const Metaspace& step, Tokens tokens);
  static Tokens applyStep(const Replacement& step, Tokens tokens, std::size_t mostBytes, WorkLimit& limit);

  std::vector<Step> m_steps;
  bool m_joinsBySpaces = true;
};

// The byte a token spelled "<0x0A>" stands for, or -1.
int byteOfToken(std::string_view token);

}  // namespace vitrine
