// Object: a value that is no plain data. Each kind of object is a class of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "text/jinja/value.h"

namespace vitrine::jinja {

class Interpreter;
class Printer;
struct Arguments;

class Iterator {
 public:
  virtual ~Iterator() = default;
  // False at the end; then `item` is as it was.
  virtual bool next(Value& item) = 0;
};

class Object : public std::enable_shared_from_this<Object> {
 public:
  virtual ~Object() = default;

  virtual std::string_view typeName() const = 0;
  virtual void print(Printer& printer) const;  // "<TYPE object>"
  virtual Extent extent() const { return {}; }

  // Nothing for a name that it does not have.
  virtual std::optional<Value> attribute(std::string_view name);
  // Nothing where Python has no len().
  virtual std::optional<std::int64_t> length() const { return std::nullopt; }
  // By number, from 0; nothing where Python has no [].
  virtual std::optional<Value> item(std::int64_t index) const;
  // Null for an object that is not iterable.
  virtual std::unique_ptr<Iterator> iterate() { return nullptr; }
  virtual bool equals(const Object& other) const { return this == &other; }

  virtual bool isCallable() const { return false; }
  virtual Value call(Interpreter& interpreter, Arguments&& arguments);

  // Drops the values that it holds, so that objects which hold one another are freed.
  virtual void release() {}
};

}  // namespace vitrine::jinja
