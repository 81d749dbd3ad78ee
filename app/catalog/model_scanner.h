// ModelScanner: the models on this computer, searched beside the window.
//
// Thread: lives in the one that made it, where its signals are emitted; the search runs in a thread of its
// own. After cancel() or a new start(), no signal of the search of before comes. Neither waits; the
// destructor does, until the model that is being read is done (a second for a large tokenizer). Read next:
// model_scan.h; found_model.h.
#pragma once

#include <QObject>
#include <atomic>
#include <memory>
#include <vector>

#include "catalog/model_scan.h"

class QThread;

namespace vitrine {

class ModelScanner : public QObject {
  Q_OBJECT

 public:
  explicit ModelScanner(QObject* parent = nullptr);
  ~ModelScanner() override;

  bool isRunning() const { return m_search != nullptr; }
  void start(const ModelRoots& roots, const ScanLimits& limits = {});
  void cancel();

 signals:
  void entered(const vitrine::ModelRoot& root);
  void found(const vitrine::FoundModel& model);
  void leftOut(const vitrine::LeftOut& leftOut);
  void finished(const vitrine::ScanReport& report);  // not after cancel()

 private:
  struct Search {
    std::atomic<bool> cancelled = false;
  };
  template <typename Deliver>
  void post(const std::shared_ptr<Search>& search, Deliver deliver);
  void run(const std::shared_ptr<Search>& search, const ModelRoots& roots, const ScanLimits& limits);

  std::shared_ptr<Search> m_search;                 // the present one
  std::vector<std::unique_ptr<QThread>> m_threads;  // the last one is its own; those before are ending
};

}  // namespace vitrine
