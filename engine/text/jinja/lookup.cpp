#include "text/jinja/lookup.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "text/jinja/fault.h"
#include "text/jinja/iteration.h"
#include "text/jinja/methods.h"
#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

// What the type knows under that name, apart from keys.
std::optional<Value> findAttribute(const Value& object, std::string_view name) {
  if (const Builtin* method = findMethod(object, name))
    return Value::object(std::make_shared<BoundBuiltin>(*method, object));
  if (name.substr(0, 2) == "__" || changesItsValue(object, name))
    return Value::undefined("A template may not use '" + std::string(name) + "' of a " +
                            std::string(typeName(object)) + ".");
  if (object.isSequence() && object.asSequence().type == Sequence::Type::kGroup) {
    if (name == "grouper") return object.items()[0];
    if (name == "list") return object.items()[1];
  }
  return object.isObject() ? object.asObject()->attribute(name) : std::nullopt;
}

std::string quotedKey(const Value& key) {
  if (key.isString()) return "'" + key.text() + "'";
  return key.kind() == Kind::kInteger ? std::to_string(key.asWhole())
                                      : "a key of type " + std::string(typeName(key));
}

Value missing(const Value& object, const Value& key) {
  return Value::undefined("A " + std::string(typeName(object)) + " has no " + quotedKey(key) + ".");
}

// One letter of a text.
Value letterAt(const Value& text, std::int64_t index) {
  const String& string = text.asString();
  std::size_t at = 0, length = 1;
  if (string.isAscii()) {
    at = static_cast<std::size_t>(index);
  } else {
    const std::string_view bytes = text.text();
    for (std::int64_t i = 0; i < index; ++i) at += utf8::decode(bytes.substr(at)).length;
    length = utf8::decode(bytes.substr(at)).length;
  }
  return Value::string(string.text.part(at, at + length), string.safe);
}

std::optional<Value> findItem(const Value& object, const Value& key) {
  if (object.isMapping()) {
    const bool hashable =
        key.kind() != Kind::kMapping && !(key.isSequence() && key.asSequence().type == Sequence::Type::kList);
    const Value* found = hashable ? object.asMapping().find(key) : nullptr;
    return found ? std::optional(*found) : std::nullopt;
  }
  if (!key.isWhole()) return std::nullopt;
  const bool counted = object.isString() || object.isSequence() || object.objectAs<Range>();
  if (!counted) return std::nullopt;
  const std::int64_t length = *lengthOf(object), index = placeOf(key.asWhole(), length);
  if (index < 0 || index >= length) return std::nullopt;
  if (object.isString()) return letterAt(object, index);
  if (object.isSequence()) return object.items()[static_cast<std::size_t>(index)];
  return object.asObject()->item(index);
}

// The bounds of a slice as Python brings them into the range of what is sliced.
struct Bounds {
  std::int64_t start, stop, step;

  std::size_t count() const {
    if (step > 0) return stop > start ? static_cast<std::size_t>((stop - start - 1) / step + 1) : 0;
    return stop < start ? static_cast<std::size_t>((start - stop - 1) / -step + 1) : 0;
  }
};

Bounds boundsOf(const Value& start, const Value& stop, const Value& step, std::int64_t length) {
  const auto read = [](const Value& value, std::int64_t otherwise) {
    if (value.isUndefined()) fail(value.reason());
    if (value.isNone()) return otherwise;
    if (!value.isWhole()) fail("A slice needs whole numbers, not a " + std::string(typeName(value)) + ".");
    return value.asWhole();
  };
  Bounds bounds{};
  bounds.step = std::max(read(step, 1), -std::numeric_limits<std::int64_t>::max());
  if (bounds.step == 0) fail("The step of a slice is zero.");
  const bool up = bounds.step > 0;
  const std::int64_t least = up ? 0 : -1, most = up ? length : length - 1;
  const auto place = [&](const Value& value, std::int64_t otherwise) {
    return value.isNone() ? otherwise : std::clamp(placeOf(read(value, 0), length), least, most);
  };
  bounds.start = place(start, up ? least : most);
  bounds.stop = place(stop, up ? most : least);
  return bounds;
}

Value sliceOfText(const Value& value, const Bounds& bounds, Budget& budget) {
  const String& string = value.asString();
  const std::string_view bytes = value.text();
  budget.takeText(string.text);
  // Where each letter begins; in plain ASCII at its number.
  std::vector<std::size_t> begins;
  if (!string.isAscii()) {
    budget.takeLetters(bytes.size());
    begins.reserve(string.letters + 1);
    for (std::size_t at = 0; at < bytes.size(); at += utf8::decode(bytes.substr(at)).length)
      begins.push_back(at);
    begins.push_back(bytes.size());
  }
  const auto beginOf = [&](std::int64_t letter) {
    const auto index = static_cast<std::size_t>(letter);
    return begins.empty() ? index : begins[index];
  };
  const std::size_t count = bounds.count();
  if (count == 0) return Value::string(MarkedText(), string.safe);
  if (bounds.step == 1)
    return Value::string(string.text.part(beginOf(bounds.start), beginOf(bounds.stop)), string.safe);
  MarkedText text;
  budget.take(count);
  std::int64_t at = bounds.start;
  for (std::size_t i = 0; i < count; ++i, at += i < count ? bounds.step : 0)
    text.append(string.text, beginOf(at), beginOf(at + 1));
  return Value::string(std::move(text), string.safe);
}

}  // namespace

std::int64_t placeOf(std::int64_t index, std::int64_t length) { return index < 0 ? index + length : index; }

Value attributeOf(const Value& object, std::string_view name, Budget& budget) {
  budget.takeText(name.size());
  if (object.isUndefined()) fail(object.reason());
  if (auto found = findAttribute(object, name)) return *found;
  if (object.isMapping())
    if (const Value* found = object.asMapping().find(name)) return *found;
  return missing(object, Value::string(name));
}

Value itemOf(const Value& object, const Value& key, Budget& budget) {
  budget.take(key.extent().weight);
  // To the letter of that number in a text that is not ASCII all letters before it are walked.
  if (object.isString() && !object.asString().isAscii()) budget.takeLetters(object.text().size());
  if (object.isUndefined()) fail(object.reason());
  if (auto found = findItem(object, key)) return *found;
  if (key.isString())
    if (auto found = findAttribute(object, key.text())) return *found;
  return missing(object, key);
}

Value sliceOf(const Value& object, const Value& start, const Value& stop, const Value& step, Budget& budget) {
  if (object.isUndefined()) fail(object.reason());
  const auto range = object.objectAs<Range>();
  if (!object.isString() && !object.isSequence() && !range)
    fail("A value of type " + std::string(typeName(object)) + " has no slices.");
  const Bounds bounds = boundsOf(start, stop, step, *lengthOf(object));
  if (object.isString()) return sliceOfText(object, bounds, budget);
  const std::size_t count = bounds.count();
  if (range) {
    const std::int64_t first = range->start() + bounds.start * range->step();
    const std::int64_t stride = range->step() * (count > 1 ? bounds.step : 1);
    return Value::object(
        std::make_shared<Range>(first, first + stride * static_cast<std::int64_t>(count), stride));
  }
  budget.take(count);
  Values items;
  items.reserve(count);
  std::int64_t at = bounds.start;
  for (std::size_t i = 0; i < count; ++i, at += i < count ? bounds.step : 0)
    items.push_back(object.items()[static_cast<std::size_t>(at)]);
  if (object.asSequence().type == Sequence::Type::kList) return Value::list(std::move(items), object.mark());
  return Value::tuple(std::move(items));
}

}  // namespace vitrine::jinja
