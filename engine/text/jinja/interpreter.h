// The interpreter: walks a syntax tree and writes its output.
//
// Thread: one thread; make one for each rendering.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja/budget.h"
#include "text/jinja/builtin.h"
#include "text/jinja/marked_text.h"
#include "text/jinja/render_options.h"
#include "text/jinja/scope.h"
#include "text/jinja/syntax.h"

namespace vitrine::jinja {

class Loop;

class Interpreter {
 public:
  // All must outlive it.
  Interpreter(const Program& program, const Variables& variables, const RenderOptions& options);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // Throws TemplateError.
  MarkedText run();

  // For builtins and objects, which throw a Fault.
  Budget& budget() { return m_budget; }
  const RenderOptions& options() const { return m_options; }
  Value call(const Value& callee, Arguments arguments);
  Value callFilter(const std::string& name, const Value& value, Arguments arguments);
  bool callTest(const std::string& name, const Value& value, Arguments arguments);
  // Frees what the object holds when the rendering ends: objects that change may hold one another.
  void track(std::shared_ptr<Object> object) { m_tracked.push_back(std::move(object)); }

  Value callMacro(const MacroBody& macro, const std::shared_ptr<Scope>& scope, Arguments arguments);
  Value callLoop(const For& loop, const std::shared_ptr<Scope>& scope, const Value& items,
                 std::int64_t depth);

 private:
  enum class Flow { kNext, kBreak, kContinue };
  using ScopePointer = std::shared_ptr<Scope>;

  // Statements.
  Flow run(const Block& block, const ScopePointer& scope);
  Flow run(const Statement& statement, const ScopePointer& scope);
  Flow runBody(const Text& text, Place place, const ScopePointer& scope);
  Flow runBody(const Output& output, Place place, const ScopePointer& scope);
  Flow runBody(const Assignment& assignment, Place place, const ScopePointer& scope);
  Flow runBody(const BlockAssignment& assignment, Place place, const ScopePointer& scope);
  Flow runBody(const For& loop, Place place, const ScopePointer& scope);
  Flow runBody(const If& branches, Place place, const ScopePointer& scope);
  Flow runBody(const With& with, Place place, const ScopePointer& scope);
  Flow runBody(const MacroDefinition& definition, Place place, const ScopePointer& scope);
  Flow runBody(const CallBlock& block, Place place, const ScopePointer& scope);
  Flow runBody(const FilterBlock& block, Place place, const ScopePointer& scope);
  Flow runBody(const Generation& generation, Place place, const ScopePointer& scope);
  Flow runBody(const Break&, Place, const ScopePointer&) { return Flow::kBreak; }
  Flow runBody(const Continue&, Place, const ScopePointer&) { return Flow::kContinue; }

  void runLoop(const For& loop, const ScopePointer& scope, const Value& items, std::int64_t depth);
  void write(const Value& value, Place place);
  // The output of `work`, as a text.
  template <typename Work>
  MarkedText captured(Work work);
  void assign(const Target& target, Value value, const ScopePointer& scope);
  Value makeMacro(const std::shared_ptr<const MacroBody>& macro, const ScopePointer& scope);

  // Expressions.
  Value evaluate(const ExpressionPointer& expression, const ScopePointer& scope);
  Value evaluateBody(const Literal& literal, const ScopePointer& scope);
  Value evaluateBody(const Name& name, const ScopePointer& scope);
  Value evaluateBody(const ListLiteral& list, const ScopePointer& scope);
  Value evaluateBody(const MappingLiteral& mapping, const ScopePointer& scope);
  Value evaluateBody(const AttributeOf& attribute, const ScopePointer& scope);
  Value evaluateBody(const ItemOf& item, const ScopePointer& scope);
  Value evaluateBody(const SliceOf& slice, const ScopePointer& scope);
  Value evaluateBody(const CallOf& call, const ScopePointer& scope);
  Value evaluateBody(const Filter& filter, const ScopePointer& scope);
  Value evaluateBody(const Test& test, const ScopePointer& scope);
  Value evaluateBody(const Unary& unary, const ScopePointer& scope);
  Value evaluateBody(const Binary& binary, const ScopePointer& scope);
  Value evaluateBody(const Comparison& comparison, const ScopePointer& scope);
  Value evaluateBody(const Concatenation& concatenation, const ScopePointer& scope);
  Value evaluateBody(const Conditional& conditional, const ScopePointer& scope);

  Arguments evaluateArguments(const ArgumentList& list, const ScopePointer& scope);
  Value applyFilter(const Filter& filter, Value value, const ScopePointer& scope);
  Value applyFilters(const ExpressionPointer& filters, Value text, const ScopePointer& scope);
  Value evaluateCall(const CallOf& call, const ScopePointer& scope, const Value* caller);

  const Program& m_program;
  const RenderOptions& m_options;
  Budget m_budget;
  ScopePointer m_globals;
  MarkedText* m_output = nullptr;  // of the template, or of the block that is being captured
  Origin m_owner = kNoOrigin;      // that of the innermost loop's item that has one
  std::vector<std::shared_ptr<Object>> m_tracked;
  std::vector<ScopePointer> m_closures;  // that macros hold, which they hold
};

}  // namespace vitrine::jinja
