// The statements; expressions.cpp has the expressions.
#include "text/jinja/interpreter.h"

#include <algorithm>
#include <unordered_map>

#include "text/jinja/fault.h"
#include "text/jinja/globals.h"
#include "text/jinja/iteration.h"
#include "text/jinja/loop.h"
#include "text/jinja/macro.h"
#include "text/jinja/namespace.h"
#include "text/jinja/operators.h"
#include "text/jinja/printer.h"

namespace vitrine::jinja {
namespace {

std::uint64_t weightOf(const Variables& variables) {
  std::uint64_t weight = 0;
  for (const auto& [name, value] : variables) weight += std::min(value.extent().weight, ~weight);
  return weight;
}

// Restores a variable when it goes.
template <typename Type>
class Restored {
 public:
  Restored(Type& variable, Type value) : m_variable(variable), m_before(variable) { variable = value; }
  ~Restored() { m_variable = m_before; }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  Type& m_variable;
  Type m_before;
};

// The items that a condition selects; it is asked when an item is needed, since the loop's body may change
// what it depends on.
template <typename Select>
class Selected : public Iterator {
 public:
  Selected(std::unique_ptr<Iterator> source, Select select) : m_source(std::move(source)), m_select(select) {}
  bool next(Value& item) override {
    while (m_source->next(item))
      if (m_select(item)) return true;
    return false;
  }

