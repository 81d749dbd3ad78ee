// RetryPlan: whether and when a fetch that has failed is tried again, and the words for one that is not.
// Thread: values. Read next: hub_fetch.h.
#pragma once

#include <optional>

#include "catalog/download_problem.h"
#include "catalog/hub_fetch.h"

namespace vitrine {

class RetryPlan {
 public:
  explicit RetryPlan(const DownloadSettings& settings) : m_settings(settings) {}

  // New bytes came: the next failure is the first again.
  void hasProgressed() {
    m_failures = 0;
    m_hasReached = true;
  }

  // Milliseconds until the next attempt; none: trying again is no use, or was tried often enough. A host that
  // was never reached is not waited for.
  std::optional<int> waitAfter(const FetchEnd& end);

 private:
  const DownloadSettings& m_settings;
  int m_failures = 0;
  bool m_hasReached = false;
};

// One sentence for the time until the next attempt.
QString passingWords(const FetchEnd& end);

// `thing`: what was asked for, "the list of files of owner/name".
DownloadProblem problemOf(const FetchEnd& end, const QString& thing, const DownloadSettings& settings);

}  // namespace vitrine
