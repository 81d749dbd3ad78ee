// The filters that choose, order and group the items of lists.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "text/jinja/fault.h"
#include "text/jinja/filters.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/item_path.h"
#include "text/jinja/iteration.h"
#include "text/jinja/lookup.h"
#include "text/jinja/operators.h"
#include "text/jinja/text_ops.h"

namespace vitrine::jinja {
namespace {

Value generatorOf(Values items) { return Value::object(std::make_shared<Generator>(std::move(items))); }

Value pathArgument(Call& call, std::size_t index) { return call.valueOr(index, Value::none()); }

// What is compared: a text in lower case, unless letters of both cases differ.
Value sortKey(const Value& value, bool caseSensitive, Budget& budget) {
  if (caseSensitive || !value.isString()) return value;
  return Value::string(text_ops::lower(value.marked(), budget));
}

struct Keyed {
  Value key, item;
};

// Stable, and in reverse without changing the order of equal ones.
void sortByKey(std::vector<Keyed>& items, bool reverse, Budget& budget) {
  std::stable_sort(items.begin(), items.end(), [&](const Keyed& left, const Keyed& right) {
    budget.step();
    const auto order = compared(left.key, right.key, "<", budget);
    return reverse ? order > 0 : order < 0;
  });
}

Values itemsIn(const std::vector<Keyed>& keyed) {
  Values items;
  items.reserve(keyed.size());
  for (const Keyed& each : keyed) items.push_back(each.item);
  return items;
}

// ---- choosing ----

// select, reject and their kin with attributes: by a test and its arguments, or by truth.
Value choose(Call& call, bool byAttribute, bool wanted) {
  if (!isTrue(call.self())) return generatorOf({});
  Arguments given = call.takeRest();
  Values& positional = given.positional;
  if (byAttribute && positional.empty())
    fail(std::string(call.builtin().name) + " needs the name of an attribute.");
  const ItemPath path = byAttribute ? ItemPath(positional.front()) : ItemPath();
  if (byAttribute) positional.erase(positional.begin());
  std::string test;
  if (!positional.empty()) {
    if (!positional.front().isString()) fail("The name of a test is a text.");
    test = positional.front().text();
    positional.erase(positional.begin());
  }
  Values chosen;
  for (const Value& item : itemsOf(call.self(), call.budget())) {
    const Value value = path.of(item, call.budget());
    const bool holds = test.empty() ? isTrue(value) : call.interpreter().callTest(test, value, given);
    if (holds == wanted) chosen.push_back(item);
  }
  return generatorOf(std::move(chosen));
}
Value selectFilter(Call& call) { return choose(call, false, true); }
Value rejectFilter(Call& call) { return choose(call, false, false); }
Value selectAttrFilter(Call& call) { return choose(call, true, true); }
Value rejectAttrFilter(Call& call) { return choose(call, true, false); }

Value mapFilter(Call& call) {
  if (!isTrue(call.self())) return generatorOf({});
  Arguments given = call.takeRest();
  Values results;
  if (given.positional.empty()) {
    ItemPath path;
    std::optional<Value> otherwise;
    bool hasPath = false;
    for (auto& [name, value] : given.named) {
      if (name == "attribute") {
        path = ItemPath(value);
        hasPath = true;
      } else if (name == "default") {
        if (!value.isNone()) otherwise = value;
      } else {
        fail("map has no argument " + name + ".");
      }
    }
    if (!hasPath) fail("map needs a filter or an attribute.");
    for (const Value& item : itemsOf(call.self(), call.budget()))
      results.push_back(path.of(item, call.budget(), otherwise ? &*otherwise : nullptr));
    return generatorOf(std::move(results));
  }
  if (!given.positional.front().isString()) fail("The name of a filter is a text.");
  const std::string filter = given.positional.front().text();
  given.positional.erase(given.positional.begin());
  for (const Value& item : itemsOf(call.self(), call.budget()))
    results.push_back(call.interpreter().callFilter(filter, item, given));
  return generatorOf(std::move(results));
}

Value firstFilter(Call& call) {
  Value item;
  return iterate(call.self())->next(item) ? item
                                          : Value::undefined("The first item of nothing is asked for.");
}

Value lastFilter(Call& call) {
  const Value& value = call.self();
  const bool reversible = value.isUndefined() || value.isString() || value.isSequence() ||
                          value.isMapping() || value.objectAs<Range>() || value.objectAs<MappingView>();
  if (!reversible) fail("last needs something with a last item, not a " + std::string(typeName(value)) + ".");
  const Values items = itemsOf(value, call.budget());
  return items.empty() ? Value::undefined("The last item of nothing is asked for.") : items.back();
}

Value uniqueFilter(Call& call) {
  const bool caseSensitive = call.truthOr(0, false);
  const ItemPath path(pathArgument(call, 1));
  Mapping seen;
  Values items;
  for (const Value& item : itemsOf(call.self(), call.budget())) {
    Value key = sortKey(path.of(item, call.budget()), caseSensitive, call.budget());
    call.budget().take(key.extent().weight);
    if (seen.find(key)) continue;
    seen.set(std::move(key), Value::none());
    items.push_back(item);
  }
  return generatorOf(std::move(items));
}

// ---- order ----

Value sortFilter(Call& call) {
  const bool reverse = call.truthOr(0, false), caseSensitive = call.truthOr(1, false);
  const std::vector<ItemPath> paths = ItemPath::several(pathArgument(call, 2));
  std::vector<Keyed> keyed;
  for (const Value& item : itemsOf(call.self(), call.budget())) {
    Values keys;
    for (const ItemPath& path : paths)
      keys.push_back(sortKey(path.of(item, call.budget()), caseSensitive, call.budget()));
    keyed.push_back({Value::list(std::move(keys)), item});
  }
  sortByKey(keyed, reverse, call.budget());
  return Value::list(itemsIn(keyed), call.self().mark());
}

Value dictSortFilter(Call& call) {
  const bool caseSensitive = call.truthOr(0, false), reverse = call.truthOr(2, false);
  const std::string by = call.has(1) ? call.text(1).text.text() : "key";
  if (by != "key" && by != "value") fail("dictsort sorts by 'key' or by 'value'.");
  if (call.self().isUndefined()) fail(call.self().reason());
  if (!call.self().isMapping()) fail("dictsort needs a mapping.");
  std::vector<Keyed> keyed;
  call.budget().take(call.self().asMapping().size());
  for (const auto& [key, value] : call.self().asMapping().entries())
    keyed.push_back(
        {sortKey(by == "key" ? key : value, caseSensitive, call.budget()), Value::tuple({key, value})});
  sortByKey(keyed, reverse, call.budget());
  return Value::list(itemsIn(keyed));
}

Value extreme(Call& call, bool largest) {
  const bool caseSensitive = call.truthOr(0, false);
  const ItemPath path(pathArgument(call, 1));
  std::optional<Keyed> best;
  for (const Value& item : itemsOf(call.self(), call.budget())) {
    Value key = sortKey(path.of(item, call.budget()), caseSensitive, call.budget());
    if (best) {
      const auto order = compared(key, best->key, largest ? ">" : "<", call.budget());
      if (!(largest ? order > 0 : order < 0)) continue;
    }
    best = Keyed{std::move(key), item};
  }
  return best ? best->item : Value::undefined("The smallest or largest item of nothing is asked for.");
}
Value minFilter(Call& call) { return extreme(call, false); }
Value maxFilter(Call& call) { return extreme(call, true); }

Value reverseFilter(Call& call) {
  const Value& value = call.self();
  if (value.isString())
    return sliceOf(value, Value::none(), Value::none(), Value::integer(-1), call.budget());
  Values items = itemsOf(value, call.budget());
  std::reverse(items.begin(), items.end());
  // Python turns what it can go through backward into an iterator, and anything else into a list.
  if (value.isObject() && !value.objectAs<Range>() && !value.objectAs<MappingView>())
    return Value::list(std::move(items));
  return Value::object(std::make_shared<Generator>(std::move(items), "list_reverseiterator"));
}

// ---- groups ----

Value groupByFilter(Call& call) {
  const ItemPath path(call.value(0));
  const bool caseSensitive = call.truthOr(2, false);
  const Value given = call.valueOr(1, Value::none());
  const Value* otherwise = given.isNone() ? nullptr : &given;
  std::vector<Keyed> keyed;
  for (const Value& item : itemsOf(call.self(), call.budget()))
    keyed.push_back({sortKey(path.of(item, call.budget(), otherwise), caseSensitive, call.budget()), item});
  sortByKey(keyed, false, call.budget());
  Values groups;
  for (std::size_t begin = 0; begin < keyed.size();) {
    Values items;
    std::size_t end = begin;
    for (; end < keyed.size() && areEqual(keyed[end].key, keyed[begin].key, call.budget()); ++end)
      items.push_back(keyed[end].item);
    if (end == begin) items.push_back(keyed[end++].item);  // a NaN equals nothing
    groups.push_back(
        Value::group(path.of(keyed[begin].item, call.budget(), otherwise), Value::list(std::move(items))));
    begin = end;
  }
  return Value::list(std::move(groups));
}

Value batchFilter(Call& call) {
  const std::int64_t size = call.whole(0);
  const Value fill = call.valueOr(1, Value::none());
  Values batches, batch;
  for (const Value& item : itemsOf(call.self(), call.budget())) {
    if (static_cast<std::int64_t>(batch.size()) == size)
      batches.push_back(Value::list(std::exchange(batch, {})));
    batch.push_back(item);
  }
  if (!batch.empty()) {
    if (!fill.isNone() && static_cast<std::int64_t>(batch.size()) < size) {
      call.budget().take(static_cast<std::uint64_t>(size));
      batch.resize(static_cast<std::size_t>(size), fill);
    }
    batches.push_back(Value::list(std::move(batch)));
  }
  return generatorOf(std::move(batches));
}

Value sliceFilter(Call& call) {
  const std::int64_t count = call.whole(0);
  const Value fill = call.valueOr(1, Value::none());
  const Values items = itemsOf(call.self(), call.budget());
  if (count == 0) fail("slice divides by zero.");
  Values slices;
  if (count < 0) return generatorOf(std::move(slices));
  call.budget().take(static_cast<std::uint64_t>(count));
  const auto slots = static_cast<std::size_t>(count);
  const std::size_t each = items.size() / slots, extra = items.size() % slots;
  std::size_t at = 0;
  for (std::size_t i = 0; i < slots; ++i) {
    const std::size_t size = each + (i < extra ? 1 : 0);
    Values slice(items.begin() + static_cast<std::ptrdiff_t>(at),
                 items.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
    if (!fill.isNone() && i >= extra) slice.push_back(fill);
    slices.push_back(Value::list(std::move(slice)));
  }
  return generatorOf(std::move(slices));
}

// ---- whole lists ----

Value listFilter(Call& call) { return Value::list(itemsOf(call.self(), call.budget()), call.self().mark()); }

Value itemsFilter(Call& call) {
  if (call.self().isUndefined()) return generatorOf({});
  if (!call.self().isMapping()) fail("items needs a mapping.");
  call.budget().take(call.self().asMapping().size());
  Values pairs;
  for (const auto& [key, value] : call.self().asMapping().entries())
    pairs.push_back(Value::tuple({key, value}));
  return generatorOf(std::move(pairs));
}

Value lengthFilter(Call& call) {
  const auto length = lengthOf(call.self());
  if (!length) fail("A value of type " + std::string(typeName(call.self())) + " has no length.");
  return Value::integer(*length);
}

Value sumFilter(Call& call) {
  const ItemPath path(pathArgument(call, 0));
  Value sum = call.valueOr(1, Value::integer(0));
  if (sum.isString()) fail("sum does not add texts; join does.");
  for (const Value& item : itemsOf(call.self(), call.budget()))
    sum = add(sum, path.of(item, call.budget()), call.budget());
  return sum;
}

}  // namespace

const BuiltinTable& listFilters() {
  static const BuiltinTable table = {
      {"batch", "linecount [fill_with]", batchFilter},
      {"count", "", lengthFilter},
      {"dictsort", "[case_sensitive] [by] [reverse]", dictSortFilter},
      {"first", "", firstFilter},
      {"groupby", "attribute [default] [case_sensitive]", groupByFilter},
      {"items", "", itemsFilter},
      {"last", "", lastFilter},
      {"length", "", lengthFilter},
      {"list", "", listFilter},
      {"map", "* **", mapFilter},
      {"max", "[case_sensitive] [attribute]", maxFilter},
      {"min", "[case_sensitive] [attribute]", minFilter},
      {"reject", "* **", rejectFilter},
      {"rejectattr", "* **", rejectAttrFilter},
      {"reverse", "", reverseFilter},
      {"select", "* **", selectFilter},
      {"selectattr", "* **", selectAttrFilter},
      {"slice", "slices [fill_with]", sliceFilter},
      {"sort", "[reverse] [case_sensitive] [attribute]", sortFilter},
      {"sum", "[attribute] [start]", sumFilter},
      {"unique", "[case_sensitive] [attribute]", uniqueFilter},
  };
  return table;
}

}  // namespace vitrine::jinja
