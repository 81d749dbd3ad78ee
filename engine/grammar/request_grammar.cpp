#include "grammar/request_grammar.h"

#include "grammar/automaton.h"
#include "grammar/gbnf.h"
#include "grammar/regex_grammar.h"
#include "grammar/schema_grammar.h"
#include "text/utf8.h"
#include "vitrine/error.h"
#include "vitrine/form_check.h"

namespace vitrine {
namespace {

Grammar oneOfTexts(const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  std::vector<Expression> parts;
  for (const std::string& text : texts) {
    if (!utf8::isValid(text))
      throw EngineError(ErrorCode::kInvalidArgument, "a text to choose from is not UTF-8");
    if ((bytes += text.size()) > kLongestGrammar)
      throw EngineError(ErrorCode::kInvalidArgument, "the texts to choose from have more than " +
                                                         std::to_string(kLongestGrammar) + " bytes");
    parts.push_back(textOf(text));
  }
  Grammar grammar;
  grammar.add("choice", choiceOf(std::move(parts)));
  return grammar;
}

}  // namespace

Grammar grammarOf(const Request& request) {
  if (!request.grammar.empty()) return parseGbnf(request.grammar);
  if (!request.regex.empty()) return regexGrammar(request.regex);
  if (!request.jsonSchema.empty()) return schemaGrammar(request.jsonSchema);
  return oneOfTexts(request.choice);
}

void requireForm(const Request& request) {
  if (request.hasGrammar()) Automaton(grammarOf(request));
}

}  // namespace vitrine
