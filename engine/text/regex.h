// Regex: the regular expressions in a tokenizer.json, written for Oniguruma and run by PCRE2.
//
// Where the two read a pattern differently it is rewritten (regex_translate.cpp); what cannot be rewritten is
// refused rather than read wrongly. Matching has a limit on steps over the whole text (work_limit.h): a
// pattern that would hang is an error. Thread: immutable once compiled; matching may run on several threads
// at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/split.h"

namespace vitrine {

class WorkLimit;

class Regex {
 public:
  // Throws EngineError(kUnsupported) for a pattern that does not compile or would be read differently.
  explicit Regex(std::string_view onigurumaPattern);

  // The whole text as stretches. An empty match right after another match does not count.
  // Throws EngineError(kFileCorrupt) when the pattern takes more steps than the limit has left, or without
  // one more than the text's own. The text must be valid UTF-8.
  std::vector<Stretch> stretches(std::string_view text, WorkLimit& limit) const;
  std::vector<Stretch> stretches(std::string_view text) const;

 private:
  std::vector<Stretch> search(std::string_view text, WorkLimit& limit) const;

  struct Code;
  std::shared_ptr<const Code> m_code;
  std::string m_pattern;  // as the file spells it, for messages
};

// The pattern in PCRE2's spelling. Throws EngineError(kUnsupported).
std::string translatedFromOniguruma(std::string_view pattern);

}  // namespace vitrine
