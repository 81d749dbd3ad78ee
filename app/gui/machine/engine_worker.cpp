#include "gui/machine/engine_worker.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

#include "catalog/device_sizes.h"
#include "common/chat_prompt.h"
#include "common/recorded_load.h"
#include "vitrine/machine_state.h"
#include "vitrine/option_schema.h"
#include "vitrine/swap_folder.h"
#include "widgets/support/formats.h"

namespace vitrine {

namespace {

// The options in force, with what was chosen anew for the rest of the run.
EngineOptions changed(EngineOptions inForce, const EngineOptions& before, const EngineOptions& wanted) {
  forEachEngineOption([&](const auto& info, const auto& access) {
    const bool chosen = info.scope == OptionScope::kStep && !(access(before) == access(wanted));
    if (chosen) access(inForce) = access(wanted);
  });
  return inForce;
}

}  // namespace

void EngineWorker::Notes::publish(const Event& event) {
  run = event.run;
  const auto* snapshot = bodyOf<Snapshot>(event);
  if (isA<EngineLoaded>(event) || snapshot) finished.clear();
  if (snapshot)
    for (const auto& [id, request] : snapshot->state->requests)
      if (request.finished) finished.push_back(id);
  if (const auto* ended = bodyOf<RequestFinished>(event)) finished.push_back(ended->request);
}

void EngineWorker::Hold::publish(const Event& event) {
  if (held)
    held->push_back(event);
  else
    sink.publish(event);
}

void EngineWorker::Hold::pass() {
  if (const auto events = std::exchange(held, std::nullopt))
    for (const Event& event : *events) sink.publish(event);
}

// No exception of the engine leaves its thread.
template <class Action>
bool EngineWorker::guarded(Action action) {
  try {
    action();
    return true;
  } catch (const EngineError& error) {
    emit noticed(noticeOf(error));
  } catch (const std::bad_alloc&) {
    emit noticed(
        noticeOf(ErrorCode::kOutOfMemory, EngineWorker::tr("There is not enough memory for this."),
                 EngineWorker::tr("Choose a smaller model or fewer KV blocks, or close other programs.")));
  } catch (const std::exception& error) {
    emit noticed({Notice::kProblem, QString::fromUtf8(error.what()),
                  EngineWorker::tr("This is a fault in Vitrine; please report it."),
                  QStringLiteral("internal")});
  }
  return false;
}

EngineWorker::EngineWorker(RunControl& control, EventSink& sink)
    : m_control(control),
      m_served(
          [this](ServedMachine::Task task) {
            m_control.post([this, task = std::move(task)] { guarded(task); });
            QMetaObject::invokeMethod(
                this, [this] { doPosted(); }, Qt::QueuedConnection);
          },
          [this](bool came) { onServed(came); },
          [this] { return m_control.pace() != RunControl::Pace::kRunning; }) {
  m_sinks.add(&m_notes);
  m_sinks.add(&m_served);
  m_sinks.add(&m_breakpoints);
  m_breakpoints.onHit = [this] { m_control.endRun(m_stopsInside); };
  m_sinks.add(&sink);
}

void EngineWorker::load(LoadTicket ticket, LoadOrder order) {
  m_control.request(RunControl::Pace::kPaused);
  if (m_pacer) m_pacer->stop();  // else a run of the new machine would take itself for the old one's
  setMode(MachineMode::kLoading);
  guarded([this] { m_served.close("another model is opened"); });
  std::unique_ptr<Engine> engine;
  m_hold.held.emplace();
  const bool done = guarded([&] {
    makeRoom(order);
    if (order.kvShare)
      order.options =
          withKvPool(order.model, order.options, freeMemory(order.options.device), *order.kvShare);
    engine = machineFor(ticket, order);
  });
  emit loadEnded();
  if (!done) {
    // The model that was open before stays open.
    m_hold.held.reset();
    if (m_engine) guarded([this] { m_served.open(*m_engine, m_model); });
    setMode(m_engine ? MachineMode::kPaused : MachineMode::kEmpty);
    return;
  }
  m_engine = std::move(engine);
  begin(order);
  emit formatRead(m_engine->chatFormat().takesTools());
  emit placed(windowText(m_engine->description().device));
  emit loaded(ticket, windowText(order.model.string()), windowText(m_engine->chatFormat().problem()),
              order.options.numBlocks);
  guarded([&] {
    requireSwapFolder(order.options);
  });  // the engine runs without it, but recomputes instead of swapping
  if (m_engine->tokenizer())
    for (const ChatOrder& chat : order.staged) submitChat(chat);
  if (!followsScript()) serveTimetable();
  setMode(MachineMode::kPaused);
}

// On the host the weights of the machine that is replaced will be free then.
qint64 EngineWorker::freeMemory(Device device) const {
  if (const auto memory = deviceMemory(device)) return forModelAndPool(memory->freeBytes);
  const qint64 bytes = m_availableMemory();
  const bool isOnHost = m_engine && !m_engine->deviceMemory();
  return bytes > 0 && isOnHost ? bytes + m_engine->description().model.weightBytes : bytes;
}

// A GPU may not have room for two machines: then the one that is open goes before the next one comes. A run
// that goes on borrows its model.
void EngineWorker::makeRoom(const LoadOrder& order) {
  if (!m_engine || order.resumption || order.options.device == Device::kCpu) return;
  const auto memory = m_engine->deviceMemory();
  if (memory && memory->freeBytes < leastDeviceBytes(order.model, order.options)) m_engine.reset();
}

std::unique_ptr<Engine> EngineWorker::machineFor(LoadTicket ticket, const LoadOrder& order) {
  if (!m_control.wantsLoad(ticket)) throw EngineError(ErrorCode::kCancelled, "another model was chosen");
  const auto progress = [&](double fraction, const char* what) {
    emit loadProgress(fraction, QString::fromUtf8(what));
    return m_control.wantsLoad(ticket);
  };
  if (order.resumption) return resumed(order, progress);
  return Engine::load(order.model, order.options, m_hold, progress);
}

// The machine that is loaded lends its model, when it is the recorded one.
std::unique_ptr<Engine> EngineWorker::resumed(const LoadOrder& order, const Engine::Progress& progress) {
  const Resumption& resumption = *order.resumption;
  const bool fromStart = resumption.options && resumption.step == 0;
  const EngineOptions& options = fromStart ? *resumption.options : order.options;
  EventFanOut none;
  std::unique_ptr<Engine> loaded;
  const bool fits = m_engine && m_model == order.model && sameOptions(m_options, options);
  EngineOptions lender = options;
  if (!fromStart) lender.numBlocks = 1;  // a GPU's pool takes memory
  if (!fits) loaded = Engine::load(order.model, lender, none, progress);
  const Engine& model = fits ? *m_engine : *loaded;
  ResumeOptions wishes;
  wishes.ownOptions = fromStart;
  wishes.publishHistory = false;  // the window has the recording
  auto engine = model.resume(resumption.script, resumption.step, m_hold, wishes, progress);
  if (resumption.options && !fromStart)
    engine->setOptions(changed(engine->options(), options, *resumption.options));
  return engine;
}

// The beginning of a new machine. Its first events go to the window here.
void EngineWorker::begin(const LoadOrder& order) {
  const bool sameTimetable = order.resumption && order.resumption->ownRun;
  if (!sameTimetable) m_timetable = order.timetable;
  if (order.resumption && !sameTimetable) m_timetable.skipRecorded(*order.resumption->script);
  m_model = order.model;
  m_options = order.resumption ? order.resumption->options.value_or(order.options) : order.options;
  m_engine->stopClock();  // between steps a person reads, or the pace is slow
  m_served.renew();
  m_hold.pass();
  guarded([this] { m_served.open(*m_engine, m_model); });
  applyDetail();
  m_engine->setGate([this](Phase next) { atGate(next); });
}

void EngineWorker::close() {
  if (m_pacer) m_pacer->stop();
  guarded([this] { m_served.close("the model was closed"); });
  m_engine.reset();
  m_timetable = {};
  emit closed(m_notes.run);
}

// Until a recorded run ends, its requests and commands come from the recording.
bool EngineWorker::followsScript() const {
  return m_engine && m_engine->rerun() != nullptr && m_engine->rerun()->following;
}

void EngineWorker::submitChat(const ChatOrder& order) {
  if (!m_engine) return void(emit chatFailed(windowText(order.request.name)));
  const bool done = guarded([&] {
    try {
      submitFitting(order);
    } catch (const ChatRefusal& refusal) {
      emit chatRefused({windowText(order.request.name), windowText(refusal.what()), refusal.mends()});
    }
  });
  if (!done) emit chatFailed(windowText(order.request.name));
  if (m_pacer && m_pacer->isActive()) pace();  // the request may have filled the batch
}

void EngineWorker::submitFitting(const ChatOrder& order) {
  if (!m_engine->tokenizer())
    throw EngineError(ErrorCode::kUnavailable,
                      tr("This model has no tokenizer, so it cannot chat.").toStdString(),
                      tr("A folder needs its tokenizer.json or tokenizer.model, a GGUF file its vocabulary.")
                          .toStdString());
  const ChatPrompt prompt = fittingChatRequest(*m_engine, order.dialogue, order.request);
  if (prompt.forgotten > 0 && order.whenFull != ChatOrder::WhenFull::kForgetOldest)
    return void(emit chatFull(fullness(*m_engine, order, prompt)));
  if (prompt.forgotten > 0) emit chatTrimmed(prompt.forgotten);
  m_engine->submit(prompt.request);
}

void EngineWorker::submit(const Request& request) {
  if (!m_engine) return;
  guarded([&] { m_engine->submit(request); });
  if (m_pacer && m_pacer->isActive()) pace();
}

void EngineWorker::cancel(RequestId request) {
  if (!m_engine) return;
  guarded([&] { m_engine->cancel(request); });
  guarded([this] { m_served.deliver(); });
  serveTimetable();  // it may have been the last before the next arrival
}

void EngineWorker::setSampling(RequestId request, const SamplingOptions& sampling) {
  if (m_engine) guarded([&] { m_engine->setSampling(request, sampling); });
}

void EngineWorker::setDetail(const Detail& detail) {
  m_detail = detail;
  applyDetail();
}

void EngineWorker::applyDetail() {
  if (!m_engine) return;
  Detail detail = m_detail;
  m_entropyAdded = m_breakpoints.needsEntropy();
  detail.entropy = detail.entropy || m_entropyAdded;
  m_engine->setDetail(std::move(detail));
}

// A breakpoint may have come while the step was held, so each gate looks for it.
void EngineWorker::atGate(Phase next) {
  if (m_breakpoints.needsEntropy() != m_entropyAdded) applyDetail();
  if (next == Phase::kAdmit) return;
  const bool held = m_control.holdAtGate([&] {
    reportStop();
    setMode(MachineMode::kHeld, next);
  });
  // A run that a breakpoint held inside a step goes on.
  const bool runs = m_pacer && m_pacer->isActive() && m_control.pace() == RunControl::Pace::kRunning;
  if (held && runs) setMode(MachineMode::kRunning);
}

void EngineWorker::reportStop() {
  if (const auto stop = m_breakpoints.takeStop()) emit stoppedAt(*stop);
}

void EngineWorker::setStepsPerSecond(double rate) {
  m_stepsPerSecond = rate;
  if (m_pacer && m_pacer->isActive()) m_pacer->setInterval(stepIntervalMs());
}

int EngineWorker::stepIntervalMs() const {
  return m_speed == RunSpeed::kChosen && m_stepsPerSecond > 0 ? static_cast<int>(1000 / m_stepsPerSecond) : 0;
}

void EngineWorker::step() {
  if (!m_engine) return;
  m_breakpoints.takeStop();  // what was met outside of a step, such as an arrival, stops nothing later
  m_control.beginStep();
  stepOnce();
  // Run may have been pressed while the step was held.
  if (m_control.pace() == RunControl::Pace::kRunning) return run();
  passRest();
  reportStop();
  setMode(MachineMode::kPaused);
}

void EngineWorker::stepOnce() {
  m_isInStep = true;
  guarded([&] { m_engine->step(); });
  m_isInStep = false;
  guarded([this] { m_served.deliver(); });
  // Also if Run was requested meanwhile: the request was for the run that ends here.
  if (m_breakpoints.stopped()) m_control.endRun(false);
  if (followsScript()) return;
  forgetOldest();
  m_timetable.stepped();
  serveTimetable();
}

// A request that came over the network makes a machine go on that ran out of work, but none that a person has
// paused.
void EngineWorker::onServed(bool came) {
  if (m_isInStep || !m_engine) return;
  guarded([this] { m_served.deliver(); });
  if (m_pacer && m_pacer->isActive()) return pace();
  if (came && m_engine->hasWork() && m_control.pace() == RunControl::Pace::kRunning) run();
}

void EngineWorker::forgetOldest() {
  while (m_notes.finished.size() > kFinishedKept) {
    const RequestId oldest = m_notes.finished.front();
    m_notes.finished.pop_front();
    guarded([&] { m_engine->forget(oldest); });
  }
}

// A request that the engine rejects is reported, and the rest of the scenario goes on.
void EngineWorker::serveTimetable() {
  guarded([this] {
    m_timetable.serve(*m_engine,
                      [this](std::size_t, const EngineError& error) { guarded([&] { throw error; }); });
  });
}

void EngineWorker::run(RunSpeed speed) {
  if (!m_engine) return;
  m_speed = speed;
  if (m_pacer && m_pacer->isActive()) return m_pacer->setInterval(stepIntervalMs());
  if (!m_pacer) {
    m_pacer = std::make_unique<QTimer>();
    connect(m_pacer.get(), &QTimer::timeout, this, [this] {
      passRest();
      runOn();
    });
  }
  m_breakpoints.takeStop();
  setMode(MachineMode::kRunning);
  m_pacer->start(stepIntervalMs());
  runOn();
}

void EngineWorker::letGoOn(long earlier) {
  if (m_engine && !m_engine->hasWork()) m_control.requestAfter(earlier, RunControl::Pace::kRunning);
}

void EngineWorker::endRun() {
  if (m_pacer && m_pacer->isActive() && m_control.pace() == RunControl::Pace::kPaused) runOn();
}

// One turn of the event loop for each step, so that queued calls (cancel, a new request) run between steps.
void EngineWorker::runOn() {
  const bool wanted = m_control.pace() == RunControl::Pace::kRunning;
  if (wanted && m_engine && m_engine->hasWork()) {
    m_control.beginStep();
    stepOnce();
    if (m_engine->hasWork() && m_control.pace() == RunControl::Pace::kRunning) return pace();
  }
  m_pacer->stop();
  reportStop();
  setMode(m_engine ? MachineMode::kPaused : MachineMode::kEmpty);
}

// Engine time for what is left of an open batching window. When the machine runs, the pacer has waited for
// it; a step by hand need not wait.
void EngineWorker::passRest() {
  if (m_engine && !followsScript()) m_engine->passTime(m_timetable.restNs(*m_engine));
}

// A step in an open batching window computes nothing, so the next step waits for the window's end.
void EngineWorker::pace() {
  const double usualMs = stepIntervalMs();
  const double restMs = static_cast<double>(m_timetable.restNs(*m_engine)) / 1e6;
  const auto interval = static_cast<int>(std::max(usualMs, std::ceil(restMs)));
  if (interval != m_pacer->interval()) m_pacer->setInterval(interval);
}

void EngineWorker::setMode(MachineMode mode, Phase next) {
  if (m_engine && m_engine->rerun() && mode == MachineMode::kPaused) emit followed(*m_engine->rerun());
  emit modeChanged(mode, next);
}

// A question that the window itself has interrupted is no failure.
void EngineWorker::ask(const Work& work, Question::Watch& watch) {
  const auto goesOn = [&watch](double fraction, const char*) {
    watch.fraction = static_cast<float>(fraction);
    return !watch.isInterrupted;
  };
  if (!m_engine || watch.isInterrupted) return;
  guarded([&] {
    try {
      work({*m_engine, m_model, m_options, goesOn});
    } catch (const EngineError& error) {
      if (error.code() != ErrorCode::kCancelled) throw;
    }
  });
}

}  // namespace vitrine

#include "moc_engine_worker.cpp"
