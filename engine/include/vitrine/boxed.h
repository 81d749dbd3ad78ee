// Boxed: a value on the heap, immutable and shared by all copies. Thread: any, since it never changes.
#pragma once

#include <memory>
#include <utility>

namespace vitrine {

// A body that is too large for the variant of events (event.h): with it an event is small and cheap to copy.
// It converts to a T; an empty one reads as a default T.
template <typename T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : m_value(std::make_shared<const T>(std::move(value))) {}

  operator const T&() const { return **this; }
  const T& operator*() const {
    static const T kNothing{};
    return m_value ? *m_value : kNothing;
  }
  std::shared_ptr<const T> share() const { return m_value; }

 private:
  std::shared_ptr<const T> m_value;
};

}  // namespace vitrine
