// Any bytes as a JSON schema: refused, or a grammar within its limits whose texts are JSON.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "grammar/derive.h"
#include "grammar/grammar_checks.h"
#include "grammar/schema_grammar.h"
#include "vitrine/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vitrine;
  try {
    const Grammar grammar = schemaGrammar({reinterpret_cast<const char*>(data), size});
    if (writtenNodes(grammar) > kMostGrammarNodes) std::abort();
    if (endlessRule(grammar) != kNoRule || selfBeginningRule(grammar) != kNoRule) std::abort();
    const std::string text = test::Derivation(grammar, static_cast<std::uint32_t>(size)).text(50);
    if (!nlohmann::json::accept(text)) std::abort();
  } catch (const EngineError& error) {
    if (error.code() != ErrorCode::kInvalidArgument || error.hint().empty()) std::abort();
  }
  return 0;
}
