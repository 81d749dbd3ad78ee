// EngineWorker: the engine's side of the thread boundary. It lives in the engine's thread. Only this class
// calls the engine, or has the work of a question do it, and catches its errors, which become signals. Read
// next: engine_host.h, the other side.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/model_estimate.h"
#include "common/chat_prompt.h"
#include "gui/machine/chat_full.h"
#include "gui/machine/load_order.h"
#include "gui/machine/question.h"
#include "gui/machine/run_control.h"
#include "gui/machine/served_machine.h"
#include "vitrine/breakpoint_sink.h"
#include "vitrine/chat_format.h"
#include "vitrine/engine.h"
#include "vitrine/event_sink.h"
#include "widgets/support/notice.h"

namespace vitrine {

enum class MachineMode { kEmpty, kLoading, kPaused, kRunning, kHeld };

// The model's chat template takes no such conversation.
struct ChatRefused {
  QString request;                   // the order's name
  QString words;                     // the template's own
  std::vector<ChatMend> mends = {};  // with which it takes the conversation
};

class EngineWorker : public QObject {
  Q_OBJECT

 public:
  // Finished requests that the engine keeps, the newest. The list of requests shows a dozen on a screen; with
  // this bound, state, snapshots and batches do not grow with the length of a run. A forgotten request stays
  // in the recording and in the chat.
  static constexpr std::size_t kFinishedKept = 64;

  EngineWorker(RunControl& control, EventSink& sink);

  // On any thread, also while a step is held: a run ends when one of them is met, after the step or, if
  // `inside`, before the next phase.
  void setBreakpoints(std::vector<Breakpoint> list) { m_breakpoints.set(std::move(list)); }
  void setStopsInside(bool inside) { m_stopsInside = inside; }

  // Before the first load; availableMemory() else. For tests.
  void setAvailableMemory(std::function<qint64()> bytes) { m_availableMemory = std::move(bytes); }

  void load(LoadTicket ticket, LoadOrder order);  // fails as kCancelled if the ticket is not wanted
  void close();                                   // no machine any more
  void submitChat(const ChatOrder& order);
  void submit(const Request& request);  // also from a gate
  // Also from a gate. Without an engine, or when the question is interrupted, nothing is done.
  using Work = std::function<void(const AskedMachine&)>;
  void ask(const Work& work, Question::Watch& watch);
  void doPosted() { m_control.doPosted(); }
  ServedMachine& served() { return m_served; }
  void cancel(RequestId request);
  void setSampling(RequestId request, const SamplingOptions& sampling);
  void setDetail(const Detail& detail);
  void setStepsPerSecond(double rate);  // 0: as fast as the engine goes
  void step();  // one whole step, or one that holds at every phase when the pace says so
  void run(RunSpeed speed = RunSpeed::kChosen);  // of a run under way: from now on at this speed
  // Without work alone: it runs when a server's request comes. Not if the window asked for another pace after
  // its first `earlier` requests (RunControl::requested()).
  void letGoOn(long earlier);
  void endRun();  // now, when a pause is wished for: the next step may be seconds away

 signals:
  void loadProgress(double fraction, const QString& what);
  void closed(int lastRun);                           // after the last event of the machine, of this run
  void followed(const vitrine::RerunReport& report);  // a resumed machine has come to a stop
  void entered();    // an order begins whose mode the host knows; emitted with the order
  void loadEnded();  // whether it succeeded or not; before the next mode
  // numBlocks: of the options, once the pool's size was chosen.
  void loaded(vitrine::LoadTicket ticket, const QString& directory, const QString& templateProblem,
              int numBlocks);
  void formatRead(bool takesTools);    // before loaded(): what the model's chat template can do
  void placed(const QString& device);  // before loaded(): where it computes, EngineLoaded::device
  void noticed(const vitrine::Notice& notice);
  void modeChanged(vitrine::MachineMode mode,
                   vitrine::Phase next);           // next: the phase that a held step enters next
  void stoppedAt(const vitrine::BreakStop& stop);  // before the mode that follows
  void chatTrimmed(int droppedMessages);
  void chatFull(const vitrine::ChatFull& full);  // of an order that is not to forget; it was not submitted
  void chatRefused(const vitrine::ChatRefused& refused);  // by the model's template; it was not submitted
  // It could not be submitted: noticed() has said why, or there is no machine.
  void chatFailed(const QString& requestName);

 private:
  qint64 freeMemory(Device device) const;
  void makeRoom(const LoadOrder& order);
  std::unique_ptr<Engine> machineFor(LoadTicket ticket, const LoadOrder& order);
  std::unique_ptr<Engine> resumed(const LoadOrder& order, const Engine::Progress& progress);
  void begin(const LoadOrder& order);
  bool followsScript() const;
  void submitFitting(const ChatOrder& order);
  void atGate(Phase next);
  void applyDetail();
  void reportStop();
  void runOn();
  int stepIntervalMs() const;
  void stepOnce();
  void onServed(bool came);
  void forgetOldest();
  void serveTimetable();
  void passRest();
  void pace();
  void setMode(MachineMode mode, Phase next = Phase::kAdmit);
  template <class Action>
  bool guarded(Action action);

  RunControl& m_control;
  std::function<qint64()> m_availableMemory = [] { return availableMemory(); };
  struct Notes final : EventSink {
    void publish(const Event& event) override;
    int run = 0;  // of the latest event
    // Requests that the engine has not forgotten, the oldest first; of a run whose beginning was not seen, in
    // the order of their submission.
    std::deque<RequestId> finished;
  } m_notes;
  BreakpointSink m_breakpoints;
  std::atomic<bool> m_stopsInside = false;
  EventFanOut m_sinks;
  ServedMachine m_served;
  bool m_isInStep = false;
  // What the engine publishes to. It keeps the events of an engine that is being made until it is made: one
  // that cannot be must not leave a half-told run.
  struct Hold final : EventSink {
    explicit Hold(EventSink& to) : sink(to) {}
    void publish(const Event& event) override;
    void pass();  // those held, and from now on all
    EventSink& sink;
    std::optional<std::vector<Event>> held;
  } m_hold{m_sinks};
  std::unique_ptr<Engine> m_engine;
  std::filesystem::path m_model;  // of the machine, and how it was loaded
  EngineOptions m_options;
  Timetable m_timetable;
  Detail m_detail;  // as ordered; breakpoints may add to it
  bool m_entropyAdded = false;
  std::unique_ptr<QTimer> m_pacer;
  double m_stepsPerSecond = 4;
  RunSpeed m_speed = RunSpeed::kChosen;  // of the run under way
};

}  // namespace vitrine
