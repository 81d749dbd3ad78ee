// Macro: a macro as a value, with the scope that it was defined in; also the `caller` of a call block.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "text/jinja/interpreter.h"
#include "text/jinja/object.h"
#include "text/jinja/printer.h"
#include "text/jinja/scope.h"

namespace vitrine::jinja {

class Macro : public Object {
 public:
  Macro(std::shared_ptr<const MacroBody> body, std::shared_ptr<Scope> scope)
      : m_body(std::move(body)), m_scope(std::move(scope)) {}

  std::string_view typeName() const override { return "Macro"; }
  void print(Printer& printer) const override { printer.write("<Macro '" + m_body->name + "'>"); }
  std::optional<Value> attribute(std::string_view name) override {
    return name == "name" ? std::optional(Value::string(m_body->name)) : std::nullopt;
  }
  bool isCallable() const override { return true; }
  Value call(Interpreter& interpreter, Arguments&& arguments) override {
    return interpreter.callMacro(*m_body, m_scope, std::move(arguments));
  }

 private:
  std::shared_ptr<const MacroBody> m_body;
  std::shared_ptr<Scope> m_scope;
};

}  // namespace vitrine::jinja
