#include "catalog/download_settings.h"

#include <algorithm>

namespace vitrine {
namespace {

int portOf(const QUrl& url) { return url.port(url.scheme() == "https" ? 443 : 80); }

// It becomes a line of a request: a blank or a line's end in it would begin another.
bool isToken(const QByteArray& text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 127; });
}

}  // namespace

QUrl hubFrom(const QString& text) {
  const QUrl url(text.trimmed(), QUrl::StrictMode);
  if (!url.isValid() || url.host().isEmpty() || (url.scheme() != "https" && url.scheme() != "http"))
    return {};
  QUrl hub = url.adjusted(QUrl::StripTrailingSlash | QUrl::RemoveQuery | QUrl::RemoveFragment);
  if (hub.path() == "/") hub.setPath({});
  return hub;
}

DownloadSettings downloadSettings(const QProcessEnvironment& environment) {
  DownloadSettings settings;
  if (const QUrl endpoint = hubFrom(environment.value("HF_ENDPOINT")); !endpoint.isEmpty()) {
    settings.hub = endpoint;
    if (endpoint.scheme() == "http") settings.plainHosts.append(endpoint.host());
  }
  for (const char* name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"})
    if (settings.token.isEmpty()) settings.token = environment.value(name).trimmed().toUtf8();
  if (!isToken(settings.token)) settings.token.clear();
  return settings;
}

bool mayRequest(const QUrl& url, const DownloadSettings& settings) {
  if (!url.isValid() || url.host().isEmpty()) return false;
  return url.scheme() == "https" || (url.scheme() == "http" && settings.plainHosts.contains(url.host()));
}

bool isHub(const QUrl& url, const DownloadSettings& settings) {
  return url.scheme() == settings.hub.scheme() && url.host() == settings.hub.host() &&
         portOf(url) == portOf(settings.hub);
}

}  // namespace vitrine
