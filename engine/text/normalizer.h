// Normalizer: what happens to a text before it is cut: normal forms, replacements, a prefix.
//
// Source: the normalizers of Hugging Face's tokenizers library. Thread: immutable. Read next:
// pre_tokenizer.h.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/json_field.h"
#include "text/regex.h"
#include "text/unicode.h"
#include "text/work_limit.h"

namespace vitrine {

// A replacement of a literal or of a regular expression; decoders use it too.
class Replacement {
 public:
  Replacement(std::string literal, std::string content)
      : m_pattern(std::move(literal)), m_content(std::move(content)) {}
  explicit Replacement(const JsonField& description);  // {"pattern": {"String": ..}, "content": ..}

  // Throws EngineError(kFileCorrupt) for a result longer than mostBytes, before it takes the memory.
  std::string apply(std::string_view text, std::size_t mostBytes, WorkLimit& limit) const;
  std::string apply(std::string_view text) const;  // with the text's own limits

 private:
  std::variant<std::string, Regex> m_pattern;
  std::string m_content;
};

class Normalizer {
 public:
  Normalizer() = default;                             // leaves the text alone
  explicit Normalizer(const JsonField& description);  // throws kUnsupported by the kind's name

  bool empty() const { return m_steps.empty(); }
  // Throws EngineError(kFileCorrupt) when the text becomes far longer than it was (work_limit.h).
  std::string apply(std::string_view text, WorkLimit& limit) const;

 private:
  struct Lowercase {};
  struct Prepend {
    std::string text;
  };
  struct Strip {
    bool left, right;
  };
  using Step = std::variant<unicode::Form, Lowercase, Prepend, Strip, Replacement>;

  void add(const JsonField& description, int depth);
  static std::string applyStep(const Step& step, std::string_view text, std::size_t mostBytes,
                               WorkLimit& limit);

  std::vector<Step> m_steps;
};

// The steps one part of a tokenizer may have; real ones have up to ten. Throws EngineError(kFileCorrupt).
void requireFewSteps(std::size_t steps, const JsonField& description);

// A text that became too long. Throws EngineError(kFileCorrupt).
void requireLength(std::size_t bytes, std::size_t mostBytes);

// A pattern as JSON spells it, {"String": ".."} or {"Regex": ".."}.
std::variant<std::string, Regex> readPattern(const JsonField& description);

}  // namespace vitrine
