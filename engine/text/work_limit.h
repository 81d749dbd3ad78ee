// WorkLimit: what one encode or decode may cost, measured by the length of its text.
//
// A tokenizer file contains patterns and replacements, and a few bytes of either can take hours or all
// memory. Real ones need far less: a pattern takes a few steps a byte, and no published normalizer makes a
// text twenty times as long. Thread: one thread at a time; make one for each call.
#pragma once

#include <time.h>

#include <cstddef>
#include <cstdint>

namespace vitrine {

class WorkLimit {
 public:
  explicit WorkLimit(std::size_t textBytes)
      : m_mostSteps(kFirstSteps + kStepsPerByte * textBytes),
        m_mostNs(kFirstNs + kNsPerByte * static_cast<std::int64_t>(textBytes)) {}

  // Whether that many of a pattern's steps are still allowed; they count as taken.
  bool takeSteps(std::uint64_t steps) {
    m_steps += steps;
    return m_steps <= m_mostSteps;
  }
  std::uint64_t stepsTaken() const { return m_steps; }
  std::uint64_t mostSteps() const { return m_mostSteps; }

  // For work that no step counts, such as a pattern that runs over a long word from each of its letters. The
  // thread's own time, so that a busy machine refuses nothing.
  bool inTime() const { return threadNs() - m_beganNs <= m_mostNs; }

  // How long a text of `textBytes` may become.
  static std::size_t mostBytes(std::size_t textBytes) { return 256 + 32 * textBytes; }

 private:
  static constexpr std::uint64_t kFirstSteps = 4'000'000, kStepsPerByte = 200;
  static constexpr std::int64_t kFirstNs = 500'000'000, kNsPerByte = 2'000;

  static std::int64_t threadNs() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  }

  const std::uint64_t m_mostSteps;
  const std::int64_t m_mostNs;
  const std::int64_t m_beganNs = threadNs();
  std::uint64_t m_steps = 0;
};

}  // namespace vitrine