 private:
  std::unique_ptr<Iterator> m_source;
  Select m_select;
};

template <typename Select>
std::unique_ptr<Iterator> selected(std::unique_ptr<Iterator> source, Select select) {
  return std::make_unique<Selected<Select>>(std::move(source), select);
}

}  // namespace

Interpreter::Interpreter(const Program& program, const Variables& variables, const RenderOptions& options)
    : m_program(program),
      m_options(options),
      m_budget(options.limits, weightOf(variables)),
      m_globals(std::make_shared<Scope>(nullptr)) {
  std::unordered_map<std::string_view, const Value*> given;
  for (const auto& [name, value] : variables) given[name] = &value;
  for (NameId id = 0; id < program.names.size(); ++id) {
    if (const auto found = given.find(program.names[id]); found != given.end())
      m_globals->set(id, *found->second);
    else if (const Builtin* function = findGlobal(program.names[id]))
      m_globals->set(id, Value::object(std::make_shared<BoundBuiltin>(*function, Value())));
  }
}

Interpreter::~Interpreter() {
  for (const auto& object : m_tracked) object->release();
  for (const auto& scope : m_closures) scope->clear();
}

MarkedText Interpreter::run() {
  return captured([&] { run(m_program.body, std::make_shared<Scope>(m_globals)); });
}

Interpreter::Flow Interpreter::run(const Block& block, const ScopePointer& scope) {
  for (const Statement& statement : block)
    if (const Flow flow = run(statement, scope); flow != Flow::kNext) return flow;
  return Flow::kNext;
}

Interpreter::Flow Interpreter::run(const Statement& statement, const ScopePointer& scope) {
  try {
    m_budget.step();
    const Budget::Level level(m_budget);
    return std::visit([&](const auto& body) { return runBody(body, statement.place, scope); },
                      statement.body);
  } catch (const Fault& fault) {
    throw TemplateError(fault.kind, statement.place, fault.problem);
  }
}

template <typename Work>
MarkedText Interpreter::captured(Work work) {
  MarkedText text;
  const Restored output(m_output, &text);
  work();
  return text;
}

void Interpreter::write(const Value& value, Place place) {
  if (value.isUndefined()) return;
  const MarkedText text = value.isString() ? MarkedText() : printed(value, m_budget);
  const MarkedText& written = value.isString() ? value.marked() : text;
  m_budget.allowText(m_output->size() + written.size());
  m_budget.takeText(written);
  m_output->appendWritten(written, place, m_owner);
}

Interpreter::Flow Interpreter::runBody(const Text& text, Place place, const ScopePointer&) {
  m_budget.allowText(m_output->size() + text.text.size());
  m_budget.takeText(text.text.size());
  m_output->append(text.text, {.owner = m_owner, .place = place});
  return Flow::kNext;
}

Interpreter::Flow Interpreter::runBody(const Output& output, Place place, const ScopePointer& scope) {
  write(evaluate(output.value, scope), place);
  return Flow::kNext;
}

void Interpreter::assign(const Target& target, Value value, const ScopePointer& scope) {
  if (target.isTuple) {
    const auto items = iterate(value);
    Value item;
    for (const Target& part : target.parts) {
      m_budget.step();
      if (!items->next(item)) fail("There are fewer values than names to assign them to.");
      assign(part, std::move(item), scope);
    }
    if (items->next(item)) fail("There are more values than names to assign them to.");
  } else if (target.attribute) {
    const Value* object = scope->find(target.name);
    const auto space = object ? object->objectAs<Namespace>() : nullptr;
    if (!space) fail("Only a namespace has attributes that can be assigned to.");
    m_budget.takeText(target.attribute->size());
    space->set(*target.attribute, std::move(value));
  } else {
    scope->set(target.name, std::move(value));
  }
}

Interpreter::Flow Interpreter::runBody(const Assignment& assignment, Place, const ScopePointer& scope) {
  assign(assignment.target, evaluate(assignment.value, scope), scope);
  return Flow::kNext;
}

Interpreter::Flow Interpreter::runBody(const BlockAssignment& assignment, Place, const ScopePointer& scope) {
  const auto inner = std::make_shared<Scope>(scope);
  Flow flow = Flow::kNext;
  MarkedText text = captured([&] { flow = run(assignment.body, inner); });
  if (flow != Flow::kNext) return flow;
  Value value = Value::string(std::move(text));
  if (assignment.filter) value = applyFilters(assignment.filter, std::move(value), inner);
  assign(assignment.target, std::move(value), scope);
  return Flow::kNext;
}

Interpreter::Flow Interpreter::runBody(const For& loop, Place place, const ScopePointer& scope) {
  const Value items = evaluate(loop.items, scope);
  if (loop.isRecursive) {
    m_closures.push_back(scope);
    write(callLoop(loop, scope, items, 0), place);
  } else {
    runLoop(loop, scope, items, 0);
  }
  return Flow::kNext;
}

Value Interpreter::callLoop(const For& loop, const ScopePointer& scope, const Value& items,
                            std::int64_t depth) {
  const Budget::Level level(m_budget);
  return Value::string(captured([&] { runLoop(loop, scope, items, depth); }));
}

void Interpreter::runLoop(const For& loop, const ScopePointer& scope, const Value& items,
                          std::int64_t depth) {
  auto source = iterate(items);
  std::optional<std::int64_t> length = lengthOf(items);
  if (loop.condition) {
    length.reset();
    source = selected(std::move(source), [&](const Value& item) {
      m_budget.step();
      const auto inner = std::make_shared<Scope>(scope);
      assign(loop.target, item, inner);
      return isTrue(evaluate(loop.condition, inner));
    });
  }
  const auto state = std::make_shared<Loop>(items, std::move(source), length, loop, scope, depth);
  const Value stateValue = Value::object(state);
  bool any = false;  // a turn came to its end: Jinja counts no turn that a break or continue cut short
  const Restored owner(m_owner, m_owner);
  const Origin ownerOutside = m_owner;
  auto inner = std::make_shared<Scope>(scope);
  for (Value item; state->advance(item);) {
    m_budget.take(2);
    if (inner.use_count() > 1)
      inner = std::make_shared<Scope>(scope);
    else
      inner->clear();
    const Origin origin = item.mark().origin;
    m_owner = origin == kNoOrigin ? ownerOutside : origin;
    inner->set(kLoopName, stateValue);
    assign(loop.target, std::move(item), inner);
    const Flow flow = run(loop.body, inner);
    if (flow == Flow::kBreak) break;
    any = any || flow == Flow::kNext;
  }
  m_owner = ownerOutside;
  if (!any) run(loop.otherwise, std::make_shared<Scope>(scope));
}

Interpreter::Flow Interpreter::runBody(const If& branches, Place, const ScopePointer& scope) {
  for (const auto& [condition, block] : branches.branches)
    if (isTrue(evaluate(condition, scope))) return run(block, scope);
  return run(branches.otherwise, scope);
}

Interpreter::Flow Interpreter::runBody(const With& with, Place, const ScopePointer& scope) {
  const auto inner = std::make_shared<Scope>(scope);
  for (const auto& [target, value] : with.variables) assign(target, evaluate(value, scope), inner);
  return run(with.body, inner);
}

Value Interpreter::makeMacro(const std::shared_ptr<const MacroBody>& macro, const ScopePointer& scope) {
  // The scope gets the macro, and the macro holds the scope.
  if (m_closures.empty() || m_closures.back() != scope) m_closures.push_back(scope);
  return Value::object(std::make_shared<Macro>(macro, scope));
}

Interpreter::Flow Interpreter::runBody(const MacroDefinition& definition, Place, const ScopePointer& scope) {
  scope->set(definition.name, makeMacro(definition.macro, scope));
  return Flow::kNext;
}

Value Interpreter::callMacro(const MacroBody& macro, const ScopePointer& scope, Arguments arguments) {
  const Budget::Level level(m_budget);
  m_budget.step();
  const auto inner = std::make_shared<Scope>(scope);
  auto& positional = arguments.positional;
  auto& named = arguments.named;
  m_budget.take(macro.parameters.size() * (1 + named.size()));
  const auto takeNamed = [&](const std::string& name) -> std::optional<Value> {
    const auto found = std::find_if(named.begin(), named.end(),
                                    [&](const auto& argument) { return argument.first == name; });
    if (found == named.end()) return std::nullopt;
    std::optional<Value> value = std::move(found->second);
    named.erase(found);
    return value;
  };
  std::vector<const Parameter*> missing;
  for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
    const Parameter& parameter = macro.parameters[i];
    if (i < positional.size())
      inner->set(parameter.name, std::move(positional[i]));
    else if (auto value = takeNamed(m_program.names[parameter.name]))
      inner->set(parameter.name, std::move(*value));
    else
      missing.push_back(&parameter);
  }
  if (macro.usesCaller) {
    auto caller = takeNamed("caller");
    inner->set(kCallerName,
               caller && !caller->isNone() ? *caller : Value::undefined("No call block is given."));
  }
  if (macro.usesNamed) {
    Mapping rest;
    for (auto& [name, value] : named) rest.set(Value::string(name), std::move(value));
    inner->set(kNamedName, Value::mapping(std::move(rest)));
  } else if (!named.empty()) {
    fail("The macro '" + macro.name + "' has no parameter '" + named.front().first + "'.");
  }
  const std::size_t taken = std::min(positional.size(), macro.parameters.size());
  if (macro.usesPositional) {
    inner->set(kPositionalName, Value::tuple(Values(positional.begin() + static_cast<std::ptrdiff_t>(taken),
                                                    positional.end())));
  } else if (positional.size() > taken) {
    fail("The macro '" + macro.name + "' takes at most " + std::to_string(taken) + " arguments.");
  }
  // A default may use the parameters before it. What comes behind it is not there yet.
  for (const Parameter* parameter : missing)
    inner->set(parameter->name,
               Value::undefined("The parameter '" + m_program.names[parameter->name] + "' was not given."));
  for (const Parameter* parameter : missing)
    if (parameter->otherwise) inner->set(parameter->name, evaluate(parameter->otherwise, inner));
  return Value::string(captured([&] { run(macro.body, inner); }));
}

Interpreter::Flow Interpreter::runBody(const CallBlock& block, Place place, const ScopePointer& scope) {
  const Value caller = makeMacro(block.caller, scope);
  write(evaluateCall(std::get<CallOf>(block.call->body), scope, &caller), place);
  return Flow::kNext;
}

Interpreter::Flow Interpreter::runBody(const FilterBlock& block, Place place, const ScopePointer& scope) {
  const auto inner = std::make_shared<Scope>(scope);
  Flow flow = Flow::kNext;
  MarkedText text = captured([&] { flow = run(block.body, inner); });
  if (flow != Flow::kNext) return flow;
  write(applyFilters(block.filter, Value::string(std::move(text)), inner), place);
  return Flow::kNext;
}

Interpreter::Flow Interpreter::runBody(const Generation& generation, Place, const ScopePointer& scope) {
  return run(generation.body, std::make_shared<Scope>(scope));
}

}  // namespace vitrine::jinja
