// Speaker: what all sentences are made with: texts in the reader's language, names, and counted things.
//
// Each class with texts derives from it and says VITRINE_PROSE_CONTEXT, so that lupdate finds its texts. A
// text stands as a literal in tr("..."), or in tr("... %n ...", nullptr, count).
// Thread: any. Read next: scheduling_sentences.h.
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "vitrine/prose/event_prose.h"

#define VITRINE_PROSE_CONTEXT(context)

namespace vitrine::prose {

// lupdate takes a member function that returns std::string for one of a class "std", and loses the context.
using String = std::string;

inline const Names kNoNames;  // of sentences about no request

// A text whose %n is filled in already; arg() fills %1, %2, ... in one pass, so that values may hold "%1".
class Pattern {
 public:
  Pattern(std::string text, const Language& language) : m_text(std::move(text)), m_language(language) {}

  operator std::string() const { return m_text; }
  template <typename... Values>
  std::string arg(const Values&... values) const {
    return filled({word(values)...});
  }

 private:
  std::string filled(const std::vector<std::string>& values) const;
  std::string word(const std::string& value) const { return value; }
  std::string word(std::integral auto value) const {
    return m_language.number(static_cast<std::int64_t>(value));
  }

  std::string m_text;
  const Language& m_language;
};

class Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  Speaker(const Names& names, const Language& language) : m_names(names), m_language(language) {}

 protected:
  Pattern tr(const char* text) const { return {m_language.translate(text, -1), m_language}; }
  Pattern tr(const char* text, std::nullptr_t, int count) const;

  // Each links what it names.
  std::string request(RequestId id) const { return linked(requestName(id), {.request = id}); }
  std::string sequence(SequenceId id) const;
  std::string block(BlockId id) const { return linked(m_language.number(id), {.blocks = {id}}); }
  std::string step(int number) const { return linked(m_language.number(number), {.step = number}); }
  std::string linked(std::string part, const Target& target) const;  // to step 0: not linked
  std::string requestName(RequestId id) const;                       // not linked
  std::string token(TokenId id, const PrefixMissed& missed) const;   // "token 12", or also its text

  std::string blocks(int count) const;
  std::string tokens(int count) const;
  std::string sequences(int count) const;
  // "A", "A and B", "A, B and C"; with others that are not named "A, B, C and 2 more". Requires a part.
  std::string enumerated(const std::vector<std::string>& parts, int others = 0) const;
  // "positions 4 to 7"; requires count > 0. With a sequence it links to its first token there.
  std::string positions(int first, int count, SequenceId of = 0) const;
  std::string decimal(double value, int digits) const { return m_language.decimal(value, digits); }
  // A stage of the sampler or an option, as the command line spells it: "top-k".
  static std::string optionName(std::string name);
  // Of a request that the engine did not take; the name may be empty, and the reason is a sentence.
  std::string rejection(const std::string& name, const std::string& reason) const;
  // An error's message and hint as sentences.
  std::string fault(const std::string& message, const std::string& hint) const;

  const Names& m_names;
  const Language& m_language;
};

}  // namespace vitrine::prose
