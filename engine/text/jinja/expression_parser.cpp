#include "text/jinja/expression_parser.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "text/jinja/filters.h"
#include "text/jinja/predicates.h"

namespace vitrine::jinja {
namespace {

using Type = Token::Type;

// Python itself reads no more brackets than 200 inside one another.
constexpr int kHighest = 180;

int heightOf(const ExpressionPointer& expression) { return expression ? expression->height : 0; }
int heightOf(const Expressions& expressions) {
  int height = 0;
  for (const auto& expression : expressions) height = std::max(height, expression->height);
  return height;
}
int heightOf(const ArgumentList& arguments) {
  int height = std::max(
      {heightOf(arguments.positional), heightOf(arguments.morePositional), heightOf(arguments.moreNamed)});
  for (const auto& [name, value] : arguments.named) height = std::max(height, value->height);
  return height;
}

template <typename Body>
ExpressionPointer make(Place place, int heightBelow, Body body) {
  if (heightBelow >= kHighest) TokenCursor::failAt(place, "The expression is nested too deep.");
  return std::make_unique<const Expression>(Expression{place, std::move(body), heightBelow + 1});
}

ExpressionPointer binary(Place place, BinarySign sign, ExpressionPointer left, ExpressionPointer right) {
  const int height = std::max(left->height, right->height);
  return make(place, height, Binary{sign, std::move(left), std::move(right)});
}

ExpressionPointer unary(Place place, UnarySign sign, ExpressionPointer operand) {
  const int height = operand->height;
  return make(place, height, Unary{sign, std::move(operand)});
}

}  // namespace

NameId ExpressionParser::idOf(const std::string& name) {
  const auto [found, isNew] = m_ids.emplace(name, static_cast<NameId>(m_names.size()));
  if (isNew) m_names.push_back(name);
  return found->second;
}

bool ExpressionParser::isTupleEnd(std::initializer_list<std::string_view> ends) const {
  return current().type == Type::kVariableEnd || current().type == Type::kBlockEnd || isOperator(")") ||
         isAnyName(ends);
}

// Expressions with commas between are a tuple; one alone is itself.
ExpressionPointer ExpressionParser::parseTuple(bool withConditional,
                                               std::initializer_list<std::string_view> ends,
                                               bool inBrackets) {
  const Place place = current().place;
  Expressions items;
  bool commas = false;
  while (true) {
    if (!items.empty()) requireOperator(",");
    if (isTupleEnd(ends)) break;
    items.push_back(withConditional ? parseExpression() : parseOr());
    if (!isOperator(",")) break;
    commas = true;
  }
  if (!commas && !items.empty()) return std::move(items.front());
  if (items.empty() && !inBrackets) failHere("an expression");
  const int height = heightOf(items);
  return make(place, height, ListLiteral{std::move(items), true});
}

ExpressionPointer ExpressionParser::parseExpression() {
  const Level level(*this);
  const std::size_t unknown = m_unknown.size();
  ExpressionPointer value = parseOr();
  while (isName("if")) {
    const Place place = take().place;
    ExpressionPointer condition = parseOr(), otherwise;
    if (takeName("else")) otherwise = parseExpression();
    const int height = std::max({value->height, condition->height, heightOf(otherwise)});
    value = make(place, height, Conditional{std::move(condition), std::move(value), std::move(otherwise)});
    // Inside a conditional an unknown filter fails only when it is used.
    m_unknown.erase(m_unknown.begin() + static_cast<std::ptrdiff_t>(unknown), m_unknown.end());
  }
  return value;
}

ExpressionPointer ExpressionParser::parseOr() {
  ExpressionPointer left = parseAnd();
  while (isName("or")) {
    const Place place = take().place;
    left = binary(place, BinarySign::kOr, std::move(left), parseAnd());
  }
  return left;
}

ExpressionPointer ExpressionParser::parseAnd() {
  ExpressionPointer left = parseNot();
  while (isName("and")) {
    const Place place = take().place;
    left = binary(place, BinarySign::kAnd, std::move(left), parseNot());
  }
  return left;
}

ExpressionPointer ExpressionParser::parseNot() {
  if (!isName("not")) return parseComparison();
  const Level level(*this);
  const Place place = take().place;
  return unary(place, UnarySign::kNot, parseNot());
}

std::optional<ComparisonSign> ExpressionParser::takeComparisonSign() {
  static constexpr std::array<std::pair<std::string_view, ComparisonSign>, 6> kSigns = {{
      {"==", ComparisonSign::kEqual},
      {"!=", ComparisonSign::kUnequal},
      {"<", ComparisonSign::kLess},
      {"<=", ComparisonSign::kLessOrEqual},
      {">", ComparisonSign::kGreater},
      {">=", ComparisonSign::kGreaterOrEqual},
  }};
  for (const auto& [text, sign] : kSigns)
    if (takeOperator(text)) return sign;
  if (takeName("in")) return ComparisonSign::kIn;
  if (!isName("not") || !next().isName("in")) return std::nullopt;
  take();
  take();
  return ComparisonSign::kNotIn;
}

ExpressionPointer ExpressionParser::parseComparison() {
  ExpressionPointer first = parseSum();
  int height = first->height;
  std::vector<std::pair<ComparisonSign, ExpressionPointer>> rest;
  Place place = current().place;
  for (auto sign = takeComparisonSign(); sign; sign = takeComparisonSign()) {
    ExpressionPointer operand = parseSum();
    height = std::max(height, operand->height);
    rest.emplace_back(*sign, std::move(operand));
  }
  if (rest.empty()) return first;
  return make(place, height, Comparison{std::move(first), std::move(rest)});
}

ExpressionPointer ExpressionParser::parseSum() {
  ExpressionPointer left = parseConcatenation();
  while (isOperator("+") || isOperator("-")) {
    const Token sign = take();
    left = binary(sign.place, sign.text == "+" ? BinarySign::kAdd : BinarySign::kSubtract, std::move(left),
                  parseConcatenation());
  }
  return left;
}

ExpressionPointer ExpressionParser::parseConcatenation() {
  ExpressionPointer first = parseProduct();
  if (!isOperator("~")) return first;
  const Place place = current().place;
  Expressions parts;
  parts.push_back(std::move(first));
  while (takeOperator("~")) parts.push_back(parseProduct());
  const int height = heightOf(parts);
  return make(place, height, Concatenation{std::move(parts)});
}

ExpressionPointer ExpressionParser::parseProduct() {
  static constexpr std::array<std::pair<std::string_view, BinarySign>, 4> kSigns = {{
      {"*", BinarySign::kMultiply},
      {"/", BinarySign::kDivide},
      {"//", BinarySign::kDivideFloor},
      {"%", BinarySign::kModulo},
  }};
  ExpressionPointer left = parsePower();
  while (true) {
    const auto sign = std::find_if(kSigns.begin(), kSigns.end(),
                                   [&](const auto& known) { return isOperator(known.first); });
    if (sign == kSigns.end()) return left;
    const Place place = take().place;
    left = binary(place, sign->second, std::move(left), parsePower());
  }
}

ExpressionPointer ExpressionParser::parsePower() {
  ExpressionPointer left = parseUnary(true);
  while (isOperator("**")) {
    const Place place = take().place;
    left = binary(place, BinarySign::kPower, std::move(left), parseUnary(true));
  }
  return left;
}

ExpressionPointer ExpressionParser::parseUnary(bool withFilters) {
  const Level level(*this);
  const Place place = current().place;
  ExpressionPointer value;
  if (takeOperator("-"))
    value = unary(place, UnarySign::kMinus, parseUnary(false));
  else if (takeOperator("+"))
    value = unary(place, UnarySign::kPlus, parseUnary(false));
  else
    value = parsePrimary();
  value = parsePostfix(std::move(value));
  return withFilters ? parseFiltersAndTests(std::move(value)) : std::move(value);
}

ExpressionPointer ExpressionParser::parsePrimary() {
  const Token token = current();
  switch (token.type) {
    case Type::kName:
      take();
      return parseName(token);
    case Type::kString: {
      std::string text;
      while (current().type == Type::kString) text += take().text;
      return make(token.place, 0, Literal{Value::string(text)});
    }
    case Type::kInteger:
      take();
      return make(token.place, 0, Literal{Value::integer(token.whole)});
    case Type::kReal:
      take();
      return make(token.place, 0, Literal{Value::real(token.real)});
    default:
      break;
  }
  if (takeOperator("(")) {
    ExpressionPointer value = parseTuple(true, {}, true);
    requireOperator(")");
    return value;
  }
  if (isOperator("[")) return parseList();
  if (isOperator("{")) return parseMapping();
  failHere("an expression");
}

ExpressionPointer ExpressionParser::parseName(const Token& token) {
  if (token.text == "true" || token.text == "True" || token.text == "false" || token.text == "False")
    return make(token.place, 0, Literal{Value::boolean(token.text == "true" || token.text == "True")});
  if (token.text == "none" || token.text == "None") return make(token.place, 0, Literal{Value::none()});
  const NameId id = idOf(token.text);
  if (id < kSpecialNames) m_used[id] = true;
  return make(token.place, 0, Name{id});
}

ExpressionPointer ExpressionParser::parseList() {
  const Place place = take().place;
  Expressions items;
  while (!isOperator("]")) {
    if (!items.empty()) requireOperator(",");
    if (isOperator("]")) break;
    items.push_back(parseExpression());
  }
  requireOperator("]");
  const int height = heightOf(items);
  return make(place, height, ListLiteral{std::move(items), false});
}

ExpressionPointer ExpressionParser::parseMapping() {
  const Place place = take().place;
  MappingLiteral mapping;
  int height = 0;
  while (!isOperator("}")) {
    if (!mapping.entries.empty()) requireOperator(",");
    if (isOperator("}")) break;
    ExpressionPointer key = parseExpression();
    requireOperator(":");
    ExpressionPointer value = parseExpression();
    height = std::max({height, key->height, value->height});
    mapping.entries.emplace_back(std::move(key), std::move(value));
  }
  requireOperator("}");
  return make(place, height, std::move(mapping));
}

ExpressionPointer ExpressionParser::parsePostfix(ExpressionPointer value) {
  while (true) {
    if (isOperator("."))
      value = parseAttribute(std::move(value));
    else if (isOperator("["))
      value = parseItem(std::move(value));
    else if (isOperator("("))
      value = parseCall(std::move(value));
    else
      return value;
  }
}

ExpressionPointer ExpressionParser::parseAttribute(ExpressionPointer object) {
  const Place place = take().place;
  const int height = object->height;
  const Token name = take();
  if (name.type == Type::kName) return make(place, height, AttributeOf{std::move(object), name.text});
  if (name.type != Type::kInteger) failAt(name.place, "A name or a number is missing behind '.'.");
  ExpressionPointer key = make(name.place, 0, Literal{Value::integer(name.whole)});
  return make(place, height, ItemOf{std::move(object), std::move(key)});
}

ExpressionPointer ExpressionParser::parseItem(ExpressionPointer object) {
  const Place place = take().place;
  ExpressionPointer start, stop, step;
  if (!isOperator(":")) start = parseExpression();
  if (!takeOperator(":")) {
    if (isOperator(",")) start = parseTupleKey(std::move(start));
    requireOperator("]");
    const int height = std::max(object->height, heightOf(start));
    return make(place, height, ItemOf{std::move(object), std::move(start)});
  }
  if (!isOperator(":") && !isOperator("]")) stop = parseExpression();
  if (takeOperator(":") && !isOperator("]")) step = parseExpression();
  requireOperator("]");
  const int height = std::max({object->height, heightOf(start), heightOf(stop), heightOf(step)});
  return make(place, height, SliceOf{std::move(object), std::move(start), std::move(stop), std::move(step)});
}

ExpressionPointer ExpressionParser::parseTupleKey(ExpressionPointer first) {
  const Place place = first->place;
  Expressions items;
  items.push_back(std::move(first));
  while (takeOperator(",") && !isOperator("]")) items.push_back(parseExpression());
  const int height = heightOf(items);
  return make(place, height, ListLiteral{std::move(items), true});
}

ExpressionPointer ExpressionParser::parseCall(ExpressionPointer callee) {
  const Place place = callee->place;
  ArgumentList arguments = parseArguments();
  const int height = std::max(callee->height, heightOf(arguments));
  return make(place, height, CallOf{std::move(callee), std::move(arguments)});
}

ArgumentList ExpressionParser::parseArguments() {
  const Place place = current().place;
  requireOperator("(");
  ArgumentList arguments;
  std::unordered_set<std::string> given;  // the names
  const auto require = [&](bool holds) {
    if (!holds) failAt(place, "The arguments are in a wrong order.");
  };
  for (bool first = true; !isOperator(")"); first = false) {
    if (!first) {
      requireOperator(",");
      if (isOperator(")")) break;
    }
    if (takeOperator("*")) {
      require(!arguments.morePositional && !arguments.moreNamed);
      arguments.morePositional = parseExpression();
    } else if (takeOperator("**")) {
      require(!arguments.moreNamed);
      arguments.moreNamed = parseExpression();
    } else if (current().type == Type::kName && next().isOperator("=")) {
      require(!arguments.moreNamed);
      const Token name = take();
      take();
      if (!given.insert(name.text).second)
        failAt(name.place, "The argument '" + name.text + "' is given twice.");
      arguments.named.emplace_back(name.text, parseExpression());
    } else {
      require(!arguments.morePositional && !arguments.moreNamed && arguments.named.empty());
      arguments.positional.push_back(parseExpression());
    }
  }
  requireOperator(")");
  return arguments;
}

ExpressionPointer ExpressionParser::parseFiltersAndTests(ExpressionPointer value) {
  while (true) {
    if (isOperator("|"))
      value = parseFilters(std::move(value));
    else if (isName("is"))
      value = parseTest(std::move(value));
    else if (isOperator("("))
      value = parseCall(std::move(value));
    else
      return value;
  }
}

std::string ExpressionParser::parseDottedName(const std::string& what) {
  std::string name = requireType(Type::kName, what).text;
  while (takeOperator(".")) name += "." + requireType(Type::kName, what).text;
  return name;
}

void ExpressionParser::noteUnknown(Place place, const std::string& problem) {
  if (!m_soft) m_unknown.emplace_back(ErrorKind::kSyntax, place, problem);
}

// "|name(...)" any number of times; the first one without its bar where `begun`.
ExpressionPointer ExpressionParser::parseFilters(ExpressionPointer value, bool begun) {
  while (begun || takeOperator("|")) {
    begun = false;
    const Place place = current().place;
    std::string name = parseDottedName("the name of a filter");
    const Builtin* builtin = findFilter(name);
    if (!builtin) noteUnknown(place, "There is no filter '" + name + "'.");
    ArgumentList arguments;
    if (isOperator("(")) arguments = parseArguments();
    const int height = std::max(heightOf(value), heightOf(arguments));
    value = make(place, height, Filter{std::move(value), std::move(name), builtin, std::move(arguments)});
  }
  return value;
}

ExpressionPointer ExpressionParser::parseTest(ExpressionPointer value) {
  const Place isPlace = take().place;
  const bool isNegated = takeName("not");
  const Place place = current().place;
  std::string name = parseDottedName("the name of a test");
  const Builtin* builtin = findTest(name);
  if (!builtin) noteUnknown(place, "There is no test '" + name + "'.");
  ArgumentList arguments;
  if (isOperator("(")) {
    arguments = parseArguments();
  } else if (beginsArgument()) {
    if (isName("is")) failAt(current().place, "A test of a test needs brackets.");
    arguments.positional.push_back(parsePostfix(parsePrimary()));
  }
  const int height = std::max(value->height, heightOf(arguments));
  ExpressionPointer test =
      make(place, height, Test{std::move(value), std::move(name), builtin, std::move(arguments)});
  return isNegated ? unary(isPlace, UnarySign::kNot, std::move(test)) : std::move(test);
}

// Whether the next token is the argument of a test without brackets.
bool ExpressionParser::beginsArgument() const {
  if (isName("else") || isName("or") || isName("and")) return false;
  const Type type = current().type;
  return type == Type::kName || type == Type::kString || type == Type::kInteger || type == Type::kReal ||
         isOperator("[") || isOperator("{");
}

}  // namespace vitrine::jinja
