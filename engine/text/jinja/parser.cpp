#include "text/jinja/parser.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "text/jinja/expression_parser.h"
#include "text/jinja/lexer.h"
#include "text/jinja/template_error.h"

namespace vitrine::jinja {
namespace {

// The statements.
class StatementParser : private ExpressionParser {
 public:
  explicit StatementParser(std::string_view source) : ExpressionParser(tokensOf(source)) {
    for (const char* name : {"loop", "caller", "varargs", "kwargs"}) idOf(name);
  }

  Program run() {
    Block body = parseBlock({});
    // As Jinja does: once the whole text has been read.
    if (!unknown().empty()) throw unknown().front();
    return {std::move(body), names()};
  }

 private:
  using Type = Token::Type;

  // ---- blocks and statements ----

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
        if (isAnyName(ends)) return block;
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

  // What surrounds a statement, restored when it ends.
  class Frame {
   public:
    Frame(StatementParser& parser, int loops, bool soft = false)
        : m_parser(parser), m_loops(parser.m_loops), m_soft(parser.isSoft()) {
      parser.m_loops = loops;
      parser.setSoft(soft);
    }
    ~Frame() {
      m_parser.m_loops = m_loops;
      m_parser.setSoft(m_soft);
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    StatementParser& m_parser;
    int m_loops;
    bool m_soft;
  };

  void parseStatement(Block& block, Place place, std::initializer_list<std::string_view> ends) {
    using Parse = void (StatementParser::*)(Block&, Place);
    static const std::unordered_map<std::string_view, Parse> kStatements = {
        {"set", &StatementParser::parseSet},
        {"for", &StatementParser::parseFor},
        {"if", &StatementParser::parseIf},
        {"with", &StatementParser::parseWith},
        {"macro", &StatementParser::parseMacro},
        {"call", &StatementParser::parseCallBlock},
        {"filter", &StatementParser::parseFilterBlock},
        {"print", &StatementParser::parsePrint},
        {"generation", &StatementParser::parseGeneration},
        {"break", &StatementParser::parseBreak},
        {"continue", &StatementParser::parseContinue},
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
    const Used outer = used();
    setUsed({});
    macro.body = parseBody({end});
    take();
    const auto isParameter = [&](NameId id) {
      return std::any_of(macro.parameters.begin(), macro.parameters.end(),
                         [&](const Parameter& parameter) { return parameter.name == id; });
    };
    const Used inner = used();
    macro.usesCaller = inner[kCallerName] && !isParameter(kCallerName);
    macro.usesPositional = inner[kPositionalName] && !isParameter(kPositionalName);
    macro.usesNamed = inner[kNamedName] && !isParameter(kNamedName);
    for (const Parameter& parameter : macro.parameters)
      if (parameter.name == kCallerName && inner[kCallerName] && !parameter.otherwise)
        failAt(place, "The parameter 'caller' needs a default.");
    Used both = outer;
    for (std::size_t i = 0; i < both.size(); ++i) both[i] = both[i] || inner[i];
    setUsed(both);
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

  int m_loops = 0;      // that a break could end
  int m_loopNames = 0;  // loops around this place, macros or not
};

}  // namespace

Program parseProgram(std::string_view source) { return StatementParser(source).run(); }

}  // namespace vitrine::jinja
