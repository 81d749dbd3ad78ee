// Builtins: the filters, tests, functions and methods of Jinja, each a row of a table, and how a call finds
// its arguments.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/jinja/budget.h"
#include "text/jinja/object.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

struct Arguments {
  Values positional;
  std::vector<std::pair<std::string, Value>> named;
};

class Call;
using Function = Value (*)(Call&);

struct Builtin {
  // `parameters` are names with spaces between, the optional ones in brackets: "old new [count]". "/" in
  // front: they have no names for the caller. "*" and "**" take what is left.
  Builtin(std::string_view name, std::string_view parameters, Function function);

  std::string_view name;
  Function function;
  std::vector<std::string_view> parameters;
  std::size_t required = 0;
  bool positionalOnly = false, anyPositional = false, anyNamed = false;
};

class BuiltinTable {
 public:
  BuiltinTable(std::initializer_list<Builtin> rows);
  // Null when there is none of that name.
  const Builtin* find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, Builtin> m_rows;
};

// One call of a builtin: what it works on, and its arguments by the number of their parameter.
class Call {
 public:
  // Throws a Fault when the arguments do not fit the parameters.
  Call(Interpreter& interpreter, const Builtin& builtin, Value self, Arguments arguments);

  Interpreter& interpreter() { return m_interpreter; }
  Budget& budget();
  const Builtin& builtin() const { return m_builtin; }

  const Value& self() const { return m_self; }
  bool has(std::size_t index) const { return m_values[index].has_value(); }
  // Of a required argument.
  const Value& value(std::size_t index) const { return *m_values[index]; }
  Value valueOr(std::size_t index, const Value& otherwise) const;
  std::int64_t whole(std::size_t index) const;
  std::int64_t wholeOr(std::size_t index, std::int64_t otherwise) const;
  bool truthOr(std::size_t index, bool otherwise) const;
  const String& text(std::size_t index) const;  // which must be one
  const Values& rest() const { return m_rest.positional; }
  const std::vector<std::pair<std::string, Value>>& restNamed() const { return m_rest.named; }
  Arguments takeRest() { return std::move(m_rest); }

 private:
  [[noreturn]] void failType(std::size_t index, std::string_view wanted) const;

  Interpreter& m_interpreter;
  const Builtin& m_builtin;
  Value m_self;
  std::vector<std::optional<Value>> m_values;
  Arguments m_rest;
};

Value callBuiltin(Interpreter& interpreter, const Builtin& builtin, Value self, Arguments arguments);

// A builtin with what it works on, as a value: `text.strip`, or a global function.
class BoundBuiltin : public Object {
 public:
  BoundBuiltin(const Builtin& builtin, Value self) : m_builtin(builtin), m_self(std::move(self)) {
    m_extent.add(m_self);
  }

  std::string_view typeName() const override { return "builtin_function_or_method"; }
  void print(Printer& printer) const override;
  Extent extent() const override { return m_extent; }
  bool isCallable() const override { return true; }
  Value call(Interpreter& interpreter, Arguments&& arguments) override;

 private:
  const Builtin& m_builtin;
  Value m_self;
  Extent m_extent;
};

}  // namespace vitrine::jinja
