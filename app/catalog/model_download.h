// ModelDownload: a model of the hub on to this computer. First its files are listed, then those of one choice
// are downloaded.
//
//   ModelDownload download(downloadSettings(QProcessEnvironment::systemEnvironment()));
//   download.list(*parseHubAddress("owner/name", hub).address);           -> listed()
//   download.start(listing, choice, ownModelsFolder(environment));        -> progressed()..., finished()
//
// A file grows as NAME.part and gets its name when its checksum is right, so that no half model is ever taken
// for a whole one. What has come is kept through a pause, a failure and the end of the program, and the same
// order goes on from there.
// Thread: lives in the one that made it, where its signals are emitted; network, disk and checksums work in a
// thread of its own, so that no call waits. The destructor stops the work, and keeps what has come.
// Read next: hub_choice.h; download_state.h; download_problem.h; download_settings.h.
#pragma once

#include <QObject>
#include <QThread>

#include "catalog/download_problem.h"
#include "catalog/download_settings.h"
#include "catalog/download_state.h"
#include "catalog/hub_address.h"
#include "catalog/hub_choice.h"
#include "catalog/hub_listing.h"

namespace vitrine {

class DownloadWorker;

class ModelDownload : public QObject {
  Q_OBJECT

 public:
  explicit ModelDownload(const DownloadSettings& settings, QObject* parent = nullptr);
  ~ModelDownload() override;

  // As last signalled.
  DownloadState state() const { return m_state; }

  // Ends what it does. listed() or failed() follows.
  void list(const HubAddress& address);
  // Ends what it does. The files go to modelsFolder/owner/name; a file that is there with the right checksum
  // is not downloaded again, another one with its name is a failure. finished() or failed() follows.
  void start(const HubListing& listing, const HubChoice& choice, const QString& modelsFolder);
  void pause();   // keeps what has come
  void resume();  // after a pause or a failure of start()
  // Ends for good. `removeWhatCame`: also the files that this order has brought; never others.
  void cancel(bool removeWhatCame);

 signals:
  void stateChanged(vitrine::DownloadState state);
  void waiting(int milliseconds, const QString& why);  // until the next attempt
  void listed(const vitrine::HubListing& listing);
  void progressed(const vitrine::DownloadProgress& progress);  // about ten times a second
  void finished(const QString& model);                         // what the engine loads
  void failed(const vitrine::DownloadProblem& problem);

 private:
  QThread m_thread;
  DownloadWorker* m_worker;  // lives in m_thread, which deletes it
  DownloadState m_state = DownloadState::kIdle;
};

}  // namespace vitrine
