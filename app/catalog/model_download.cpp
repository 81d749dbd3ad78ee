#include "catalog/model_download.h"

#include <QMetaObject>

#include "catalog/download_worker.h"

namespace vitrine {

ModelDownload::ModelDownload(const DownloadSettings& settings, QObject* parent)
    : QObject(parent), m_worker(new DownloadWorker(settings)) {
  m_worker->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
  connect(m_worker, &DownloadWorker::stateChanged, this, [this](DownloadState state) {
    m_state = state;
    emit stateChanged(state);
  });
  connect(m_worker, &DownloadWorker::waiting, this, &ModelDownload::waiting);
  connect(m_worker, &DownloadWorker::listed, this, &ModelDownload::listed);
  connect(m_worker, &DownloadWorker::progressed, this, &ModelDownload::progressed);
  connect(m_worker, &DownloadWorker::finished, this, &ModelDownload::finished);
  connect(m_worker, &DownloadWorker::failed, this, &ModelDownload::failed);
  m_thread.start();
}

ModelDownload::~ModelDownload() {
  m_thread.quit();
  m_thread.wait();
}

void ModelDownload::list(const HubAddress& address) {
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, address] { worker->list(address); });
}

void ModelDownload::start(const HubListing& listing, const HubChoice& choice, const QString& modelsFolder) {
  const DownloadOrder order{listing.repository, listing.revision, choice, modelsFolder};
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, order] { worker->start(order); });
}

void ModelDownload::pause() { QMetaObject::invokeMethod(m_worker, &DownloadWorker::pause); }
void ModelDownload::resume() { QMetaObject::invokeMethod(m_worker, &DownloadWorker::resume); }

void ModelDownload::cancel(bool removeWhatCame) {
  QMetaObject::invokeMethod(m_worker,
                            [worker = m_worker, removeWhatCame] { worker->cancel(removeWhatCame); });
}

}  // namespace vitrine

#include "moc_model_download.cpp"
