#include "text/jinja/loop.h"

#include <unordered_map>

#include "text/jinja/builtin.h"
#include "text/jinja/fault.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/operators.h"
#include "text/jinja/printer.h"

namespace vitrine::jinja {
namespace {

Value cycle(Call& call) {
  if (call.rest().empty()) fail("loop.cycle needs values to choose from.");
  return call.self().objectAs<Loop>()->atThisTurn(call.rest());
}

Value changed(Call& call) {
  return Value::boolean(call.self().objectAs<Loop>()->hasChanged(call.interpreter(), call.rest()));
}

const BuiltinTable& loopMethods() {
  static const BuiltinTable table = {{"cycle", "*", cycle}, {"changed", "*", changed}};
  return table;
}

}  // namespace

Loop::Loop(Value items, std::unique_ptr<Iterator> source, std::optional<std::int64_t> length,
           const For& syntax, std::shared_ptr<Scope> scope, std::int64_t depth)
    : m_items(std::move(items)),
      m_source(std::move(source)),
      m_length(length),
      m_syntax(syntax),
      m_scope(std::move(scope)),
      m_depth(depth) {
  m_extent.add(m_items);
}

bool Loop::peek() {
  if (m_after) return true;
  Value item;
  if (!m_source->next(item)) return false;
  m_after = std::move(item);
  return true;
}

bool Loop::advance(Value& item) {
  if (!peek()) return false;
  item = std::move(*m_after);
  m_after.reset();
  ++m_index;
  m_before = std::move(m_current);
  m_current = item;
  return true;
}

// Goes through all that is left, if the length is not known, and keeps it for the turns to come.
std::int64_t Loop::countAll() {
  if (m_length) return *m_length;
  Values rest;
  for (Value item; m_source->next(item);) rest.push_back(item);
  m_length = static_cast<std::int64_t>(rest.size()) + m_index + 1 + (m_after ? 1 : 0);
  m_source = std::make_shared<Generator>(std::move(rest))->iterate();
  return *m_length;
}

void Loop::print(Printer& printer) const {
  printer.write("<LoopContext " + std::to_string(m_index + 1) + "/" +
                (m_length ? std::to_string(*m_length) : "?") + ">");
}

std::optional<Value> Loop::attribute(std::string_view name) {
  using Read = Value (*)(Loop&);
  static const std::unordered_map<std::string_view, Read> kAttributes = {
      {"index", [](Loop& loop) { return Value::integer(loop.m_index + 1); }},
      {"index0", [](Loop& loop) { return Value::integer(loop.m_index); }},
      {"revindex", [](Loop& loop) { return Value::integer(loop.countAll() - loop.m_index); }},
      {"revindex0", [](Loop& loop) { return Value::integer(loop.countAll() - loop.m_index - 1); }},
      {"first", [](Loop& loop) { return Value::boolean(loop.m_index == 0); }},
      {"last", [](Loop& loop) { return Value::boolean(!loop.peek()); }},
      {"length", [](Loop& loop) { return Value::integer(loop.countAll()); }},
      {"depth", [](Loop& loop) { return Value::integer(loop.m_depth + 1); }},
      {"depth0", [](Loop& loop) { return Value::integer(loop.m_depth); }},
      {"previtem",
       [](Loop& loop) {
         return loop.m_index == 0 ? Value::undefined("There is no item before the first one.")
                                  : loop.m_before;
       }},
      {"nextitem",
       [](Loop& loop) {
         return loop.peek() ? *loop.m_after : Value::undefined("There is no item behind the last one.");
       }},
  };
  if (const auto found = kAttributes.find(name); found != kAttributes.end()) return found->second(*this);
  if (const Builtin* method = loopMethods().find(name))
    return Value::object(std::make_shared<BoundBuiltin>(*method, Value::object(shared_from_this())));
  return std::nullopt;
}

Value Loop::call(Interpreter& interpreter, Arguments&& arguments) {
  if (!m_syntax.isRecursive) fail("Only a loop that is marked 'recursive' can be called.");
  if (arguments.positional.size() != 1 || !arguments.named.empty()) fail("A recursive loop takes the items.");
  return interpreter.callLoop(m_syntax, m_scope, arguments.positional.front(), m_depth + 1);
}

const Value& Loop::atThisTurn(const Values& values) const {
  return values[static_cast<std::size_t>(m_index) % values.size()];
}

bool Loop::hasChanged(Interpreter& interpreter, Values values) {
  Value now = Value::tuple(std::move(values));
  if (m_changed && areEqual(*m_changed, now, interpreter.budget())) return false;
  if (!m_changed) interpreter.track(shared_from_this());
  m_changed = std::move(now);
  return true;
}

}  // namespace vitrine::jinja
