// Report: checks that need no test framework, so that they build on a machine with a GPU and without Qt.
#pragma once

#include <cstdio>
#include <string>
#include <utility>

namespace vitrine::gpu {

class Report {
 public:
  // `isSmall`: checks leave out their large sizes, so that a sanitizer comes to their end.
  explicit Report(bool isSmall = false) : m_isSmall(isSmall) {}
  bool isSmall() const { return m_isSmall; }

  // Groups whose name has this text in it; empty: all.
  void choose(std::string text) { m_chosen = std::move(text); }
  // Whether the group is among the chosen ones; its checks follow, or are left out.
  [[nodiscard]] bool begin(const std::string& group) {
    if (group.find(m_chosen) == std::string::npos) return false;
    m_group = group;
    ++m_groups;
    std::printf("%s\n", group.c_str());
    std::fflush(stdout);
    return true;
  }
  // Counts, and names what does not hold.
  bool check(bool holds, const std::string& text) {
    ++m_checks;
    if (holds) return true;
    ++m_failures;
    std::printf("  FAILED: %s: %s\n", m_group.c_str(), text.c_str());
    std::fflush(stdout);
    return false;
  }
  int end() const {
    if (m_groups == 0) {
      std::printf("no group of checks has \"%s\" in its name\n", m_chosen.c_str());
      return 2;
    }
    std::printf("%d checks, %d failed\n", m_checks, m_failures);
    return m_failures == 0 ? 0 : 1;
  }

 private:
  const bool m_isSmall;
  std::string m_chosen, m_group;
  int m_groups = 0, m_checks = 0, m_failures = 0;
};

}  // namespace vitrine::gpu
