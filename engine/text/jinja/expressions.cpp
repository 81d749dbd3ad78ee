// The interpreter's expressions.
#include <algorithm>

#include "text/jinja/fault.h"
#include "text/jinja/filters.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/iteration.h"
#include "text/jinja/lookup.h"
#include "text/jinja/operators.h"
#include "text/jinja/predicates.h"
#include "text/jinja/printer.h"

namespace vitrine::jinja {
namespace {

constexpr std::uint64_t kLevelsOfStep = 8;  // a look-up in as many scopes takes as long as a step

}  // namespace

Value Interpreter::evaluate(const ExpressionPointer& expression, const ScopePointer& scope) {
  try {
    m_budget.step();
    const Budget::Level level(m_budget);
    return std::visit([&](const auto& body) { return evaluateBody(body, scope); }, expression->body);
  } catch (const Fault& fault) {
    throw TemplateError(fault.kind, expression->place, fault.problem);
  }
}

Value Interpreter::evaluateBody(const Literal& literal, const ScopePointer&) { return literal.value; }

Value Interpreter::evaluateBody(const Name& name, const ScopePointer& scope) {
  m_budget.take(scope->levels() / kLevelsOfStep);
  if (const Value* found = scope->find(name.id)) return *found;
  m_budget.takeText(m_program.names[name.id].size());
  return Value::undefined("'" + m_program.names[name.id] + "' is undefined.");
}

Value Interpreter::evaluateBody(const ListLiteral& list, const ScopePointer& scope) {
  Values items;
  items.reserve(list.items.size());
  for (const auto& item : list.items) items.push_back(evaluate(item, scope));
  return list.isTuple ? Value::tuple(std::move(items)) : Value::list(std::move(items));
}

Value Interpreter::evaluateBody(const MappingLiteral& literal, const ScopePointer& scope) {
  Mapping mapping;
  for (const auto& [key, value] : literal.entries) {
    Value keyValue = evaluate(key, scope);
    m_budget.take(keyValue.extent().weight);
    mapping.set(std::move(keyValue), evaluate(value, scope));
  }
  return Value::mapping(std::move(mapping));
}

Value Interpreter::evaluateBody(const AttributeOf& attribute, const ScopePointer& scope) {
  return attributeOf(evaluate(attribute.object, scope), attribute.name, m_budget);
}

Value Interpreter::evaluateBody(const ItemOf& item, const ScopePointer& scope) {
  const Value object = evaluate(item.object, scope), key = evaluate(item.key, scope);
  return itemOf(object, key, m_budget);
}

Value Interpreter::evaluateBody(const SliceOf& slice, const ScopePointer& scope) {
  const Value object = evaluate(slice.object, scope);
  const auto bound = [&](const ExpressionPointer& expression) {
    return expression ? evaluate(expression, scope) : Value::none();
  };
  const Value start = bound(slice.start), stop = bound(slice.stop), step = bound(slice.step);
  return sliceOf(object, start, stop, step, m_budget);
}

Arguments Interpreter::evaluateArguments(const ArgumentList& list, const ScopePointer& scope) {
  Arguments arguments;
  arguments.positional.reserve(list.positional.size());
  for (const auto& value : list.positional) arguments.positional.push_back(evaluate(value, scope));
  for (const auto& [name, value] : list.named) {
    m_budget.takeText(name.size());
    arguments.named.emplace_back(name, evaluate(value, scope));
  }
  if (list.morePositional)
    for (Value& item : itemsOf(evaluate(list.morePositional, scope), m_budget))
      arguments.positional.push_back(std::move(item));
  if (list.moreNamed) {
    const Value more = evaluate(list.moreNamed, scope);
    if (!more.isMapping()) fail("'**' needs a mapping.");
    m_budget.take(more.asMapping().extent().weight);
    m_budget.take(more.asMapping().size() * list.named.size());
    for (const auto& [key, value] : more.asMapping().entries()) {
      if (!key.isString()) fail("'**' needs a mapping with texts as keys.");
      for (const auto& [known, expression] : list.named)
        if (known == key.text()) fail("The argument '" + known + "' is given twice.");
      arguments.named.emplace_back(key.text(), value);
    }
  }
  return arguments;
}

Value Interpreter::call(const Value& callee, Arguments arguments) {
  if (callee.isUndefined()) fail(callee.reason());
  if (!callee.isObject() || !callee.asObject()->isCallable())
    fail("A value of type " + std::string(typeName(callee)) + " cannot be called.");
  return callee.asObject()->call(*this, std::move(arguments));
}

Value Interpreter::evaluateCall(const CallOf& call, const ScopePointer& scope, const Value* caller) {
  const Value callee = evaluate(call.callee, scope);
  Arguments arguments = evaluateArguments(call.arguments, scope);
  if (caller) arguments.named.emplace_back("caller", *caller);
  return this->call(callee, std::move(arguments));
}

Value Interpreter::evaluateBody(const CallOf& call, const ScopePointer& scope) {
  return evaluateCall(call, scope, nullptr);
}

Value Interpreter::callFilter(const std::string& name, const Value& value, Arguments arguments) {
  m_budget.takeText(name.size());
  const Builtin* builtin = findFilter(name);
  if (!builtin) fail("There is no filter '" + name + "'.");
  m_budget.take(1 + arguments.positional.size() + arguments.named.size());
  return callBuiltin(*this, *builtin, value, std::move(arguments));
}

bool Interpreter::callTest(const std::string& name, const Value& value, Arguments arguments) {
  m_budget.takeText(name.size());
  const Builtin* builtin = findTest(name);
  if (!builtin) fail("There is no test '" + name + "'.");
  m_budget.take(1 + arguments.positional.size() + arguments.named.size());
  return isTrue(callBuiltin(*this, *builtin, value, std::move(arguments)));
}

Value Interpreter::applyFilter(const Filter& filter, Value value, const ScopePointer& scope) {
  if (!filter.builtin) fail("There is no filter '" + filter.name + "'.");
  return callBuiltin(*this, *filter.builtin, std::move(value), evaluateArguments(filter.arguments, scope));
}

// The filters of a block: the innermost one has no value of its own.
Value Interpreter::applyFilters(const ExpressionPointer& filters, Value text, const ScopePointer& scope) {
  const auto& filter = std::get<Filter>(filters->body);
  if (filter.value) text = applyFilters(filter.value, std::move(text), scope);
  return applyFilter(filter, std::move(text), scope);
}

Value Interpreter::evaluateBody(const Filter& filter, const ScopePointer& scope) {
  return applyFilter(filter, evaluate(filter.value, scope), scope);
}

Value Interpreter::evaluateBody(const Test& test, const ScopePointer& scope) {
  const Value value = evaluate(test.value, scope);
  if (!test.builtin) fail("There is no test '" + test.name + "'.");
  return callBuiltin(*this, *test.builtin, value, evaluateArguments(test.arguments, scope));
}

Value Interpreter::evaluateBody(const Unary& unary, const ScopePointer& scope) {
  const Value operand = evaluate(unary.operand, scope);
  switch (unary.sign) {
    case UnarySign::kMinus:
      return negated(operand);
    case UnarySign::kPlus:
      return unchanged(operand);
    case UnarySign::kNot:
      break;
  }
  return Value::boolean(!isTrue(operand));
}

Value Interpreter::evaluateBody(const Binary& binary, const ScopePointer& scope) {
  const Value left = evaluate(binary.left, scope);
  if (binary.sign == BinarySign::kAnd) return isTrue(left) ? evaluate(binary.right, scope) : left;
  if (binary.sign == BinarySign::kOr) return isTrue(left) ? left : evaluate(binary.right, scope);
  const Value right = evaluate(binary.right, scope);
  switch (binary.sign) {
    case BinarySign::kAdd:
      return add(left, right, m_budget);
    case BinarySign::kSubtract:
      return subtract(left, right);
    case BinarySign::kMultiply:
      return multiply(left, right, m_budget);
    case BinarySign::kDivide:
      return divide(left, right);
    case BinarySign::kDivideFloor:
      return divideFloor(left, right);
    case BinarySign::kModulo:
      return modulo(left, right, m_budget);
    default:
      return power(left, right);
  }
}

Value Interpreter::evaluateBody(const Comparison& comparison, const ScopePointer& scope) {
  const auto holds = [&](ComparisonSign sign, const Value& left, const Value& right) {
    switch (sign) {
      case ComparisonSign::kEqual:
        return areEqual(left, right, m_budget);
      case ComparisonSign::kUnequal:
        return !areEqual(left, right, m_budget);
      case ComparisonSign::kLess:
        return compared(left, right, "<", m_budget) < 0;
      case ComparisonSign::kLessOrEqual:
        return compared(left, right, "<=", m_budget) <= 0;
      case ComparisonSign::kGreater:
        return compared(left, right, ">", m_budget) > 0;
      case ComparisonSign::kGreaterOrEqual:
        return compared(left, right, ">=", m_budget) >= 0;
      case ComparisonSign::kIn:
        return isIn(left, right, m_budget);
      case ComparisonSign::kNotIn:
        break;
    }
    return !isIn(left, right, m_budget);
  };
  Value left = evaluate(comparison.first, scope);
  for (const auto& [sign, expression] : comparison.rest) {
    Value right = evaluate(expression, scope);
    if (!holds(sign, left, right)) return Value::boolean(false);
    left = std::move(right);
  }
  return Value::boolean(true);
}

Value Interpreter::evaluateBody(const Concatenation& concatenation, const ScopePointer& scope) {
  Printer printer(m_budget);
  for (const auto& part : concatenation.parts) printer.print(evaluate(part, scope));
  return Value::string(printer.take());
}

Value Interpreter::evaluateBody(const Conditional& conditional, const ScopePointer& scope) {
  if (isTrue(evaluate(conditional.condition, scope))) return evaluate(conditional.then, scope);
  if (conditional.otherwise) return evaluate(conditional.otherwise, scope);
  return Value::undefined("The inline 'if' was false and has no 'else'.");
}

}  // namespace vitrine::jinja
