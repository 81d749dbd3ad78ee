// EngineWorker: the engine's side of the thread boundary. It lives in the engine's thread, alone calls the
// engine, alone catches its errors, and turns them into signals. Read next: engine_host.h, its other side.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <vector>

#include "finished_requests.h"
#include "run_control.h"
#include "scenarios/timetable.h"
#include "vitrine/engine.h"

namespace vitrine {

// A turn of a chat: rendered and cut to the context where the tokenizer is.
struct ChatOrder {
  std::vector<ChatMessage> messages;  // oldest first; a first system message always stays
  bool thinking = false;
  Request request;  // prompt and stop strings are filled in
};

struct LoadOrder {
  std::filesystem::path model;
  EngineOptions options;
  std::vector<ChatOrder> staged;  // stand in the queue when the model is there; left out without a tokenizer
  Timetable timetable;            // a scenario's requests and commands, as the steps go by
};

enum class MachineMode { kEmpty, kLoading, kPaused, kRunning, kHeld };

class EngineWorker : public QObject {
  Q_OBJECT

 public:
  // So many finished requests the engine keeps, the newest. Enough to look back at in the list of requests (a
  // screen holds a dozen), and little enough that state, snapshots and every batch stay as small in the
  // second hour as in the first minute. Whatever is forgotten stays in the recording and in the chat.
  static constexpr std::size_t kFinishedKept = 64;

  EngineWorker(RunControl& control, EventSink& sink);

  void load(LoadTicket ticket, const LoadOrder& order);  // none that is no longer wanted
  void submitChat(const ChatOrder& order);
  void cancel(RequestId request);
  void setSampling(RequestId request, const SamplingOptions& sampling);
  void setDetail(const Detail& detail);
  void setStepsPerSecond(double rate);  // 0: as fast as the engine goes
  void step();  // one whole step, or one that holds at every phase when the pace says so
  void run();

 signals:
  void loadProgress(double fraction, const QString& what);
  void loadEnded();  // well or not, before the mode that follows
  void loaded(vitrine::LoadTicket ticket, const QString& directory, bool chatRecognised);
  void failed(const QString& code, const QString& message, const QString& hint);
  void modeChanged(vitrine::MachineMode mode, vitrine::Phase next);  // next: the phase held before
  void chatTrimmed(int droppedMessages);
  void chatFailed(const QString& requestName, const QString& message);  // beside failed()

 private:
  Request prepare(const ChatOrder& order);
  void runOn();
  void stepOnce();
  void forgetOldest();
  void serveTimetable();
  void waitForCompany();
  void setMode(MachineMode mode, Phase next = Phase::kAdmit);
  template <class Action>
  bool guarded(Action action);

  RunControl& m_control;
  FinishedRequests m_finished;
  EventFanOut m_sinks;
  std::unique_ptr<Engine> m_engine;
  Timetable m_timetable;
  Detail m_detail;
  std::unique_ptr<QTimer> m_pacer;
  double m_stepsPerSecond = 4;
};

}  // namespace vitrine

Q_DECLARE_METATYPE(vitrine::MachineMode)
Q_DECLARE_METATYPE(vitrine::Phase)
