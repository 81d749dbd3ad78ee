#include "catalog/model_scan.h"

#include <sys/stat.h>

#include <QFile>
#include <QSet>
#include <set>
#include <utility>

#include "catalog/model_finder.h"
#include "catalog/model_reading.h"

namespace vitrine {
namespace {

class Scan {
 public:
  Scan(const ScanLimits& limits, const ScanSink& sink)
      : m_limits(limits), m_entries(limits.entries), m_sink(sink) {}

  void search(const ModelRoot& root) {
    if (isOver()) return;
    m_sink.entered(root);
    findModels(root, m_limits.depth, m_entries,
               {[this](const ModelCandidate& candidate) { take(candidate); },
                [this](const LeftOut& leftOut) { pass(leftOut); }, [this] { return isOver(); }});
  }

  ScanReport report() const {
    ScanReport report = m_report;
    report.wasCancelled = m_sink.cancelled();
    report.reachedLimit = isFull() || m_entries <= 0;
    return report;
  }

 private:
  bool isFull() const { return m_report.models >= m_limits.models; }
  bool isOver() const { return isFull() || m_sink.cancelled(); }

  void take(const ModelCandidate& candidate) {
    if (isOver() || !isNew(candidate)) return;
    const auto described = describeModel(candidate);
    if (const auto* leftOut = std::get_if<LeftOut>(&described)) return pass(*leftOut);
    ++m_report.models;
    m_sink.found(std::get<FoundModel>(described));
  }

  // By another way the same path may be left out again.
  void pass(const LeftOut& leftOut) {
    if (isOver() || m_leftOut.contains(leftOut.path)) return;
    m_leftOut.insert(leftOut.path);
    ++m_report.leftOut;
    m_sink.leftOut(leftOut);
  }

  // By the file of its first weights, which a link shares with what it leads to.
  bool isNew(const ModelCandidate& candidate) {
    struct stat file {};
    if (::stat(QFile::encodeName(candidate.weights.front()).constData(), &file) != 0) return true;
    return m_seen.emplace(file.st_dev, file.st_ino).second;
  }

  const ScanLimits m_limits;
  int m_entries;
  const ScanSink& m_sink;
  ScanReport m_report;
  std::set<std::pair<dev_t, ino_t>> m_seen;
  QSet<QString> m_leftOut;
};

}  // namespace

ScanReport scanModels(const ModelRoots& roots, const ScanLimits& limits, const ScanSink& sink) {
  Scan scan(limits, sink);
  for (const ModelRoot& root : roots.folders) scan.search(root);
  return scan.report();
}

}  // namespace vitrine
