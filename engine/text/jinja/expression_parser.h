// The expressions of a template: from the loosest binding, the inline if, to the tightest, names and
// literals.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/jinja/syntax.h"
#include "text/jinja/template_error.h"
#include "text/jinja/token_cursor.h"

namespace vitrine::jinja {

class ExpressionParser : public TokenCursor {
 public:
  using TokenCursor::TokenCursor;

  ExpressionPointer parseExpression();
  // Expressions with commas between are a tuple; one alone is itself.
  ExpressionPointer parseTuple(bool withConditional, std::initializer_list<std::string_view> ends = {},
                               bool inBrackets = false);
  // "|name(...)" any number of times; the first one without its bar where `begun`.
  ExpressionPointer parseFilters(ExpressionPointer value, bool begun = false);

  bool isTupleEnd(std::initializer_list<std::string_view> ends) const;

  NameId idOf(const std::string& name);
  const std::vector<std::string>& names() const { return m_names; }

  // Which special names the expressions used since it was last set.
  using Used = std::array<bool, kSpecialNames>;
  const Used& used() const { return m_used; }
  void setUsed(const Used& used) { m_used = used; }

  // Directly in an `if` an unknown filter or test fails only when it is used; elsewhere it is noted here.
  bool isSoft() const { return m_soft; }
  void setSoft(bool soft) { m_soft = soft; }
  const std::vector<TemplateError>& unknown() const { return m_unknown; }

 private:
  ExpressionPointer parseOr();
  ExpressionPointer parseAnd();
  ExpressionPointer parseNot();
  std::optional<ComparisonSign> takeComparisonSign();
  ExpressionPointer parseComparison();
  ExpressionPointer parseSum();
  ExpressionPointer parseConcatenation();
  ExpressionPointer parseProduct();
  ExpressionPointer parsePower();
  ExpressionPointer parseUnary(bool withFilters);
  ExpressionPointer parsePrimary();
  ExpressionPointer parseName(const Token& token);
  ExpressionPointer parseList();
  ExpressionPointer parseMapping();
  ExpressionPointer parsePostfix(ExpressionPointer value);
  ExpressionPointer parseAttribute(ExpressionPointer object);
  ExpressionPointer parseItem(ExpressionPointer object);
  ExpressionPointer parseTupleKey(ExpressionPointer first);
  ExpressionPointer parseCall(ExpressionPointer callee);
  ArgumentList parseArguments();
  ExpressionPointer parseFiltersAndTests(ExpressionPointer value);
  std::string parseDottedName(const std::string& what);
  void noteUnknown(Place place, const std::string& problem);
  ExpressionPointer parseTest(ExpressionPointer value);
  // Whether the next token is the argument of a test without brackets.
  bool beginsArgument() const;

  std::vector<std::string> m_names;
  std::unordered_map<std::string, NameId> m_ids;
  Used m_used{};
  bool m_soft = false;
  std::vector<TemplateError> m_unknown;
};

}  // namespace vitrine::jinja
