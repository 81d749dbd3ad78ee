// ServerProbe: asks a server which models it has. One question at a time; a newer one takes its place.
// Thread: the window's. Read next: connected_engine.h.
#pragma once

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QObject>
#include <QPointer>

#include "connect/model_list.h"
#include "gui/machine/api_address.h"

namespace vitrine {

class ServerProbe : public QObject {
  Q_OBJECT

 public:
  explicit ServerProbe(QObject* parent = nullptr) : QObject(parent) {}
  ~ServerProbe() override { forget(); }

  void ask(const ApiAddress& server);
  void forget();  // nothing is told of what was asked
  bool isAsking() const { return m_reply != nullptr; }

 signals:
  void listed(const vitrine::connect::ModelList& list);
  void failed(const QString& why);

 private:
  void onFinished();

  QNetworkAccessManager m_network;
  QPointer<QNetworkReply> m_reply;
};

}  // namespace vitrine
