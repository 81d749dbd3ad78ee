#include "catalog/model_scanner.h"

#include <QMetaObject>
#include <QThread>
#include <utility>

namespace vitrine {

ModelScanner::ModelScanner(QObject* parent) : QObject(parent) {}

ModelScanner::~ModelScanner() {
  cancel();
  for (const auto& thread : m_threads) thread->wait();
}

void ModelScanner::start(const ModelRoots& roots, const ScanLimits& limits) {
  cancel();
  std::erase_if(m_threads, [](const auto& thread) { return thread->isFinished(); });
  m_search = std::make_shared<Search>();
  m_threads.emplace_back(
      QThread::create([this, search = m_search, roots, limits] { run(search, roots, limits); }));
  m_threads.back()->start(QThread::LowPriority);
}

void ModelScanner::cancel() {
  if (m_search) m_search->cancelled = true;
  m_search.reset();
}

// Runs `deliver` in this object's thread, unless the search is over by then.
template <typename Deliver>
void ModelScanner::post(const std::shared_ptr<Search>& search, Deliver deliver) {
  QMetaObject::invokeMethod(
      this,
      [this, search, deliver = std::move(deliver)] {
        if (search == m_search) deliver();
      },
      Qt::QueuedConnection);
}

void ModelScanner::run(const std::shared_ptr<Search>& search, const ModelRoots& roots,
                       const ScanLimits& limits) {
  const ScanReport report =
      scanModels(roots, limits,
                 {[&](const FoundModel& model) { post(search, [this, model] { emit found(model); }); },
                  [&](const LeftOut& passed) { post(search, [this, passed] { emit leftOut(passed); }); },
                  [&](const ModelRoot& root) { post(search, [this, root] { emit entered(root); }); },
                  [&] { return search->cancelled.load(); }});
  post(search, [this, report] {
    m_search.reset();
    emit finished(report);
  });
}

}  // namespace vitrine

#include "moc_model_scanner.cpp"
