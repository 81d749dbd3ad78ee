// DownloadRun: a ModelDownload, what it has said so far, and settings for a server in this process.
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <optional>

#include "catalog/hub_server.h"
#include "catalog/model_download.h"

namespace vitrine::test {

// Generous: a machine may be busy with other tests.
#define VITRINE_TRY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 30000)

inline DownloadSettings settingsFor(const HubServer& server) {
  DownloadSettings settings;
  settings.hub = server.url();
  settings.plainHosts = QStringList{"127.0.0.1"};
  settings.proxy = QNetworkProxy(QNetworkProxy::NoProxy);
  settings.firstWaitMs = 1;
  settings.longestWaitMs = 4;
  settings.token = "hf_secret";
  settings.freeBytes = [](const QString&) { return qint64{1} << 40; };
  return settings;
}

class DownloadRun {
 public:
  explicit DownloadRun(const DownloadSettings& settings) : download(settings) {
    QObject::connect(&download, &ModelDownload::stateChanged,
                     [this](DownloadState state) { states.append(state); });
    QObject::connect(&download, &ModelDownload::waiting,
                     [this](int ms, const QString&) { waits.append(ms); });
    QObject::connect(&download, &ModelDownload::listed, [this](const HubListing& found) { listing = found; });
    QObject::connect(&download, &ModelDownload::progressed,
                     [this](const DownloadProgress& now) { progress.append(now); });
    QObject::connect(&download, &ModelDownload::finished, [this](const QString& path) { model = path; });
    QObject::connect(&download, &ModelDownload::failed,
                     [this](const DownloadProblem& what) { problem = what; });
  }

  bool isAt(DownloadState state) const { return download.state() == state; }
  DownloadFault fault() const { return problem.fault; }

  ModelDownload download;
  QList<DownloadState> states;
  QList<int> waits;
  QList<DownloadProgress> progress;
  std::optional<HubListing> listing;
  QString model;
  DownloadProblem problem;
};

// The suggested files of a model whose listing is known.
inline HubListing listingOf(const HubServer& server) {
  return {server.repository, "main", readHubPage(server.list()).files};
}
inline HubChoice suggestedOf(const HubListing& listing) {
  for (const HubChoice& choice : hubChoices(listing, {}))
    if (choice.isSuggested) return choice;
  return {};
}

inline QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace vitrine::test
