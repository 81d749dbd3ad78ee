#include "gui/machine/server_probe.h"

#include "gui/machine/network_reply.h"
#include "vitrine/error.h"

namespace vitrine {

namespace {

constexpr int kAnswersWithinMs = 10000;
constexpr qint64 kMostListBytes = qint64{4} << 20;

}  // namespace

void ServerProbe::forget() {
  if (QNetworkReply* const reply = std::exchange(m_reply, nullptr)) hangUp(*reply, *this);
}

void ServerProbe::ask(const ApiAddress& server) {
  forget();
  QNetworkRequest request = server.request("/v1/models");
  request.setTransferTimeout(kAnswersWithinMs);
  m_reply = m_network.get(request);
  connect(m_reply, &QNetworkReply::downloadProgress, this, [reply = m_reply](qint64 received) {
    if (received > kMostListBytes) reply->abort();
  });
  connect(m_reply, &QNetworkReply::finished, this, &ServerProbe::onFinished);
}

void ServerProbe::onFinished() {
  QNetworkReply* const reply = std::exchange(m_reply, nullptr);
  reply->deleteLater();
  const QByteArray body = reply->isOpen() ? reply->readAll() : QByteArray();
  if (reply->error() != QNetworkReply::NoError) return void(emit failed(failureWords(*reply, body)));
  try {
    emit listed(connect::modelListOf(body.toStdString()));
  } catch (const EngineError& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

}  // namespace vitrine

#include "moc_server_probe.cpp"
