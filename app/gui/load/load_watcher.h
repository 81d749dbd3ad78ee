// LoadWatcher: asks several servers for their metrics once a second, one request at a time for each, and
// keeps the last ten minutes of each.
//
// A server that does not answer, or with something else than metrics, has a gap in its history and words for
// it; it is asked again a second later. Nothing of it waits, and nothing is asked before setWatching(true).
// Thread: the window's. Read next: connect/engine_load.h, load_model.h.
#pragma once

#include <QElapsedTimer>
#include <QNetworkAccessManager>
#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

#include "connect/engine_load.h"
#include "connect/server_kind.h"
#include "gui/machine/api_address.h"
#include "gui/machine/server_probe.h"

namespace vitrine {

class LoadWatcher : public QObject {
  Q_OBJECT

 public:
  static constexpr int kMostServers = 16;

  explicit LoadWatcher(QObject* parent = nullptr);
  ~LoadWatcher() override;  // hangs up; nothing more comes

  // Its row. Of a server that is there, the key is replaced where there is one. -1: there are kMostServers.
  int add(const ApiAddress& server);
  void remove(int row);
  void setWatching(bool watches);
  bool isWatching() const { return m_every.isActive(); }

  int count() const { return static_cast<int>(m_watched.size()); }
  const ApiAddress& server(int row) const { return at(row).server; }
  std::vector<ApiAddress> servers() const;
  const connect::LoadHistory& history(int row) const { return at(row).history; }
  QString engine(int row) const;                                 // "vLLM"; empty: it has not answered
  QString trouble(int row) const { return at(row).trouble; }     // of the last answer; empty: none
  bool isAnswered(int row) const { return at(row).isAnswered; }  // or has failed, at least once
  int mark(int row) const { return at(row).mark; }  // a number that no other server has, from 0 on
  double now() const;                               // seconds of the clock of the histories

 signals:
  void changed(int row);  // its history, trouble or engine
  void reset();           // servers have come, or are gone

 private:
  struct Watched {
    ApiAddress server;
    int mark = 0;
    connect::LoadHistory history;
    connect::ServerKind kind = connect::ServerKind::kUnknown;  // as its list of models says it
    std::unique_ptr<ServerProbe> probe;                        // of that list; null: not asked
    QString trouble;
    bool isAnswered = false;
    QNetworkReply* reply = nullptr;  // under way
    double askedAt = 0;
    QByteArray body;
    QString cut;  // why the request under way was ended from here
  };

  const Watched& at(int row) const { return *m_watched.at(static_cast<std::size_t>(row)); }
  int rowOf(const Watched& watched) const;
  int freeMark() const;
  void tick();
  void ask(Watched& watched);
  void read(Watched& watched);
  void cut(Watched& watched, const QString& why);
  void forget(Watched& watched);
  void onFinished(Watched& watched);
  QString take(Watched& watched, const QNetworkReply& reply);
  void askKind(Watched& watched);

  QNetworkAccessManager m_network;
  QElapsedTimer m_clock;
  QTimer m_every;
  std::vector<std::unique_ptr<Watched>> m_watched;  // by row
};

}  // namespace vitrine
