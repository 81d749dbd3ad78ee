// ApiAddress: where a server of OpenAI's API listens, and the key that it takes. Thread: values. Read next:
// server_probe.h, connected_engine.h.
#pragma once

#include <QNetworkRequest>
#include <QString>
#include <QUrl>
#include <optional>

class QNetworkReply;

namespace vitrine {

struct ApiAddress {
  QUrl base;    // "http://10.0.0.5:8000", without the "/v1" that clients write behind it
  QString key;  // empty: none

  QString text() const { return base.toString(); }
  QString place() const { return base.authority(); }  // "10.0.0.5:8000"
  // Of a path below the base, with the key. A server that sends it elsewhere is not followed: the key is for
  // this one alone.
  QNetworkRequest request(const char* path) const;

  bool operator==(const ApiAddress&) const = default;
};

// What a person writes or pastes: "10.0.0.5:8000", "https://host/v1". Nothing when it is no address, or has a
// name, a password or another scheme.
std::optional<ApiAddress> apiAddress(const QString& text, const QString& key);

// Why a reply has failed, in the server's words where it has some. `body`: what was read of it.
QString failureWords(const QNetworkReply& reply, const QByteArray& body);

}  // namespace vitrine
