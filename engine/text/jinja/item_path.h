// ItemPath: the argument `attribute` of many filters, "a.b.0": what it finds in each item.
#pragma once

#include <vector>

#include "text/jinja/budget.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

class ItemPath {
 public:
  ItemPath() = default;  // the item itself
  // Of a text with dots, or of a number.
  explicit ItemPath(const Value& attribute);

  // `otherwise`, if there is one, stands for what is undefined on the way.
  Value of(const Value& item, Budget& budget, const Value* otherwise = nullptr) const;

  // Several paths with commas between, as sort has them.
  static std::vector<ItemPath> several(const Value& attribute);

 private:
  Values m_parts;
};

}  // namespace vitrine::jinja
