#include "text/jinja/namespace.h"

#include "text/jinja/printer.h"

namespace vitrine::jinja {

void Namespace::print(Printer& printer) const {
  printer.write("<Namespace ");
  printer.printRepr(Value::mapping(m_attributes));
  printer.write(">");
}

std::optional<Value> Namespace::attribute(std::string_view name) {
  const Value* found = m_attributes.find(name);
  return found ? std::optional(*found) : std::nullopt;
}

}  // namespace vitrine::jinja
