#include "catalog/download_worker.h"

#include <QDir>
#include <algorithm>

#include "catalog/hub_network.h"

namespace vitrine {

QNetworkAccessManager& DownloadWorker::network() {
  if (!m_network) m_network = makeHubNetwork(m_settings);
  return *m_network;
}

void DownloadWorker::list(const HubAddress& address) {
  halt();
  setState(DownloadState::kListing);
  if (const DownloadProblem problem = problemBeforeAsking(m_settings); problem.fault != DownloadFault::kNone)
    return fail(problem);
  m_lister = std::make_unique<HubLister>(network(), m_settings, nullptr);
  connect(m_lister.get(), &HubLister::waiting, this, &DownloadWorker::waiting);
  connect(m_lister.get(), &HubLister::failed, this, &DownloadWorker::fail);
  connect(m_lister.get(), &HubLister::listed, this, [this](const HubListing& listing) {
    setState(DownloadState::kListed);
    emit listed(listing);
  });
  m_lister->start(address);
}

void DownloadWorker::start(const DownloadOrder& order) {
  halt();
  m_order = order;
  m_order.modelsFolder = QDir::cleanPath(order.modelsFolder);
  m_ready.clear();
  m_written.clear();
  begin();
}

void DownloadWorker::begin() {
  if (const DownloadProblem problem = problemOf(m_order, m_settings); problem.fault != DownloadFault::kNone)
    return fail(problem);
  if (!lock()) return;
  m_index = 0;
  m_clock.start();
  m_reportedMs = 0;
  m_rate.clear();
  setState(DownloadState::kChecking);
  next();
}

bool DownloadWorker::lock() {
  if (!QDir().mkpath(m_order.folder())) {
    fail({DownloadFault::kCannotWrite, tr("The folder %1 cannot be made.").arg(m_order.folder()),
          tr("Choose a folder that you may write to.")});
    return false;
  }
  m_lock = std::make_unique<QLockFile>(m_order.folder() + "/.vitrine-download.lock");
  m_lock->setStaleLockTime(0);  // it counts as long as its process lives
  if (m_lock->tryLock(0)) return true;
  const bool isTaken = m_lock->error() == QLockFile::LockFailedError;
  m_lock.reset();
  fail(
      isTaken
          ? DownloadProblem{DownloadFault::kInUse, tr("Another download writes to %1.").arg(m_order.folder()),
                            tr("Wait for it, or cancel it.")}
          : DownloadProblem{DownloadFault::kCannotWrite, tr("%1 cannot be written to.").arg(m_order.folder()),
                            tr("Choose a folder that you may write to.")});
  return false;
}

void DownloadWorker::next() {
  while (m_ready.contains(m_index)) ++m_index;
  m_fileDone = 0;
  if (m_index >= m_order.choice.files.size()) {
    report(true);
    halt();
    setState(DownloadState::kFinished);
    emit finished(m_order.model());
    return;
  }
  const HubFile& file = m_order.choice.files[m_index];
  const QUrl url = hubFileUrl(m_settings.hub, {m_order.repository, m_order.revision}, file.path);
  m_file = std::make_unique<FileDownload>(network(), m_settings, url, file, m_order.target(file), nullptr);
  follow(*m_file);
  m_file->start();
}

void DownloadWorker::follow(FileDownload& file) {
  connect(&file, &FileDownload::checking, this, [this] { setState(DownloadState::kChecking); });
  connect(&file, &FileDownload::receiving, this, [this] { setState(DownloadState::kLoading); });
  connect(&file, &FileDownload::waiting, this, [this](int milliseconds, const QString& why) {
    setState(DownloadState::kWaiting);
    emit waiting(milliseconds, why);
  });
  connect(&file, &FileDownload::moved, this, &DownloadWorker::onMoved);
  connect(&file, &FileDownload::failed, this, &DownloadWorker::fail);
  connect(&file, &FileDownload::finished, this, [this, sender = &file](bool isNew) {
    m_ready.insert(m_index);
    if (isNew) m_written.insert(m_index);
    // Later: the next file takes the place of the one that says so.
    const auto goOn = [this, sender] {
      if (m_file.get() == sender) next();
    };
    QMetaObject::invokeMethod(this, goOn, Qt::QueuedConnection);
  });
}

void DownloadWorker::onMoved(qint64 bytes) {
  m_fileDone = bytes;
  report(false);
}

void DownloadWorker::report(bool always) {
  constexpr qint64 kEveryMs = 100;
  const qint64 now = m_clock.elapsed();
  if (!always && m_reportedMs > 0 && now - m_reportedMs < kEveryMs) return;
  m_reportedMs = std::max<qint64>(now, 1);
  DownloadProgress progress;
  for (int i = 0; i < m_order.choice.files.size(); ++i) {
    progress.bytes += m_order.choice.files[i].bytes;
    if (m_ready.contains(i)) progress.done += m_order.choice.files[i].bytes;
  }
  progress.done += m_fileDone;
  if (m_index < m_order.choice.files.size()) {
    progress.file = m_order.choice.files[m_index].path;
    progress.fileBytes = m_order.choice.files[m_index].bytes;
    progress.fileDone = m_fileDone;
  }
  // Reading what is there already is no transfer.
  if (m_state == DownloadState::kLoading)
    m_rate.add(now, progress.done);
  else
    m_rate.clear();
  progress.bytesPerSecond = m_rate.perSecond();
  if (progress.bytesPerSecond > 0)
    progress.secondsLeft = qint64(double(progress.bytes - progress.done) / progress.bytesPerSecond);
  emit progressed(progress);
}

void DownloadWorker::pause() {
  const bool isWorking = m_state == DownloadState::kChecking || m_state == DownloadState::kLoading ||
                         m_state == DownloadState::kWaiting;
  if (!isWorking) return;
  halt();
  setState(DownloadState::kPaused);
}

void DownloadWorker::resume() {
  const bool canGoOn = m_state == DownloadState::kPaused || m_state == DownloadState::kFailed;
  if (canGoOn && !m_order.choice.files.isEmpty()) begin();
}

void DownloadWorker::cancel(bool removeWhatCame) {
  if (m_state == DownloadState::kIdle || m_state == DownloadState::kFinished) return;
  halt();
  if (removeWhatCame && !m_order.choice.files.isEmpty()) removeFiles(m_order, m_written);
  m_order = {};
  setState(DownloadState::kCancelled);
}

void DownloadWorker::setState(DownloadState state) {
  if (state == m_state) return;
  m_state = state;
  emit stateChanged(state);
}

void DownloadWorker::fail(const DownloadProblem& problem) {
  if (m_file) m_file->stop();
  m_lock.reset();
  setState(DownloadState::kFailed);
  emit failed(problem);
}

// Also from a signal of what is put away here: it is deleted later.
void DownloadWorker::halt() {
  if (m_file) {
    m_file->stop();
    m_file->disconnect(this);
    m_file.release()->deleteLater();
  }
  if (m_lister) {
    m_lister->disconnect(this);
    m_lister->stop();
    m_lister.release()->deleteLater();
  }
  m_lock.reset();
}

}  // namespace vitrine

#include "moc_download_worker.cpp"
