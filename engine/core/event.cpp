#include "vitrine/event.h"

#include <atomic>

namespace vitrine {

std::int32_t nextRun() {
  static std::atomic<std::int32_t> runs = 0;
  return ++runs;
}

EventBody::EventBody() = default;
EventBody::EventBody(const EventBody&) = default;
EventBody::EventBody(EventBody&&) noexcept = default;
EventBody& EventBody::operator=(const EventBody&) = default;
EventBody& EventBody::operator=(EventBody&&) noexcept = default;
EventBody::~EventBody() = default;

}  // namespace vitrine
