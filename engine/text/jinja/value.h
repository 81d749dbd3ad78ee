// Value: what a variable of a template is, with the types of Python.
//
// Values never change, so they are shared. The exceptions are the few objects that Jinja itself lets change:
// namespaces, and what iterates. Every container knows how deep it is and how much a walk through it meets,
// so that what walks a value can say beforehand what it will cost. Thread: the values of one rendering belong
// to one thread; those that stand in a parsed template are shared by all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "text/jinja/marked_text.h"

namespace vitrine::jinja {

class Mapping;
class Object;
class Value;
using Values = std::vector<Value>;

// In the order of Value's alternatives.
enum class Kind { kUndefined, kNone, kBoolean, kInteger, kReal, kString, kSequence, kMapping, kObject };

struct String {
  MarkedText text;
  std::size_t letters;  // its length as Python counts it: code points
  bool safe;            // markupsafe.Markup: what is added to it gets escaped
  Mark mark;            // the one that holds for all of it

  bool isAscii() const { return letters == text.size(); }
};

// How deep a value is, and how many values a walk through it meets.
struct Extent {
  static constexpr int kDeepest = 150;

  int depth = 0;
  std::uint64_t weight = 1;

  // Makes it that of a container with this item in it, too. Throws a Fault beyond kDeepest.
  void add(const Value& item);
};

struct Sequence {
  enum class Type { kList, kTuple, kGroup };  // a group is the pair that groupby makes, with names

  Sequence(Type type, Values items, const Mark& mark);

  Type type;
  Values items;
  Mark mark;  // of its brackets and commas, when it is printed
  Extent extent;
};

class Value {
 public:
  Value() = default;  // undefined

  // The reason is what an error says when something needs the value.
  static Value undefined(std::string reason);
  static Value none() { return Value(Body(None{})); }
  static Value boolean(bool value) { return Value(Body(value)); }
  static Value integer(std::int64_t value) { return Value(Body(value)); }
  static Value real(double value) { return Value(Body(Real{value, nullptr})); }
  // A whole number of more than 64 bits: it prints its digits, and counts as a real number.
  static Value wide(std::string digits);
  // Texts must be UTF-8.
  static Value string(MarkedText text, bool safe = false);
  static Value string(std::string_view text) { return string(MarkedText(std::string(text))); }
  static Value list(Values items, const Mark& mark = {});
  static Value tuple(Values items);
  static Value group(Value key, Value items);
  static Value mapping(Mapping mapping);
  static Value object(std::shared_ptr<Object> object) { return Value(Body(std::move(object))); }

  Kind kind() const { return static_cast<Kind>(m_body.index()); }
  bool isUndefined() const { return kind() == Kind::kUndefined; }
  bool isNone() const { return kind() == Kind::kNone; }
  bool isBoolean() const { return kind() == Kind::kBoolean; }
  bool isString() const { return kind() == Kind::kString; }
  bool isSequence() const { return kind() == Kind::kSequence; }
  bool isMapping() const { return kind() == Kind::kMapping; }
  bool isObject() const { return kind() == Kind::kObject; }
  // A boolean counts as a whole number, as in Python.
  bool isWhole() const { return kind() == Kind::kBoolean || kind() == Kind::kInteger; }
  bool isNumber() const { return isWhole() || kind() == Kind::kReal; }

  // Each requires the kind that it reads.
  std::string reason() const;
  bool asBoolean() const { return std::get<bool>(m_body); }
  std::int64_t asWhole() const;
  double asReal() const;                  // of any number
  const std::string* wideDigits() const;  // of a real; null for one that is not wide
  const String& asString() const { return *std::get<StringPointer>(m_body); }
  const MarkedText& marked() const { return asString().text; }
  const std::string& text() const { return asString().text.text(); }
  const Sequence& asSequence() const { return *std::get<SequencePointer>(m_body); }
  const Values& items() const { return asSequence().items; }
  const Mapping& asMapping() const { return *std::get<MappingPointer>(m_body); }
  const std::shared_ptr<Object>& asObject() const { return std::get<ObjectPointer>(m_body); }
  // The object if it is one of this class, else null.
  template <typename Type>
  std::shared_ptr<Type> objectAs() const {
    return isObject() ? std::dynamic_pointer_cast<Type>(asObject()) : nullptr;
  }

  // Whether both are the same object. Numbers and the like are the same when they are equal.
  bool isSameAs(const Value& other) const;
  Extent extent() const;
  // That of a text or of a container; none for anything else.
  Mark mark() const;

 private:
  using UndefinedPointer = std::shared_ptr<const std::string>;
  struct None {
    bool operator==(const None&) const = default;
  };
  struct Real {
    double value;
    std::shared_ptr<const std::string> digits;  // of a wide one

    bool operator==(const Real& other) const { return value == other.value; }
  };
  using StringPointer = std::shared_ptr<const String>;
  using SequencePointer = std::shared_ptr<const Sequence>;
  using MappingPointer = std::shared_ptr<const Mapping>;
  using ObjectPointer = std::shared_ptr<Object>;
  using Body = std::variant<UndefinedPointer, None, bool, std::int64_t, Real, StringPointer, SequencePointer,
                            MappingPointer, ObjectPointer>;

  explicit Value(Body body) : m_body(std::move(body)) {}

  Body m_body;
};

// A dict: pairs in the order in which their keys came.
class Mapping {
 public:
  struct Entry {
    Value key, value;
  };

  explicit Mapping(const Mark& mark = {}) : m_mark(mark) {}

  const std::vector<Entry>& entries() const { return m_entries; }
  std::size_t size() const { return m_entries.size(); }
  const Mark& mark() const { return m_mark; }
  const Extent& extent() const { return m_extent; }

  // Null when there is none. Throws a Fault for a key that Python cannot hash.
  const Value* find(const Value& key) const;
  const Value* find(std::string_view key) const;
  // A key that is there keeps its place.
  void set(Value key, Value value);

 private:
  static constexpr std::size_t kSearched = 8;  // as many entries are found without an index

  const Value* findByHash(std::size_t hash, const Value& key) const;

  std::vector<Entry> m_entries;
  std::unordered_multimap<std::size_t, std::size_t> m_index;  // by hash; empty for a few entries
  Mark m_mark;
  Extent m_extent;
};

// Equality of keys: of numbers by value, of texts by their bytes, of objects by identity.
bool isSameKey(const Value& left, const Value& right);
std::size_t hashOf(const Value& key);

// The name of its type in Python.
std::string_view typeName(const Value& value);

}  // namespace vitrine::jinja
