// Iteration: the items of a value one after another, and the objects that exist to be iterated.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "text/jinja/budget.h"
#include "text/jinja/object.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

// Null for a value that Python cannot iterate. What is undefined has no items.
std::unique_ptr<Iterator> tryIterate(const Value& value);
// Throws a Fault instead.
std::unique_ptr<Iterator> iterate(const Value& value);
// All of them; one step for each.
Values itemsOf(const Value& value, Budget& budget);
// len(); nothing for a value that has none.
std::optional<std::int64_t> lengthOf(const Value& value);

// What range() makes.
class Range : public Object {
 public:
  Range(std::int64_t start, std::int64_t stop, std::int64_t step);

  std::string_view typeName() const override { return "range"; }
  void print(Printer& printer) const override;
  std::optional<std::int64_t> length() const override { return m_length; }
  std::optional<Value> item(std::int64_t index) const override;
  std::unique_ptr<Iterator> iterate() override;
  bool equals(const Object& other) const override;

  std::int64_t start() const { return m_start; }
  std::int64_t step() const { return m_step; }

 private:
  std::int64_t m_start, m_stop, m_step, m_length;
};

// What keys(), values() and items() of a dict make.
class MappingView : public Object {
 public:
  enum class Part { kKeys, kValues, kItems };

  MappingView(Value mapping, Part part) : m_mapping(std::move(mapping)), m_part(part) {
    m_extent.add(m_mapping);
  }

  std::string_view typeName() const override;
  void print(Printer& printer) const override;
  Extent extent() const override { return m_extent; }
  std::optional<std::int64_t> length() const override;
  std::unique_ptr<Iterator> iterate() override;
  // Keys like sets; of items the same dict's alone; values equal nothing else.
  bool equals(const Object& other) const override;

  const Mapping& mapping() const { return m_mapping.asMapping(); }
  Part part() const { return m_part; }
  Value itemAt(std::size_t index) const;

 private:
  Value m_mapping;
  Part m_part;
  Extent m_extent;
};

// What can be iterated once: the result of map, select and the like. All that iterate it go on where the last
// one stopped. The items are known from the beginning, which only a template that fails halfway could tell.
class Generator : public Object {
 public:
  explicit Generator(Values items, std::string_view typeName = "generator");

  std::string_view typeName() const override { return m_typeName; }
  Extent extent() const override { return m_extent; }
  std::unique_ptr<Iterator> iterate() override;

  bool next(Value& item);

 private:
  std::string_view m_typeName;
  Values m_items;
  std::size_t m_next = 0;
  Extent m_extent;
};

}  // namespace vitrine::jinja
