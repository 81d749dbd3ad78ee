#include "text/jinja/methods.h"

#include <algorithm>
#include <array>

#include "text/jinja/fault.h"
#include "text/jinja/iteration.h"
#include "text/jinja/operators.h"

namespace vitrine::jinja {
namespace {

constexpr std::array<std::string_view, 8> kChangeLists = {"append", "clear",  "extend",  "insert",
                                                          "pop",    "remove", "reverse", "sort"};
constexpr std::array<std::string_view, 5> kChangeMappings = {"clear", "pop", "popitem", "setdefault",
                                                             "update"};

Value countItems(Call& call) {
  std::int64_t count = 0;
  for (const Value& item : call.self().items()) {
    call.budget().step();
    if (areSameItem(item, call.value(0), call.budget())) ++count;
  }
  return Value::integer(count);
}

Value indexOfItem(Call& call) {
  const Values& items = call.self().items();
  const auto length = static_cast<std::int64_t>(items.size());
  const auto bound = [&](std::size_t index, std::int64_t otherwise) {
    const std::int64_t place = call.wholeOr(index, otherwise);
    return std::clamp<std::int64_t>(place < 0 ? place + length : place, 0, length);
  };
  const std::int64_t end = bound(2, length);
  for (std::int64_t i = bound(1, 0); i < end; ++i) {
    call.budget().step();
    const Value& item = items[static_cast<std::size_t>(i)];
    if (areSameItem(item, call.value(0), call.budget())) return Value::integer(i);
  }
  fail("The list does not hold the value whose index is asked for.");
}

Value itself(Call& call) { return call.self(); }

Value getOfMapping(Call& call) {
  call.budget().take(call.value(0).extent().weight);
  const Value* found = call.self().asMapping().find(call.value(0));
  return found ? *found : call.valueOr(1, Value::none());
}

Value viewOf(Call& call, MappingView::Part part) {
  return Value::object(std::make_shared<MappingView>(call.self(), part));
}
Value keysOfMapping(Call& call) { return viewOf(call, MappingView::Part::kKeys); }
Value valuesOfMapping(Call& call) { return viewOf(call, MappingView::Part::kValues); }
Value itemsOfMapping(Call& call) { return viewOf(call, MappingView::Part::kItems); }

const BuiltinTable& tupleMethods() {
  static const BuiltinTable table = {
      {"count", "/ value", countItems},
      {"index", "/ value [start] [stop]", indexOfItem},
  };
  return table;
}

const BuiltinTable& listMethods() {
  static const BuiltinTable table = {
      {"count", "/ value", countItems},
      {"index", "/ value [start] [stop]", indexOfItem},
      {"copy", "", itself},
  };
  return table;
}

const BuiltinTable& mappingMethods() {
  static const BuiltinTable table = {
      {"copy", "", itself},        {"get", "/ key [default]", getOfMapping}, {"items", "", itemsOfMapping},
      {"keys", "", keysOfMapping}, {"values", "", valuesOfMapping},
  };
  return table;
}

}  // namespace

const Builtin* findMethod(const Value& value, std::string_view name) {
  if (value.isString()) return stringMethods().find(name);
  if (value.isMapping()) return mappingMethods().find(name);
  if (!value.isSequence()) return nullptr;
  const bool list = value.asSequence().type == Sequence::Type::kList;
  return list ? listMethods().find(name) : tupleMethods().find(name);
}

bool changesItsValue(const Value& value, std::string_view name) {
  const auto in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (value.isMapping()) return in(kChangeMappings);
  return value.isSequence() && value.asSequence().type == Sequence::Type::kList && in(kChangeLists);
}

}  // namespace vitrine::jinja
