// EngineHost: the window's side of the thread boundary. It owns the engine's thread, passes commands on
// without waiting for it, and drains the event queue about 30 times per second, one batch each time. Thread:
// the window's. Invariant: no method here calls the engine. Read next: engine_worker.h.
#pragma once

#include <QObject>
#include <QPointer>
#include <QThread>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "gui/machine/connected_engine.h"
#include "gui/machine/engine_worker.h"
#include "gui/machine/question.h"
#include "vitrine/event_sink.h"

namespace vitrine {

class EngineHost : public QObject {
  Q_OBJECT

 public:
  explicit EngineHost(QObject* parent = nullptr);
  ~EngineHost() override;  // ends a load or a held step, then joins the thread

  // The consumer gets all events, in batches, oldest first, on this thread. Before there is one they wait.
  using Consumer = std::function<void(std::vector<Event>)>;
  void deliverTo(Consumer consumer) { m_consumer = std::move(consumer); }

  // Before the first load: what counts as free memory when a KV pool is sized. For tests.
  void setAvailableMemory(std::function<qint64()> bytes) { m_worker->setAvailableMemory(std::move(bytes)); }

  // Replaces all loads ordered before, under way or not begun. loaded() carries the ticket.
  LoadTicket load(LoadOrder order);
  void cancelLoad() { m_control.cancelLoad(); }  // under way or not begun
  // Ends the machine, if there is one: no event of it is delivered any more. Cancels loads.
  void close();
  // Another program's engine in the place of the machine, until the next load() or close(). It takes chats
  // and cancels them; other commands have no effect, and questions no answer.
  void connectTo(ConnectOrder order);
  bool isConnected() const { return m_connected != nullptr; }
  const ConnectedEngine* connected() const { return m_connected.get(); }  // null: there is none

  void submitChat(ChatOrder order);
  // Also while a step is held. noticed() says when the request is rejected.
  void submit(Request request);
  // Asks the engine, also while a step is held: `work(const AskedMachine&)` runs on the engine's thread, then
  // `answer(std::optional<Result>)` on this one with what it returned. Empty: there is no engine or no longer
  // the one that was asked, the question was interrupted, or the work threw, which noticed() has said. No
  // answer when `receiver`, which lives on this thread, is gone or the question was superseded.
  template <class Work, class Answer>
  Question ask(Work work, QObject* receiver, Answer answer, Manner manner = Manner::kAtOnce) {
    using Result = std::invoke_result_t<Work&, const AskedMachine&>;
    auto result = std::make_shared<std::optional<Result>>();
    return put([result, work = std::move(work)](
                   const AskedMachine& machine) mutable { result->emplace(work(machine)); },
               [result, receiver = QPointer(receiver), answer = std::move(answer)](bool holds) mutable {
                 if (!holds) result->reset();
                 if (receiver) answer(std::move(*result));
               },
               manner);
  }
  // The machine as a server sees it, as long as the host lives. Its clients steer this host.
  ServedMachine& served() { return m_worker->served(); }
  void cancel(RequestId request);
  void setSampling(RequestId request, SamplingOptions sampling);
  void setDetail(Detail detail);
  void setStepsPerSecond(double rate);  // 0: as fast as the engine goes
  // Hold from the next event on, in any mode. A run ends at the first that is met, at the end of its step or,
  // if `inside`, before the next phase.
  void setBreakpoints(std::vector<Breakpoint> list) { m_worker->setBreakpoints(std::move(list)); }
  void setStopsInside(bool inside) { m_worker->setStopsInside(inside); }

  // Allowed in any mode. A command that makes no sense in a mode has no effect.
  void step();  // paused: one step; held: to the end of this step; running: pause after the step under way
  void stepPhase();  // paused: begin a step and hold before its second phase; held: one phase further
  void run(RunSpeed speed = RunSpeed::kChosen);
  void pause();  // also a machine that has run out of work: what comes then waits
  // Lets a machine without work go on by itself when a server's request comes. One with work is a person's to
  // step, and stays as it is, as does one that is paused before this reaches it.
  void letGoOn() {
    post([worker = m_worker, earlier = m_control.requested()] { worker->letGoOn(earlier); });
  }
  // Whether it does: it runs, or has run out of work.
  bool goesOn() const { return m_control.pace() == RunControl::Pace::kRunning; }
  bool wentOn() const { return m_wentOn; }  // the same of the machine before the last load

  MachineMode mode() const { return m_mode; }
  Phase nextPhase() const { return m_nextPhase; }
  // Where the machine that was loaded last computes, EngineLoaded::device. Empty until one is loaded.
  const QString& device() const { return m_device; }
  // Whether the chat template of the model that was loaded last writes tools. True until one is loaded.
  bool takesTools() const { return m_takesTools; }

 signals:
  void modeChanged(vitrine::MachineMode mode);
  void stoppedAt(const vitrine::BreakStop& stop);     // after the step's events, before the mode
  void followed(const vitrine::RerunReport& report);  // of a resumed machine, before the mode
  void connectedAnew();  // another run of the engine that is connected, before its first event
  void loadProgress(double fraction, const QString& what);
  void loaded(vitrine::LoadTicket ticket, const QString& directory, const QString& templateProblem,
              int numBlocks);
  void noticed(const vitrine::Notice& notice);
  void chatTrimmed(int droppedMessages);
  void chatFull(const vitrine::ChatFull& full);
  void chatRefused(const vitrine::ChatRefused& refused);
  void chatFailed(const QString& requestName);

 private:
  template <class Call>
  void post(Call call) {
    Q_ASSERT(QThread::currentThread() == thread());
    if (const auto watch = m_yielding.lock()) watch->isInterrupted = true;
    QMetaObject::invokeMethod(m_worker, std::move(call), Qt::QueuedConnection);
  }
  // `holds`: the engine that was asked is still the window's.
  Question put(EngineWorker::Work work, std::function<void(bool holds)> answer, Manner manner);
  // An order whose mode the host takes on before the worker reports it, so that the next press means this
  // mode. Until the worker begins it, a pause that is reported is an earlier one's.
  template <class Call>
  void enter(MachineMode mode, Call call) {
    m_mode = mode;
    ++m_entersPending;
    post([worker = m_worker, call = std::move(call)] {
      emit worker->entered();
      call();
    });
  }
  void drain();
  void obey(server::Steering order);
  void onClosed(int lastRun);
  void hangUp() { m_connected.reset(); }

  RunControl m_control;
  EventQueue m_queue;
  QThread m_thread;
  EngineWorker* m_worker;  // lives in m_thread
  std::unique_ptr<ConnectedEngine> m_connected;
  QTimer m_drainTimer;
  Consumer m_consumer;
  MachineMode m_mode = MachineMode::kEmpty;
  Phase m_nextPhase = Phase::kAdmit;
  bool m_takesTools = true;
  QString m_device;
  int m_loadsPending = 0;
  bool m_wentOn = false;
  int m_entersPending = 0;
  std::weak_ptr<Question::Watch> m_yielding;  // of the last question with Manner::kYields
  int m_closesPending = 0;  // until they end, events wait: the machine that is closed has no more to say
};

}  // namespace vitrine
