#include "text/jinja/parser.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "text/jinja/fault.h"
#include "text/jinja/filters.h"
#include "text/jinja/lexer.h"
#include "text/jinja/predicates.h"

namespace vitrine::jinja {
namespace {

using Type = Token::Type;

// Python itself reads no more brackets than 200 inside one another. A bracket takes two levels of the parser.
constexpr int kHighest = 180, kDeepest = 400;

std::string described(const Token& token) {
  switch (token.type) {
    case Type::kText:
      return "text";
    case Type::kVariableBegin:
      return "'{{'";
    case Type::kVariableEnd:
      return "'}}'";
    case Type::kBlockBegin:
      return "'{%'";
    case Type::kBlockEnd:
      return "'%}'";
    case Type::kString:
      return "a text in quotation marks";
    case Type::kInteger:
    case Type::kReal:
      return "a number";
    case Type::kEnd:
      return "the end of the template";
    default:
      return "'" + token.text + "'";
  }
}

class Parser {
 public:
  explicit Parser(std::string_view source) : m_tokens(tokensOf(source)) {
    for (const char* name : {"loop", "caller", "varargs", "kwargs"}) idOf(name);
  }

  Program run() {
    m_program.body = parseBlock({});
    // As Jinja does: once the whole text has been read.
    if (!m_unknown.empty()) throw m_unknown.front();
    return std::move(m_program);
  }

 private:
  // ---- tokens ----

