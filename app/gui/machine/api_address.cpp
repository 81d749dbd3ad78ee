#include "gui/machine/api_address.h"

#include <algorithm>

#include "connect/chat_stream.h"
#include "gui/machine/network_reply.h"

namespace vitrine {

namespace {

const QString kVersion = QStringLiteral("/v1");

}  // namespace

QNetworkRequest ApiAddress::request(const char* path) const {
  QUrl url = base;
  url.setPath(base.path() + QLatin1String(path));
  QNetworkRequest request(url);
  request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
  request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
  if (!key.isEmpty()) request.setRawHeader("Authorization", "Bearer " + key.toUtf8());
  return request;
}

std::optional<ApiAddress> apiAddress(const QString& text, const QString& key) {
  QString address = text.trimmed();
  if (address.isEmpty()) return std::nullopt;
  if (!address.contains(QLatin1String("://"))) address.prepend(QLatin1String("http://"));
  QUrl url(address, QUrl::StrictMode);
  const bool isWeb = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
  if (!url.isValid() || !isWeb || url.host().isEmpty() || !url.userInfo().isEmpty() || url.hasQuery())
    return std::nullopt;
  QString path = url.path();
  while (path.endsWith(u'/')) path.chop(1);
  if (path.endsWith(kVersion)) path.chop(kVersion.size());
  url.setPath(path);
  url.setFragment({});
  const QString trimmed = key.trimmed();
  const bool isPrintable = std::ranges::all_of(trimmed, [](QChar c) { return c.isPrint() && c < u'\x7f'; });
  if (!isPrintable) return std::nullopt;  // it would be a header of its own
  return ApiAddress{url, trimmed};
}

QString failureWords(const QNetworkReply& reply, const QByteArray& body) {
  const int status = statusOf(reply);
  if (status == 0) return reply.errorString();
  const QString words = QString::fromStdString(connect::errorWords(body.toStdString())).trimmed();
  const QString code = QStringLiteral("HTTP %1").arg(status);
  return words.isEmpty() ? code : QStringLiteral("%1 (%2)").arg(words, code);
}

}  // namespace vitrine
