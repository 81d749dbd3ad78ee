// EventRange: events in a row, seen where a recording keeps them. Nothing is copied.
//
// A range keeps the memory it looks into, but the newest part of a recording still grows: use a range before
// the recording's next append() or clear(). Thread: the recording's. Read next: recording.h.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "vitrine/event.h"

namespace vitrine {

class EventRange : public std::span<const Event> {
 public:
  EventRange() = default;
  EventRange(std::shared_ptr<const void> owner, std::span<const Event> events)
      : std::span<const Event>(events), m_owner(std::move(owner)) {}

 private:
  std::shared_ptr<const void> m_owner;
};

}  // namespace vitrine
