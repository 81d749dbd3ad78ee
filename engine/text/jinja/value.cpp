#include "text/jinja/value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "text/jinja/fault.h"
#include "text/jinja/number_text.h"
#include "text/jinja/object.h"

namespace vitrine::jinja {
namespace {

constexpr std::size_t kBytesOfWeight =
    16;  // a walk through a text takes as long as one value for so many bytes
constexpr std::uint64_t kHeaviestKey = 64;

std::size_t countLetters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
  }));
}

}  // namespace

void Extent::add(const Value& item) {
  const Extent inner = item.extent();
  depth = std::max(depth, inner.depth + 1);
  if (depth > kDeepest)
    failLimit("The template makes a value of more than " + std::to_string(kDeepest) + " levels.");
  weight = inner.weight > std::numeric_limits<std::uint64_t>::max() - weight
               ? std::numeric_limits<std::uint64_t>::max()
               : weight + inner.weight;
}

Sequence::Sequence(Type newType, Values newItems, const Mark& newMark)
    : type(newType), items(std::move(newItems)), mark(newMark) {
  for (const Value& item : items) extent.add(item);
}

Value Value::undefined(std::string reason) {
  return Value(Body(std::make_shared<const std::string>(std::move(reason))));
}

Value Value::string(MarkedText text, bool safe) {
  const std::size_t letters = countLetters(text.text());
  const Mark mark = text.commonMark();
  return Value(Body(std::make_shared<const String>(String{std::move(text), letters, safe, mark})));
}

Value Value::list(Values items, const Mark& mark) {
  return Value(Body(std::make_shared<const Sequence>(Sequence::Type::kList, std::move(items), mark)));
}

Value Value::tuple(Values items) {
  return Value(Body(std::make_shared<const Sequence>(Sequence::Type::kTuple, std::move(items), Mark{})));
}

Value Value::group(Value key, Value items) {
  Values pair;
  pair.push_back(std::move(key));
  pair.push_back(std::move(items));
  return Value(Body(std::make_shared<const Sequence>(Sequence::Type::kGroup, std::move(pair), Mark{})));
}

Value Value::mapping(Mapping mapping) {
  return Value(Body(std::make_shared<const Mapping>(std::move(mapping))));
}

std::string Value::reason() const {
  const auto& reason = std::get<UndefinedPointer>(m_body);
  return reason ? *reason : "The value is undefined.";
}

std::int64_t Value::asWhole() const {
  return isBoolean() ? static_cast<std::int64_t>(asBoolean()) : std::get<std::int64_t>(m_body);
}

double Value::asReal() const {
  return kind() == Kind::kReal ? std::get<Real>(m_body).value : static_cast<double>(asWhole());
}

Value Value::wide(std::string digits) {
  const double value = realIn(digits).value_or(0);
  return Value(Body(Real{value, std::make_shared<const std::string>(std::move(digits))}));
}

const std::string* Value::wideDigits() const { return std::get<Real>(m_body).digits.get(); }

bool Value::isSameAs(const Value& other) const { return m_body == other.m_body; }

Extent Value::extent() const {
  switch (kind()) {
    case Kind::kString:
      return {.depth = 0, .weight = 1 + text().size() / kBytesOfWeight};
    case Kind::kSequence:
      return asSequence().extent;
    case Kind::kMapping:
      return asMapping().extent();
    case Kind::kObject:
      return asObject()->extent();
    default:
      return {};
  }
}

Mark Value::mark() const {
  switch (kind()) {
    case Kind::kString:
      return asString().mark;
    case Kind::kSequence:
      return asSequence().mark;
    case Kind::kMapping:
      return asMapping().mark();
    default:
      return {};
  }
}

