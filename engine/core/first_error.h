// FirstError: what a loop's body threw on one of several threads, for the caller's thread.
//
// ThreadPool::parallelFor() must not be left by an exception, so a body that may throw runs under guard(),
// and rethrow() follows the loop. Thread: guard() any; the rest the caller's.
#pragma once

#include <atomic>
#include <exception>

namespace vitrine {

class FirstError {
 public:
  // Runs `work`. Keeps what it throws, if nothing was thrown before.
  template <typename Work>
  void guard(Work&& work) noexcept {
    try {
      work();
    } catch (...) {
      if (!m_taken.exchange(true)) m_error = std::current_exception();
    }
  }
  explicit operator bool() const { return m_taken; }  // the rest of the loop is not worth its time

  void rethrow() const {
    if (m_error) std::rethrow_exception(m_error);
  }

 private:
  std::atomic<bool> m_taken = false;
  std::exception_ptr m_error;
};

}  // namespace vitrine
