// Report: checks that need no test framework, so that they build on a machine with a GPU and without Qt.
#pragma once

#include <cstdio>
#include <string>

namespace vitrine::gpu {

class Report {
 public:
  // `isSmall`: checks leave out their large sizes, so that a sanitizer comes to their end.
  explicit Report(bool isSmall = false) : m_isSmall(isSmall) {}
  bool isSmall() const { return m_isSmall; }

  void begin(const std::string& what) {
    m_what = what;
    std::printf("%s\n", what.c_str());
    std::fflush(stdout);
  }
  // Counts, and names what does not hold.
  bool check(bool holds, const std::string& text) {
    ++m_checks;
    if (holds) return true;
    ++m_failures;
    std::printf("  FAILED: %s: %s\n", m_what.c_str(), text.c_str());
    std::fflush(stdout);
    return false;
  }
  int end() const {
    std::printf("%d checks, %d failed\n", m_checks, m_failures);
    return m_failures == 0 ? 0 : 1;
  }

 private:
  const bool m_isSmall;
  std::string m_what;
  int m_checks = 0, m_failures = 0;
};

}  // namespace vitrine::gpu
