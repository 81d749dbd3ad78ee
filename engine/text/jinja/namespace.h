// Namespace: the one value whose attributes a template may assign.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "text/jinja/object.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

class Namespace : public Object {
 public:
  explicit Namespace(Mapping attributes) : m_attributes(std::move(attributes)) {}

  std::string_view typeName() const override { return "Namespace"; }
  void print(Printer& printer) const override;
  std::optional<Value> attribute(std::string_view name) override;
  void release() override { m_attributes = Mapping(); }

  void set(const std::string& name, Value value) { m_attributes.set(Value::string(name), std::move(value)); }

 private:
  Mapping m_attributes;
};

}  // namespace vitrine::jinja
