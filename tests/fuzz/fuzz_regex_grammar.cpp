// Any bytes as a regular expression: refused, or a grammar within its limits that has a text of its own.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "grammar/derive.h"
#include "grammar/grammar_checks.h"
#include "grammar/regex_grammar.h"
#include "vitrine/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vitrine;
  const std::string_view pattern(reinterpret_cast<const char*>(data), size);
  try {
    const Grammar grammar = regexGrammar(pattern);
    if (writtenNodes(grammar) > kMostGrammarNodes || endlessRule(grammar) != kNoRule) std::abort();
    const std::string text = test::Derivation(grammar, static_cast<std::uint32_t>(size)).text(50);
    // The recogniser is slow on purpose.
    if (size < 60 && text.size() < 60 && !test::Recogniser(grammar).accepts(text)) std::abort();
  } catch (const EngineError& error) {
    if (error.code() != ErrorCode::kInvalidArgument || error.hint().empty()) std::abort();
  }
  return 0;
}
