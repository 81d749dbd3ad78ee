#include "gui/machine/engine_host.h"

#include <chrono>
#include <utility>

namespace vitrine {

using namespace std::chrono_literals;

EngineHost::EngineHost(QObject* parent) : QObject(parent), m_worker(new EngineWorker(m_control, m_queue)) {
  m_worker->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
  connect(m_worker, &EngineWorker::modeChanged, this, [this](MachineMode mode, Phase next) {
    drain();  // the events before the mode that follows them
    if (m_loadsPending > 0 && mode != MachineMode::kLoading) return;  // another load follows
    if (m_entersPending > 0 && mode == MachineMode::kPaused) return;
    if (m_closesPending > 0 || m_connected) return;
    m_mode = mode;
    m_nextPhase = next;
    emit modeChanged(mode);
  });
  connect(m_worker, &EngineWorker::stoppedAt, this, [this](const BreakStop& stop) {
    drain();
    if (m_closesPending == 0) emit stoppedAt(stop);
  });
  connect(m_worker, &EngineWorker::followed, this, [this](const RerunReport& report) {
    drain();
    if (m_closesPending == 0) emit followed(report);
  });
  connect(m_worker, &EngineWorker::closed, this, &EngineHost::onClosed);
  connect(m_worker, &EngineWorker::entered, this, [this] { --m_entersPending; });
  connect(m_worker, &EngineWorker::loadEnded, this, [this] { --m_loadsPending; });
  connect(m_worker, &EngineWorker::loadProgress, this, &EngineHost::loadProgress);
  connect(m_worker, &EngineWorker::formatRead, this, [this](bool takesTools) { m_takesTools = takesTools; });
  connect(m_worker, &EngineWorker::placed, this, [this](const QString& device) { m_device = device; });
  connect(m_worker, &EngineWorker::loaded, this,
          [this](LoadTicket ticket, const QString& directory, const QString& templateProblem, int numBlocks) {
            if (m_closesPending > 0) return;
            drain();  // the new run has begun
            emit loaded(ticket, directory, templateProblem, numBlocks);
          });
  connect(m_worker, &EngineWorker::noticed, this, &EngineHost::noticed);
  connect(m_worker, &EngineWorker::chatTrimmed, this, &EngineHost::chatTrimmed);
  connect(m_worker, &EngineWorker::chatFull, this, &EngineHost::chatFull);
  connect(m_worker, &EngineWorker::chatRefused, this, &EngineHost::chatRefused);
  connect(m_worker, &EngineWorker::chatFailed, this, &EngineHost::chatFailed);
  m_worker->served().setSteer([this](server::Steering order) {
    QMetaObject::invokeMethod(
        this, [this, order] { obey(order); }, Qt::QueuedConnection);
  });
  connect(&m_drainTimer, &QTimer::timeout, this, &EngineHost::drain);
  m_drainTimer.start(33ms);
  m_thread.setObjectName(QStringLiteral("engine"));
  m_thread.start();
}

EngineHost::~EngineHost() {
  m_control.close();
  m_thread.quit();
  m_thread.wait();
}

void EngineHost::drain() {
  Q_ASSERT(QThread::currentThread() == thread());
  if (!m_consumer || m_closesPending > 0) return;
  std::vector<Event> batch;
  if (m_queue.drain(batch) > 0) m_consumer(std::move(batch));
}

// The next machine may have published already: only what comes from the closed ones is dropped.
void EngineHost::onClosed(int lastRun) {
  if (--m_closesPending > 0) return;
  std::vector<Event> batch;
  m_queue.drain(batch);
  std::erase_if(batch, [&](const Event& event) { return event.run <= lastRun; });
  if (m_consumer && !batch.empty()) m_consumer(std::move(batch));
}

LoadTicket EngineHost::load(LoadOrder order) {
  Q_ASSERT(QThread::currentThread() == thread());
  hangUp();
  if (m_loadsPending == 0) m_wentOn = goesOn();
  const LoadTicket ticket = m_control.orderLoad();
  m_control.request(RunControl::Pace::kPaused);
  ++m_loadsPending;
  m_mode = MachineMode::kLoading;
  post([worker = m_worker, ticket, order = std::move(order)] { worker->load(ticket, order); });
  return ticket;
}

void EngineHost::connectTo(ConnectOrder order) {
  close();
  m_connected = std::make_unique<ConnectedEngine>(std::move(order));
  connect(m_connected.get(), &ConnectedEngine::came, this, [this](std::vector<Event> events) {
    if (m_consumer) m_consumer(std::move(events));
  });
  connect(m_connected.get(), &ConnectedEngine::begunAnew, this, &EngineHost::connectedAnew);
  connect(m_connected.get(), &ConnectedEngine::noticed, this, &EngineHost::noticed);
  connect(m_connected.get(), &ConnectedEngine::chatFailed, this, &EngineHost::chatFailed);
  m_takesTools = true;
  m_device.clear();
  m_mode = MachineMode::kRunning;
  m_connected->begin();
  emit modeChanged(m_mode);
}

void EngineHost::close() {
  hangUp();
  drain();
  m_control.cancelLoad();
  m_control.request(RunControl::Pace::kPaused);
  ++m_closesPending;
  post([worker = m_worker] { worker->close(); });
  m_mode = MachineMode::kEmpty;
  emit modeChanged(m_mode);
}

void EngineHost::submitChat(ChatOrder order) {
  if (m_connected) return m_connected->submitChat(std::move(order));
  post([worker = m_worker, order = std::move(order)] { worker->submitChat(order); });
}

void EngineHost::submit(Request request) {
  if (m_connected)
    return void(emit noticed(Notice::problem(
        tr("%1 takes chats alone, and no prompt of tokens.").arg(m_connected->order().server.place()),
        tr("Open a model of your own for that."))));
  m_control.post([worker = m_worker, request = std::move(request)] { worker->submit(request); });
  post([worker = m_worker] { worker->doPosted(); });
}

// An answer comes to this thread behind what the engine's thread said before, and before a later machine's
// loaded(): only a machine that was closed here may still answer.
Question EngineHost::put(EngineWorker::Work work, std::function<void(bool holds)> answer, Manner manner) {
  Q_ASSERT(QThread::currentThread() == thread());
  const auto watch = std::make_shared<Question::Watch>();
  m_control.post([this, worker = m_worker, watch, work = std::move(work), answer = std::move(answer)] {
    worker->ask(work, *watch);
    const auto tell = [this, watch, answer] {
      if (std::exchange(watch->isOpen, false)) answer(m_closesPending == 0);
    };
    QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
  });
  const auto doPosted = [worker = m_worker] { worker->doPosted(); };
  if (manner == Manner::kWaits)
    QMetaObject::invokeMethod(m_worker, doPosted, Qt::QueuedConnection);
  else
    post(doPosted);
  if (manner == Manner::kYields) m_yielding = watch;
  return Question(watch);
}

void EngineHost::cancel(RequestId request) {
  if (m_connected) return m_connected->cancel(request);
  post([worker = m_worker, request] { worker->cancel(request); });
}

void EngineHost::setSampling(RequestId request, SamplingOptions sampling) {
  post([worker = m_worker, request, sampling] { worker->setSampling(request, sampling); });
}

void EngineHost::setDetail(Detail detail) {
  post([worker = m_worker, detail = std::move(detail)] { worker->setDetail(detail); });
}

void EngineHost::setStepsPerSecond(double rate) {
  post([worker = m_worker, rate] { worker->setStepsPerSecond(rate); });
}

void EngineHost::step() {
  if (m_connected) return;
  const bool fresh = m_mode == MachineMode::kPaused;
  m_control.request(RunControl::Pace::kPaused);
  post([worker = m_worker, fresh] { fresh ? worker->step() : worker->endRun(); });
}

void EngineHost::stepPhase() {
  if (m_connected) return;
  if (m_mode != MachineMode::kPaused && m_mode != MachineMode::kHeld) return pause();
  const bool fresh = m_mode == MachineMode::kPaused;
  m_control.request(RunControl::Pace::kPhase);
  if (fresh) enter(MachineMode::kHeld, [worker = m_worker] { worker->step(); });
}

void EngineHost::run(RunSpeed speed) {
  if (m_connected) return;
  if (m_mode == MachineMode::kEmpty || m_mode == MachineMode::kLoading) return;
  m_control.request(RunControl::Pace::kRunning);
  // Posted even when running: the engine may have run out of work, and the window does not know it yet.
  const bool held = m_mode == MachineMode::kHeld;
  enter(held ? MachineMode::kHeld : MachineMode::kRunning,
        [worker = m_worker, speed] { worker->run(speed); });
}

void EngineHost::obey(server::Steering order) {
  if (m_connected) return;
  if (m_mode == MachineMode::kEmpty || m_mode == MachineMode::kLoading) return;
  if (order == server::Steering::kRun) return run();
  order == server::Steering::kStep ? step() : pause();
}

void EngineHost::pause() {
  if (m_connected) return;
  if (m_mode == MachineMode::kEmpty || m_mode == MachineMode::kLoading) return;
  m_control.request(RunControl::Pace::kPaused);
  if (m_mode != MachineMode::kPaused) post([worker = m_worker] { worker->endRun(); });
}

}  // namespace vitrine

#include "moc_engine_host.cpp"
