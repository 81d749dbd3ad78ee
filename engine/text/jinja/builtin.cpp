#include "text/jinja/builtin.h"

#include <algorithm>

#include "text/jinja/fault.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/operators.h"
#include "text/jinja/printer.h"

namespace vitrine::jinja {
namespace {

[[noreturn]] void failArgument(const Builtin& builtin, std::string_view problem, std::string_view argument) {
  fail(std::string(builtin.name) + " " + std::string(problem) + " " + std::string(argument) + ".");
}

}  // namespace

Builtin::Builtin(std::string_view newName, std::string_view words, Function newFunction)
    : name(newName), function(newFunction) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    if (word == "/") {
      positionalOnly = true;
    } else if (word == "*") {
      anyPositional = true;
    } else if (word == "**") {
      anyNamed = true;
    } else if (word.front() == '[') {
      parameters.push_back(word.substr(1, word.size() - 2));
    } else {
      parameters.push_back(word);
      required = parameters.size();
    }
  }
}

BuiltinTable::BuiltinTable(std::initializer_list<Builtin> rows) {
  for (const Builtin& row : rows) m_rows.emplace(row.name, row);
}

const Builtin* BuiltinTable::find(std::string_view name) const {
  const auto found = m_rows.find(name);
  return found == m_rows.end() ? nullptr : &found->second;
}

Call::Call(Interpreter& interpreter, const Builtin& builtin, Value self, Arguments arguments)
    : m_interpreter(interpreter),
      m_builtin(builtin),
      m_self(std::move(self)),
      m_values(builtin.parameters.size()) {
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    if (i < m_values.size())
      m_values[i] = std::move(arguments.positional[i]);
    else if (builtin.anyPositional)
      m_rest.positional.push_back(std::move(arguments.positional[i]));
    else
      failArgument(builtin, "takes fewer arguments than", std::to_string(i + 1));
  }
  for (auto& [key, value] : arguments.named) {
    const auto found = builtin.positionalOnly
                           ? builtin.parameters.end()
                           : std::find(builtin.parameters.begin(), builtin.parameters.end(), key);
    if (found != builtin.parameters.end()) {
      auto& place = m_values[static_cast<std::size_t>(found - builtin.parameters.begin())];
      if (place) failArgument(builtin, "got two values for", key);
      place = std::move(value);
    } else if (builtin.anyNamed) {
      m_rest.named.emplace_back(std::move(key), std::move(value));
    } else {
      failArgument(builtin, "has no argument", key);
    }
  }
  for (std::size_t i = 0; i < builtin.required; ++i)
    if (!m_values[i]) failArgument(builtin, "needs the argument", builtin.parameters[i]);
}

Budget& Call::budget() { return m_interpreter.budget(); }

void Call::failType(std::size_t index, std::string_view wanted) const {
  fail(std::string(m_builtin.name) + " needs " + std::string(wanted) + " for " +
       std::string(m_builtin.parameters[index]) + ", not a value of type " +
       std::string(typeName(*m_values[index])) + ".");
}

Value Call::valueOr(std::size_t index, const Value& otherwise) const {
  return m_values[index] ? *m_values[index] : otherwise;
}

std::int64_t Call::whole(std::size_t index) const {
  if (!value(index).isWhole()) failType(index, "a whole number");
  return value(index).asWhole();
}

std::int64_t Call::wholeOr(std::size_t index, std::int64_t otherwise) const {
  return has(index) ? whole(index) : otherwise;
}

bool Call::truthOr(std::size_t index, bool otherwise) const {
  return has(index) ? isTrue(value(index)) : otherwise;
}

const String& Call::text(std::size_t index) const {
  if (!value(index).isString()) failType(index, "a text");
  return value(index).asString();
}

Value callBuiltin(Interpreter& interpreter, const Builtin& builtin, Value self, Arguments arguments) {
  Call call(interpreter, builtin, std::move(self), std::move(arguments));
  return builtin.function(call);
}

void BoundBuiltin::print(Printer& printer) const {
  printer.write("<built-in method " + std::string(m_builtin.name) + ">");
}

Value BoundBuiltin::call(Interpreter& interpreter, Arguments&& arguments) {
  return callBuiltin(interpreter, m_builtin, m_self, std::move(arguments));
}

}  // namespace vitrine::jinja
