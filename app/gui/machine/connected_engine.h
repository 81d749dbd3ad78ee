// ConnectedEngine: another program's engine behind an OpenAI-compatible API, in the place of the window's own
// machine: it takes the turns of chats, and says what can be seen of it as events (connect/outside_run.h).
//
// Each turn is a request of its own, whose answer comes as a stream. What fails there ends that answer, with
// the server's words. Nothing of it waits. Where the server publishes the events of its KV cache, they come
// beside it (kv_watcher.h). Thread: the window's. Read next: engine_host.h, which has
// it.
#pragma once

#include <QElapsedTimer>
#include <QNetworkAccessManager>
#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "connect/outside_run.h"
#include "connect/server_kind.h"
#include "gui/machine/api_address.h"
#include "gui/machine/kv_watcher.h"
#include "gui/machine/load_order.h"
#include "gui/machine/told_answers.h"
#include "widgets/support/notice.h"

namespace vitrine {

struct ConnectOrder {
  ApiAddress server;
  std::string model;  // as the server lists it
  connect::ServerKind kind = connect::ServerKind::kUnknown;
  int contextLength = 0;  // tokens; 0: not told
  // Where the server publishes its KV events, and sends them again; empty: it is not asked for them.
  std::string kvEvents = {}, kvReplay = {};
};

class ConnectedEngine : public QObject {
  Q_OBJECT

 public:
  explicit ConnectedEngine(ConnectOrder order, QObject* parent = nullptr);
  ~ConnectedEngine() override;  // hangs up; nothing more comes

  const ConnectOrder& order() const { return m_order; }
  void begin();  // the run's first event
  void submitChat(ChatOrder order);
  void cancel(RequestId request);
  const ToldAnswers& told() const { return m_told; }

 signals:
  void begunAnew();  // another run: before its first event
  void came(std::vector<vitrine::Event> events);
  void noticed(const vitrine::Notice& notice);
  void chatFailed(const QString& requestName);  // it could not be asked; noticed() has said why

 private:
  struct Turn {
    QByteArray body, withoutLogprobs;  // the second: for a server that has none; empty: it is said already
    QNetworkReply* reply = nullptr;
    connect::ChatStream stream = {};
  };

  void take(const std::vector<connect::KvEventBatch>& batches);
  bool beginsAnew(const connect::KvEventBatch& batch);
  void forgetBlocks();
  void take(const ChatOrder& order);
  std::unique_ptr<connect::OutsideRun> newRun(int blockSize);
  void send(RequestId request, Turn& turn, const QByteArray& body);
  void read(RequestId request);
  void onFinished(RequestId request);
  bool asksAgain(RequestId request, Turn& turn, const QString& words);
  void fail(RequestId request, const QString& words);
  void end(RequestId request, std::optional<FinishReason> why);
  void tellUnsent(const SamplingOptions& sampling);
  void publish();

  const ConnectOrder m_order;
  QNetworkAccessManager m_network;
  QElapsedTimer m_clock;
  std::unique_ptr<connect::OutsideRun> m_run;
  std::map<RequestId, Turn> m_turns;  // under way
  ToldAnswers m_told;                 // of the present run
  QTimer m_publishing;
  std::vector<std::string> m_unsent;  // options that were told of
  bool m_tellsLogprobs = true;
  std::vector<connect::KvEventBatch> m_held;  // until no answer is under way
  std::unique_ptr<KvWatcher> m_kv;            // null: its KV events are not asked for, or have ended
};

}  // namespace vitrine
