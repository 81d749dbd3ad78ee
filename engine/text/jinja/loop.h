// Loop: the object `loop` inside of a for-loop, and the loop's own state.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "text/jinja/iteration.h"
#include "text/jinja/object.h"
#include "text/jinja/scope.h"
#include "text/jinja/syntax.h"

namespace vitrine::jinja {

class Loop : public Object {
 public:
  // `items` is what `source` goes through; `length` is known unless a condition selects among them. The
  // syntax and the scope are for a recursive call.
  Loop(Value items, std::unique_ptr<Iterator> source, std::optional<std::int64_t> length, const For& syntax,
       std::shared_ptr<Scope> scope, std::int64_t depth);

  // The next item. False at the end.
  bool advance(Value& item);

  std::string_view typeName() const override { return "LoopContext"; }
  void print(Printer& printer) const override;
  Extent extent() const override { return m_extent; }
  std::optional<Value> attribute(std::string_view name) override;
  std::optional<std::int64_t> length() const override { return m_length; }
  bool isCallable() const override { return true; }
  // Of a recursive loop: goes through other items with the same body.
  Value call(Interpreter& interpreter, Arguments&& arguments) override;
  void release() override { m_changed = {}; }

  const Value& atThisTurn(const Values& values) const;
  // Whether the values are others than at the last call.
  bool hasChanged(Interpreter& interpreter, Values values);

 private:
  bool peek();
  std::int64_t countAll();

  Value m_items;
  std::unique_ptr<Iterator> m_source;
  std::optional<std::int64_t> m_length;
  const For& m_syntax;
  std::shared_ptr<Scope> m_scope;
  std::int64_t m_depth;  // of recursive calls, from 0
  std::int64_t m_index = -1;
  Value m_before, m_current;
  std::optional<Value> m_after;  // the next item, once something asked for it
  std::optional<Value> m_changed;
  Extent m_extent;
};

}  // namespace vitrine::jinja
