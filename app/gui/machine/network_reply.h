// What is done with the reply of a server (api_address.h) wherever one is asked. Thread: the window's.
#pragma once

#include <QNetworkReply>

namespace vitrine {

inline int statusOf(const QNetworkReply& reply) {  // 0: no answer came
  return reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

// The hearer hears nothing more of it, also where it is under way.
inline void hangUp(QNetworkReply& reply, QObject& hearer) {
  reply.disconnect(&hearer);
  reply.abort();
  reply.deleteLater();
}

}  // namespace vitrine
