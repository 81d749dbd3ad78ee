#include "text/jinja/object.h"

#include "text/jinja/builtin.h"
#include "text/jinja/fault.h"
#include "text/jinja/printer.h"

namespace vitrine::jinja {

void Object::print(Printer& printer) const { printer.write("<" + std::string(typeName()) + " object>"); }

std::optional<Value> Object::attribute(std::string_view) { return std::nullopt; }

std::optional<Value> Object::item(std::int64_t) const { return std::nullopt; }

Value Object::call(Interpreter&, Arguments&&) { fail("A " + std::string(typeName()) + " cannot be called."); }

}  // namespace vitrine::jinja
