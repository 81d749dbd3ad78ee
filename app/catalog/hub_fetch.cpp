#include "catalog/hub_fetch.h"

#include <QNetworkReply>
#include <QNetworkRequest>
#include <QRegularExpression>
#include <utility>

#include "vitrine/program_files.h"

namespace vitrine {
namespace {

constexpr int kMostRedirects = 5;
constexpr qint64 kBufferBytes = 4 << 20;  // between the network and the disk

bool isRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}
int statusOf(const QNetworkReply& reply) {
  return reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

FetchEnd::Kind kindOf(QNetworkReply::NetworkError error) {
  switch (error) {
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::HostNotFoundError:
    case QNetworkReply::NetworkSessionFailedError:
    case QNetworkReply::UnknownNetworkError:
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyNotFoundError:
      return FetchEnd::Kind::kUnreachable;
    case QNetworkReply::SslHandshakeFailedError:
      return FetchEnd::Kind::kUntrusted;
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError:
      return FetchEnd::Kind::kForbidden;
    default:
      return FetchEnd::Kind::kCut;
  }
}

// RFC 8288: <address>; rel="next"
QUrl nextPage(const QByteArray& link, const QUrl& base) {
  static const QRegularExpression next(QStringLiteral("<([^<>]+)>\\s*;[^,<]*rel=\"?next\"?"));
  const auto match = next.match(QString::fromLatin1(link));
  return match.hasMatch() ? base.resolved(QUrl::fromEncoded(match.captured(1).toLatin1())) : QUrl();
}

}  // namespace

void HubFetch::get(const QUrl& url, qint64 firstByte) {
  abort();
  m_firstByte = firstByte;
  m_redirects = 0;
  m_linkedValidator.clear();
  m_silence.setSingleShot(true);
  m_silence.setInterval(m_settings.silenceMs);
  disconnect(&m_silence, nullptr, this, nullptr);
  connect(&m_silence, &QTimer::timeout, this,
          [this] { end(FetchEnd::Kind::kCut, tr("The server does not answer")); });
  request(url);
}

void HubFetch::abort() {
  m_silence.stop();
  if (m_reply == nullptr) return;
  QNetworkReply* const reply = std::exchange(m_reply, nullptr);
  reply->disconnect(this);
  // Ends the connection too. Its abort() would report an error, which Qt takes ill within another report.
  reply->deleteLater();
}

void HubFetch::request(const QUrl& url) {
  m_head = {};
  m_hasBegun = false;
  QNetworkRequest request(url);
  request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
  request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
  request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
  request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
  request.setRawHeader("User-Agent", QByteArray("Vitrine/") + version());
  request.setRawHeader("Accept-Encoding", "identity");  // bytes are counted and hashed as the file has them
  if (m_firstByte > 0) request.setRawHeader("Range", "bytes=" + QByteArray::number(m_firstByte) + '-');
  if (isHub(url, m_settings) && !m_settings.token.isEmpty())
    request.setRawHeader("Authorization", "Bearer " + m_settings.token);
  m_reply = m_network.get(request);
  m_reply->setReadBufferSize(kBufferBytes);
  connect(m_reply, &QNetworkReply::metaDataChanged, this, &HubFetch::onHead);
  connect(m_reply, &QNetworkReply::readyRead, this, [this] {
    m_silence.start();
    if (m_hasBegun) emit arrived();
  });
  connect(m_reply, &QNetworkReply::finished, this, &HubFetch::onFinished);
  m_silence.start();
}

void HubFetch::onHead() {
  m_silence.start();
  const int status = statusOf(*m_reply);
  if (isRedirect(status)) {
    const QUrl target = QUrl::fromEncoded(m_reply->rawHeader("Location"));
    if (isHub(m_reply->url(), m_settings)) m_linkedValidator = m_reply->rawHeader("X-Linked-ETag");
    follow(m_reply->url().resolved(target));
    return;
  }
  if (m_hasBegun || status == 0) return;
  // What an error says besides is not read: it may have no end.
  if (status != 200 && status != 206) return end(FetchEnd::Kind::kStatus, {});
  readHead();
  m_hasBegun = true;
  emit begun();
}

// Encrypted stays encrypted; what is not stays with hosts that were named.
void HubFetch::follow(const QUrl& target) {
  const bool wasEncrypted = m_reply->url().scheme() == "https";
  if (++m_redirects > kMostRedirects)
    return end(FetchEnd::Kind::kForbidden, tr("The server redirects in circles"));
  if (!mayRequest(target, m_settings) || (wasEncrypted && target.scheme() != "https"))
    return end(FetchEnd::Kind::kForbidden, tr("The server redirects to %1, which is not followed")
                                               .arg(target.toDisplayString(QUrl::RemoveQuery)));
  abort();
  request(target);
}

void HubFetch::readHead() {
  static const QRegularExpression range(QStringLiteral("^bytes (\\d{1,18})-\\d{1,18}/(\\d{1,18})$"));
  m_head.status = statusOf(*m_reply);
  m_head.validator = m_linkedValidator.isEmpty() ? m_reply->rawHeader("ETag") : m_linkedValidator;
  m_head.next = nextPage(m_reply->rawHeader("Link"), m_reply->url());
  const auto match = range.match(QString::fromLatin1(m_reply->rawHeader("Content-Range")));
  if (m_head.status == 206 && match.hasMatch()) {
    m_head.firstByte = match.captured(1).toLongLong();
    m_head.totalBytes = match.captured(2).toLongLong();
  } else if (const QVariant length = m_reply->header(QNetworkRequest::ContentLengthHeader);
             length.isValid()) {
    m_head.totalBytes = length.toLongLong();
  }
}

void HubFetch::onFinished() {
  const QNetworkReply* const reply = m_reply;
  const int status = statusOf(*m_reply);
  if (m_hasBegun && m_reply->bytesAvailable() > 0) emit arrived();
  if (m_reply != reply) return;  // arrived() has ended it
  if (status != 0 && status != 200 && status != 206) return end(FetchEnd::Kind::kStatus, {});
  const auto error = m_reply->error();
  if (error == QNetworkReply::NoError) return end(FetchEnd::Kind::kDone, {});
  end(m_hasBegun ? FetchEnd::Kind::kCut : kindOf(error), m_reply->errorString());
}

QByteArray HubFetch::read() { return m_reply == nullptr ? QByteArray() : m_reply->readAll(); }

void HubFetch::end(FetchEnd::Kind kind, const QString& words) {
  FetchEnd end{kind, 0, 0, words};
  if (m_reply != nullptr) {
    end.status = statusOf(*m_reply);
    end.retryAfterS = m_reply->rawHeader("Retry-After").toInt();
  }
  abort();
  emit ended(end);
}

}  // namespace vitrine

#include "moc_hub_fetch.cpp"