  const Token& current() const { return m_tokens[m_at]; }
  const Token& next() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)]; }
  Token take() {
    Token token = m_tokens[m_at];
    if (token.type != Type::kEnd) ++m_at;
    return token;
  }
  [[noreturn]] static void failAt(Place place, const std::string& problem) {
    throw TemplateError(ErrorKind::kSyntax, place, problem);
  }
  [[noreturn]] void failHere(const std::string& wanted) const {
    failAt(current().place, wanted + " is missing before " + described(current()) + ".");
  }

  bool isName(std::string_view name) const { return current().isName(name); }
  bool isOperator(std::string_view sign) const { return current().isOperator(sign); }
  bool takeName(std::string_view name) {
    if (!isName(name)) return false;
    ++m_at;
    return true;
  }
  bool takeOperator(std::string_view sign) {
    if (!isOperator(sign)) return false;
    ++m_at;
    return true;
  }
  void requireOperator(std::string_view sign) {
    if (!takeOperator(sign)) failHere("'" + std::string(sign) + "'");
  }
  void requireName(std::string_view name) {
    if (!takeName(name)) failHere("'" + std::string(name) + "'");
  }
  Token requireType(Type type, const std::string& what) {
    if (current().type != type) failHere(what);
    return take();
  }

  NameId idOf(const std::string& name) {
    const auto [found, isNew] = m_ids.emplace(name, static_cast<NameId>(m_program.names.size()));
    if (isNew) m_program.names.push_back(name);
    return found->second;
  }

  // Counts the levels of the parser's own recursion.
  class Level {
   public:
    explicit Level(Parser& parser) : m_parser(parser) {
      if (++parser.m_depth > kDeepest) failAt(parser.current().place, "The template is nested too deep.");
    }
    ~Level() { --m_parser.m_depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& m_parser;
  };

  static int heightOf(const ExpressionPointer& expression) { return expression ? expression->height : 0; }
  static int heightOf(const Expressions& expressions) {
    int height = 0;
    for (const auto& expression : expressions) height = std::max(height, expression->height);
    return height;
  }
  static int heightOf(const ArgumentList& arguments) {
    int height = std::max(
        {heightOf(arguments.positional), heightOf(arguments.morePositional), heightOf(arguments.moreNamed)});
    for (const auto& [name, value] : arguments.named) height = std::max(height, value->height);
    return height;
  }

  template <typename Body>
  static ExpressionPointer make(Place place, int heightBelow, Body body) {
    if (heightBelow >= kHighest) failAt(place, "The expression is nested too deep.");
    return std::make_unique<const Expression>(Expression{place, std::move(body), heightBelow + 1});
  }

  static ExpressionPointer binary(Place place, BinarySign sign, ExpressionPointer left,
                                  ExpressionPointer right) {
    const int height = std::max(left->height, right->height);
    return make(place, height, Binary{sign, std::move(left), std::move(right)});
  }

  // ---- blocks and statements ----

  bool isEndTag(std::initializer_list<std::string_view> ends) const {
    return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return isName(end); });
  }

  // Up to a tag that begins with one of `ends`, or to the end of the template if there are none. That name is
  // the current token then.
  Block parseBlock(std::initializer_list<std::string_view> ends) {
    const Level level(*this);
    const Place opened = current().place;
    Block block;
    while (current().type != Type::kEnd) {
      const Token token = take();
      if (token.type == Type::kText) {
        block.push_back({token.place, Text{token.text}});
      } else if (token.type == Type::kVariableBegin) {
        block.push_back({token.place, Output{parseTuple(true)}});
        requireType(Type::kVariableEnd, "'}}'");
      } else {
        if (isEndTag(ends)) return block;
        parseStatement(block, token.place, ends);
        requireType(Type::kBlockEnd, "'%}'");
      }
    }
    if (ends.size() > 0)
      failAt(opened, "The block has no end: '{% " + std::string(*(ends.end() - 1)) + " %}' is missing.");
    return block;
  }

  // The body of a block statement, from the end of its tag to its end tag.
  Block parseBody(std::initializer_list<std::string_view> ends) {
    takeOperator(":");
    requireType(Type::kBlockEnd, "'%}'");
    return parseBlock(ends);
  }
  // The same, in a frame of its own; the end tag's name is taken.
  Block parseOwnBody(std::string_view end) {
    const Frame frame(*this, m_loops);
    Block block = parseBody({end});
    take();
    return block;
  }

  // What surrounds a statement, restored when it ends: see m_soft and m_loops.
  class Frame {
   public:
    Frame(Parser& parser, int loops, bool soft = false)
        : m_parser(parser), m_loops(parser.m_loops), m_soft(parser.m_soft) {
      parser.m_loops = loops;
      parser.m_soft = soft;
    }
    ~Frame() {
      m_parser.m_loops = m_loops;
      m_parser.m_soft = m_soft;
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    Parser& m_parser;
    int m_loops;
    bool m_soft;
  };

  void parseStatement(Block& block, Place place, std::initializer_list<std::string_view> ends) {
    using Parse = void (Parser::*)(Block&, Place);
    static const std::unordered_map<std::string_view, Parse> kStatements = {
        {"set", &Parser::parseSet},
        {"for", &Parser::parseFor},
        {"if", &Parser::parseIf},
        {"with", &Parser::parseWith},
        {"macro", &Parser::parseMacro},
        {"call", &Parser::parseCallBlock},
        {"filter", &Parser::parseFilterBlock},
        {"print", &Parser::parsePrint},
        {"generation", &Parser::parseGeneration},
        {"break", &Parser::parseBreak},
        {"continue", &Parser::parseContinue},
    };
    static constexpr std::array<std::string_view, 6> kLeftOut = {"block",  "extends", "include",
                                                                 "import", "from",    "autoescape"};
    const Token token = requireType(Type::kName, "the name of a tag");
    if (const auto found = kStatements.find(token.text); found != kStatements.end())
      return (this->*found->second)(block, place);
    if (std::find(kLeftOut.begin(), kLeftOut.end(), token.text) != kLeftOut.end())
      failAt(token.place, "The tag '" + token.text + "' is not supported.");
    const std::string open =
        ends.size() == 0 ? "" : " '{% " + std::string(*(ends.end() - 1)) + " %}' is missing before it, or";
    failAt(token.place, "The tag '" + token.text + "' is out of place:" + open + " there is no such tag.");
  }

  void parseSet(Block& block, Place place) {
    Target target = parseTarget({}, true);
    if (takeOperator("=")) {
      block.push_back({place, Assignment{std::move(target), parseTuple(true)}});
      return;
    }
    ExpressionPointer filter = parseFilters(nullptr);
    Block body = parseOwnBody("endset");
    block.push_back({place, BlockAssignment{std::move(target), std::move(filter), std::move(body)}});
  }

  void parseFor(Block& block, Place place) {
    const Frame frame(*this, m_loops + 1);
    ++m_loopNames;  // inside of it `loop` is taken
    For loop;
    loop.target = parseTarget({"in"}, false);
    requireName("in");
    loop.items = parseTuple(false, {"recursive"});
    if (takeName("if")) loop.condition = parseExpression();
    loop.isRecursive = takeName("recursive");
    loop.body = parseBody({"else", "endfor"});
    if (take().text == "else") {
      const Frame outside(*this, m_loops - 1);
      loop.otherwise = parseBody({"endfor"});
      take();
    }
    --m_loopNames;
    block.push_back({place, std::move(loop)});
  }

  void parseIf(Block& block, Place place) {
    const Frame frame(*this, m_loops, true);
    If branches;
    while (true) {
      ExpressionPointer condition = parseTuple(false);
      Block body = parseBody({"elif", "else", "endif"});
      branches.branches.emplace_back(std::move(condition), std::move(body));
      if (takeName("elif")) continue;
      if (takeName("else")) branches.otherwise = parseBody({"endif"});
      requireName("endif");
      break;
    }
    block.push_back({place, std::move(branches)});
  }

  void parseWith(Block& block, Place place) {
    With with;
    while (current().type != Type::kBlockEnd) {
      if (!with.variables.empty()) requireOperator(",");
      Target target = parseTarget({}, false);
      requireOperator("=");
      with.variables.emplace_back(std::move(target), parseExpression());
    }
    with.body = parseOwnBody("endwith");
    block.push_back({place, std::move(with)});
  }

  void parseParameters(MacroBody& macro) {
    requireOperator("(");
    while (!isOperator(")")) {
      if (!macro.parameters.empty()) requireOperator(",");
      const Token name = requireType(Type::kName, "the name of a parameter");
      ExpressionPointer otherwise;
      if (takeOperator("="))
        otherwise = parseExpression();
      else if (!macro.parameters.empty() && macro.parameters.back().otherwise)
        failAt(name.place, "A parameter without a default stands behind one that has a default.");
      macro.parameters.push_back({idOf(name.text), std::move(otherwise)});
    }
    requireOperator(")");
  }

  // The body of a macro and what it uses of the special names, unless a parameter has that name.
  void parseMacroBody(MacroBody& macro, std::string_view end, Place place) {
    const Frame frame(*this, 0);
    const auto outer = m_used;
    m_used = {};
    macro.body = parseBody({end});
    take();
    const auto isParameter = [&](NameId id) {
      return std::any_of(macro.parameters.begin(), macro.parameters.end(),
                         [&](const Parameter& parameter) { return parameter.name == id; });
    };
    macro.usesCaller = m_used[kCallerName] && !isParameter(kCallerName);
    macro.usesPositional = m_used[kPositionalName] && !isParameter(kPositionalName);
    macro.usesNamed = m_used[kNamedName] && !isParameter(kNamedName);
    for (const Parameter& parameter : macro.parameters)
      if (parameter.name == kCallerName && m_used[kCallerName] && !parameter.otherwise)
        failAt(place, "The parameter 'caller' needs a default.");
    for (std::size_t i = 0; i < m_used.size(); ++i) m_used[i] = m_used[i] || outer[i];
  }

  void parseMacro(Block& block, Place place) {
    const Token name = requireType(Type::kName, "the name of the macro");
    auto macro = std::make_shared<MacroBody>();
    macro->name = name.text;
    parseParameters(*macro);
    parseMacroBody(*macro, "endmacro", place);
    block.push_back({place, MacroDefinition{idOf(name.text), std::move(macro)}});
  }

  void parseCallBlock(Block& block, Place place) {
    auto caller = std::make_shared<MacroBody>();
    caller->name = "caller";
    if (isOperator("(")) parseParameters(*caller);
    ExpressionPointer call = parseExpression();
    if (!std::holds_alternative<CallOf>(call->body)) failAt(place, "A call block calls nothing.");
    parseMacroBody(*caller, "endcall", place);
    block.push_back({place, CallBlock{std::move(call), std::move(caller)}});
  }

  void parseFilterBlock(Block& block, Place place) {
    ExpressionPointer filter = parseFilters(nullptr, true);
    Block body = parseOwnBody("endfilter");
    block.push_back({place, FilterBlock{std::move(filter), std::move(body)}});
  }

  void parsePrint(Block& block, Place place) {
    for (bool first = true; current().type != Type::kBlockEnd; first = false) {
      if (!first) requireOperator(",");
      block.push_back({place, Output{parseExpression()}});
    }
  }

  void parseGeneration(Block& block, Place place) {
    const Frame frame(*this, 0);
    Block body = parseBody({"endgeneration"});
    take();
    block.push_back({place, Generation{std::move(body)}});
  }

  void parseBreak(Block& block, Place place) {
    if (m_loops == 0) failAt(place, "'break' stands outside of a loop.");
    block.push_back({place, Break{}});
  }
  void parseContinue(Block& block, Place place) {
    if (m_loops == 0) failAt(place, "'continue' stands outside of a loop.");
    block.push_back({place, Continue{}});
  }

  // ---- targets ----

  Target parseOneTarget(bool withAttributes) {
    const Level level(*this);
    const Place place = current().place;
    if (takeOperator("(")) {
      Target target = parseTarget({}, withAttributes);
      requireOperator(")");
      return target;
    }
    const Token name = requireType(Type::kName, "a name to assign to");
    static constexpr std::array<std::string_view, 6> kConstants = {"true", "false", "none",
                                                                   "True", "False", "None"};
    if (std::find(kConstants.begin(), kConstants.end(), name.text) != kConstants.end())
      failAt(place, "'" + name.text + "' is a constant, which nothing is assigned to.");
    Target target;
    target.place = place;
    target.name = idOf(name.text);
    if (withAttributes && takeOperator("."))
      target.attribute = requireType(Type::kName, "the name of an attribute").text;
    else if (target.name == kLoopName && m_loopNames > 0)
      failAt(place, "Inside of a loop 'loop' is taken.");
    return target;
  }

  Target parseTarget(std::initializer_list<std::string_view> ends, bool withAttributes) {
    Target tuple;
    tuple.place = current().place;
    tuple.isTuple = true;
    bool commas = false;
    while (true) {
      if (!tuple.parts.empty()) requireOperator(",");
      if (isTupleEnd(ends)) break;
      tuple.parts.push_back(parseOneTarget(withAttributes));
      if (!isOperator(",")) break;
      commas = true;
    }
    if (tuple.parts.empty()) failHere("a name to assign to");
    return commas ? tuple : tuple.parts.front();
  }

  // ---- expressions, from the loosest binding to the tightest ----

  bool isTupleEnd(std::initializer_list<std::string_view> ends) const {
    return current().type == Type::kVariableEnd || current().type == Type::kBlockEnd || isOperator(")") ||
           isEndTag(ends);
  }

  // Expressions with commas between are a tuple; one alone is itself.
  ExpressionPointer parseTuple(bool withConditional, std::initializer_list<std::string_view> ends = {},
                               bool inBrackets = false) {
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

  ExpressionPointer parseExpression() {
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

  ExpressionPointer parseOr() {
    ExpressionPointer left = parseAnd();
    while (isName("or")) {
      const Place place = take().place;
      left = binary(place, BinarySign::kOr, std::move(left), parseAnd());
    }
    return left;
  }

  ExpressionPointer parseAnd() {
    ExpressionPointer left = parseNot();
    while (isName("and")) {
      const Place place = take().place;
      left = binary(place, BinarySign::kAnd, std::move(left), parseNot());
    }
    return left;
  }

  ExpressionPointer parseNot() {
    if (!isName("not")) return parseComparison();
    const Level level(*this);
    const Place place = take().place;
    return unary(place, UnarySign::kNot, parseNot());
  }

  static ExpressionPointer unary(Place place, UnarySign sign, ExpressionPointer operand) {
    const int height = operand->height;
    return make(place, height, Unary{sign, std::move(operand)});
  }

  std::optional<ComparisonSign> takeComparisonSign() {
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
    m_at += 2;
    return ComparisonSign::kNotIn;
  }

  ExpressionPointer parseComparison() {
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

  ExpressionPointer parseSum() {
    ExpressionPointer left = parseConcatenation();
    while (isOperator("+") || isOperator("-")) {
      const Token sign = take();
      left = binary(sign.place, sign.text == "+" ? BinarySign::kAdd : BinarySign::kSubtract, std::move(left),
                    parseConcatenation());
    }
    return left;
  }

  ExpressionPointer parseConcatenation() {
    ExpressionPointer first = parseProduct();
    if (!isOperator("~")) return first;
    const Place place = current().place;
    Expressions parts;
    parts.push_back(std::move(first));
    while (takeOperator("~")) parts.push_back(parseProduct());
    const int height = heightOf(parts);
    return make(place, height, Concatenation{std::move(parts)});
  }

  ExpressionPointer parseProduct() {
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

  ExpressionPointer parsePower() {
    ExpressionPointer left = parseUnary(true);
    while (isOperator("**")) {
      const Place place = take().place;
      left = binary(place, BinarySign::kPower, std::move(left), parseUnary(true));
    }
    return left;
  }

  ExpressionPointer parseUnary(bool withFilters) {
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

  ExpressionPointer parsePrimary() {
    const Token token = current();
    switch (token.type) {
      case Type::kName:
        ++m_at;
        return parseName(token);
      case Type::kString: {
        std::string text;
        while (current().type == Type::kString) text += take().text;
        return make(token.place, 0, Literal{Value::string(text)});
      }
      case Type::kInteger:
        ++m_at;
        return make(token.place, 0, Literal{Value::integer(token.whole)});
      case Type::kReal:
        ++m_at;
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

  ExpressionPointer parseName(const Token& token) {
    if (token.text == "true" || token.text == "True" || token.text == "false" || token.text == "False")
      return make(token.place, 0, Literal{Value::boolean(token.text == "true" || token.text == "True")});
    if (token.text == "none" || token.text == "None") return make(token.place, 0, Literal{Value::none()});
    const NameId id = idOf(token.text);
    if (id < kSpecialNames) m_used[id] = true;
    return make(token.place, 0, Name{id});
  }

  ExpressionPointer parseList() {
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

  ExpressionPointer parseMapping() {
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

  ExpressionPointer parsePostfix(ExpressionPointer value) {
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

  ExpressionPointer parseAttribute(ExpressionPointer object) {
    const Place place = take().place;
    const int height = object->height;
    const Token name = take();
    if (name.type == Type::kName) return make(place, height, AttributeOf{std::move(object), name.text});
    if (name.type != Type::kInteger) failAt(name.place, "A name or a number is missing behind '.'.");
    ExpressionPointer key = make(name.place, 0, Literal{Value::integer(name.whole)});
    return make(place, height, ItemOf{std::move(object), std::move(key)});
  }

  ExpressionPointer parseItem(ExpressionPointer object) {
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
    return make(place, height,
                SliceOf{std::move(object), std::move(start), std::move(stop), std::move(step)});
  }

  ExpressionPointer parseTupleKey(ExpressionPointer first) {
    const Place place = first->place;
    Expressions items;
    items.push_back(std::move(first));
    while (takeOperator(",") && !isOperator("]")) items.push_back(parseExpression());
    const int height = heightOf(items);
    return make(place, height, ListLiteral{std::move(items), true});
  }

  ExpressionPointer parseCall(ExpressionPointer callee) {
    const Place place = callee->place;
    ArgumentList arguments = parseArguments();
    const int height = std::max(callee->height, heightOf(arguments));
    return make(place, height, CallOf{std::move(callee), std::move(arguments)});
  }

  ArgumentList parseArguments() {
    const Place place = current().place;
    requireOperator("(");
    ArgumentList arguments;
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
        for (const auto& [known, value] : arguments.named)
          if (known == name.text) failAt(name.place, "The argument '" + name.text + "' is given twice.");
        arguments.named.emplace_back(name.text, parseExpression());
      } else {
        require(!arguments.morePositional && !arguments.moreNamed && arguments.named.empty());
        arguments.positional.push_back(parseExpression());
      }
    }
    requireOperator(")");
    return arguments;
  }

  ExpressionPointer parseFiltersAndTests(ExpressionPointer value) {
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

  std::string parseDottedName(const std::string& what) {
    std::string name = requireType(Type::kName, what).text;
    while (takeOperator(".")) name += "." + requireType(Type::kName, what).text;
    return name;
  }

  void noteUnknown(Place place, const std::string& problem) {
    if (!m_soft) m_unknown.emplace_back(ErrorKind::kSyntax, place, problem);
  }

  // "|name(...)" any number of times; the first one without its bar where `begun`.
  ExpressionPointer parseFilters(ExpressionPointer value, bool begun = false) {
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

  ExpressionPointer parseTest(ExpressionPointer value) {
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
  bool beginsArgument() const {
    if (isName("else") || isName("or") || isName("and")) return false;
    const Type type = current().type;
    return type == Type::kName || type == Type::kString || type == Type::kInteger || type == Type::kReal ||
           isOperator("[") || isOperator("{");
  }

  std::vector<Token> m_tokens;
  std::size_t m_at = 0;
  int m_depth = 0;
  Program m_program;
  std::unordered_map<std::string, NameId> m_ids;
  int m_loops = 0;      // that a break could end
  int m_loopNames = 0;  // loops around this place, macros or not
  bool m_soft = false;  // directly in an `if`, where an unknown filter fails only when it is used
  std::vector<TemplateError> m_unknown;
  std::array<bool, kSpecialNames> m_used{};  // of the special names, in the innermost macro
};

}  // namespace

Program parseProgram(std::string_view source) { return Parser(source).run(); }

}  // namespace vitrine::jinja