const Value* Mapping::find(std::string_view key) const {
  if (m_index.empty()) {
    for (const Entry& entry : m_entries)
      if (entry.key.isString() && entry.key.text() == key) return &entry.value;
    return nullptr;
  }
  const auto [begin, end] = m_index.equal_range(std::hash<std::string_view>()(key));
  for (auto found = begin; found != end; ++found) {
    const Entry& entry = m_entries[found->second];
    if (entry.key.isString() && entry.key.text() == key) return &entry.value;
  }
  return nullptr;
}

const Value* Mapping::find(const Value& key) const {
  if (key.isString()) return find(key.text());
  return findByHash(hashOf(key), key);
}

const Value* Mapping::findByHash(std::size_t hash, const Value& key) const {
  if (m_index.empty()) {
    for (const Entry& entry : m_entries)
      if (isSameKey(entry.key, key)) return &entry.value;
    return nullptr;
  }
  const auto [begin, end] = m_index.equal_range(hash);
  for (auto found = begin; found != end; ++found)
    if (isSameKey(m_entries[found->second].key, key)) return &m_entries[found->second].value;
  return nullptr;
}

void Mapping::set(Value key, Value value) {
  const std::size_t hash = hashOf(key);
  m_extent.add(key);
  m_extent.add(value);
  if (const Value* known = findByHash(hash, key)) {
    *const_cast<Value*>(known) = std::move(value);  // ours, and this is no const function
    return;
  }
  m_entries.push_back({std::move(key), std::move(value)});
  if (m_index.empty() && m_entries.size() > kSearched) {
    for (std::size_t i = 0; i < m_entries.size(); ++i) m_index.emplace(hashOf(m_entries[i].key), i);
  } else if (!m_index.empty()) {
    m_index.emplace(hash, m_entries.size() - 1);
  }
}

bool isSameKey(const Value& left, const Value& right) {
  if (left.isNumber() && right.isNumber()) {
    if (left.isWhole() && right.isWhole()) return left.asWhole() == right.asWhole();
    return left.asReal() == right.asReal();
  }
  if (left.kind() != right.kind()) return false;
  switch (left.kind()) {
    case Kind::kString:
      return left.text() == right.text();
    case Kind::kSequence:
      return std::equal(left.items().begin(), left.items().end(), right.items().begin(), right.items().end(),
                        isSameKey);
    case Kind::kObject:
      return left.asObject()->equals(*right.asObject());
    default:
      return true;  // none or undefined
  }
}

std::size_t hashOf(const Value& key) {
  switch (key.kind()) {
    case Kind::kString:
      return std::hash<std::string_view>()(key.text());
    case Kind::kBoolean:
    case Kind::kInteger:
      return std::hash<std::int64_t>()(key.asWhole());
    case Kind::kReal: {
      const double real = key.asReal();
      const bool whole = std::nearbyint(real) == real && std::fabs(real) < 9e18;
      return whole ? std::hash<std::int64_t>()(static_cast<std::int64_t>(real)) : std::hash<double>()(real);
    }
    case Kind::kSequence: {
      if (key.asSequence().type == Sequence::Type::kList) break;
      if (key.extent().weight > kHeaviestKey) failLimit("A tuple is too large for a key of a dict.");
      std::size_t hash = key.items().size();
      for (const Value& item : key.items()) hash = hash * 31 + hashOf(item);
      return hash;
    }
    case Kind::kObject:
      return std::hash<std::string_view>()(key.asObject()->typeName());
    case Kind::kMapping:
      break;
    default:
      return 0;
  }
  fail("A " + std::string(typeName(key)) + " cannot be a key of a dict.");
}

std::string_view typeName(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      return "Undefined";
    case Kind::kNone:
      return "NoneType";
    case Kind::kBoolean:
      return "bool";
    case Kind::kInteger:
      return "int";
    case Kind::kReal:
      return "float";
    case Kind::kString:
      return "str";
    case Kind::kSequence:
      return value.asSequence().type == Sequence::Type::kList ? "list" : "tuple";
    case Kind::kMapping:
      return "dict";
    case Kind::kObject:
      return value.asObject()->typeName();
  }
  return "";
}

}  // namespace vitrine::jinja
