// DownloadSettings: how models are downloaded. Thread: values. Read next: model_download.h.
#pragma once

#include <QByteArray>
#include <QNetworkProxy>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QUrl>
#include <functional>
#include <optional>

namespace vitrine {

struct DownloadSettings {
  QUrl hub = QUrl("https://huggingface.co");
  // For gated models. It is sent to the hub's own host alone, never to one that it redirects to.
  QByteArray token = {};
  std::optional<QNetworkProxy> proxy = {};  // none: the system's
  // Hosts that may be reached without encryption: a hub in one's own network, a test. Any other address must
  // be https.
  QStringList plainHosts = {};

  int silenceMs = 30'000;      // a connection on which nothing comes for so long counts as broken
  int firstWaitMs = 1'000;     // before the second attempt; each next wait is twice as long,
  int longestWaitMs = 60'000;  // up to this one
  int searchMs = 12'000;       // a search takes no longer
  int attempts = 8;            // in a row without a new byte
  int pageBytes = 8 << 20;     // of a list of files or models; more is refused
  int listedFiles = 20'000;

  // For tests; called in the download's thread.
  std::function<bool()> hasNetwork = {};                        // by default: any interface that is up
  std::function<qint64(const QString& folder)> freeBytes = {};  // by default: of its file system
};

// The address of a hub as a person writes it: https or http, with a host. Empty: it is none.
QUrl hubFrom(const QString& text);

// With HF_ENDPOINT and HF_TOKEN (or HUGGING_FACE_HUB_TOKEN) where they are set. An endpoint without
// encryption counts among the plain hosts, since the user has named it.
DownloadSettings downloadSettings(const QProcessEnvironment& environment);

// Whether a request to this address is allowed.
bool mayRequest(const QUrl& url, const DownloadSettings& settings);

// Whether it is the hub's own: the same scheme, host and port.
bool isHub(const QUrl& url, const DownloadSettings& settings);

}  // namespace vitrine
