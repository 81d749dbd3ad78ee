#include "gui/drivers/bench_window.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <random>

#include "gui/drivers/frame_meter.h"
#include "gui/parts/process_figures.h"
#include "gui/runs/run_archive.h"
#include "gui/window/main_window.h"
#include "vitrine/durations.h"
#include "vitrine/random_model.h"
#include "widgets/layers/attention_model.h"
#include "widgets/layers/exits_model.h"
#include "widgets/layers/layers_panel.h"

namespace vitrine {
namespace {

constexpr int kAtOnce = 8;           // requests under full speed
constexpr double kBlocksPace = 100;  // steps per second
constexpr int kUsualBlocks = 1024;   // of the pool whose long run is scrubbed
constexpr QSize kBenchSize(1366, 768);

constexpr int kWordsWidth = 52, kNumberWidth = 10;

QString cell(const QString& text) { return text.rightJustified(kNumberWidth); }
QString cell(double value) { return cell(QString::number(value, 'f', value < 100 ? 2 : 0)); }

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
}

QJsonObject request(int number, int prompt, int answer, int arrival) {
  QJsonArray ids;
  for (int i = 0; i < prompt; ++i) ids.append(3 + (number * 7 + i * 5) % 300);
  return {{QStringLiteral("token_ids"), ids},
          {QStringLiteral("max_tokens"), answer},
          {QStringLiteral("ignore_eos"), true},
          {QStringLiteral("arrival_step"), arrival}};
}

QByteArray scenario(const QString& title, const QJsonObject& options, const QJsonArray& requests,
                    const QString& model = {}) {
  QJsonObject all{{QStringLiteral("title"), title},
                  {QStringLiteral("options"), options},
                  {QStringLiteral("requests"), requests}};
  if (!model.isEmpty()) all.insert(QStringLiteral("model"), model);
  return QJsonDocument(all).toJson();
}

// Sixteen requests at any time, in a pool of so many blocks, until `steps` steps are done; for a tiny random
// model.
QByteArray poolRun(int blocks, int steps) {
  constexpr int kSlots = 16, kPrompt = 64, kAnswer = 400;
  QJsonArray requests;
  for (int i = 0; i / kSlots * kAnswer < steps + kAnswer; ++i)
    requests.append(request(i, kPrompt, kAnswer, i / kSlots * kAnswer));
  return scenario(QStringLiteral("A pool of %1 blocks").arg(blocks),
                  {{QStringLiteral("num_blocks"), blocks},
                   {QStringLiteral("max_sequences"), kSlots},
                   {QStringLiteral("token_budget"), 512}},
                  requests, QStringLiteral("tiny"));
}

// 64 requests that draft and a beam search of width 16 at any time, for the built-in model, for a minute or
// more.
constexpr int kCrowdBlocks = 8192;
QByteArray crowdRun() {
  constexpr int kCrowd = 64, kBeams = 16, kRounds = 6, kPrompt = 16, kAnswer = 900;
  QJsonArray requests;
  for (int round = 0; round < kRounds; ++round) {
    QJsonObject search = request(kCrowd, kPrompt, kAnswer, 0);
    search.insert(QStringLiteral("beam_width"), kBeams);
    requests.append(search);
    for (int i = 0; i < kCrowd; ++i) requests.append(request(i, kPrompt, kAnswer, 0));
  }
  return scenario(QStringLiteral("A crowd"),
                  {{QStringLiteral("num_blocks"), kCrowdBlocks},
                   {QStringLiteral("max_sequences"), kCrowd + kBeams},
                   {QStringLiteral("token_budget"), 1024},
                   {QStringLiteral("draft"), QStringLiteral("exit")},
                   {QStringLiteral("draft_length"), 4}},
                  requests);
}

// One request whose prompt has as many tokens as the built-in model's context, but for its answer.
constexpr int kLongBlocks = 128, kLongPrompt = 1016;
QByteArray longRun() {
  return scenario(QStringLiteral("A long prompt"),
                  {{QStringLiteral("num_blocks"), kLongBlocks}, {QStringLiteral("token_budget"), 1024}},
                  {request(0, kLongPrompt, 4, 0)});
}

class WindowBench {
 public:
  explicit WindowBench(const BenchWindowOptions& options) : m_options(options), m_meter(&m_window) {
    if (options.device) m_window.computeOn(*options.device);
  }

  BenchReport run() {
    if (!m_folder.isValid())
      throw EngineError(ErrorCode::kIo, "no temporary folder can be made", "make room in the folder TMPDIR");
    coldStart();
    say(QStringLiteral("steps"));
    stepToPaint();
    say(QStringLiteral("full speed"));
    fullSpeed();
    say(QStringLiteral("%1 events a second").arg(m_options.eventsPerSecond));
    eventsAtARate();
    say(QStringLiteral("each view over a crowd"));
    viewsOfACrowd();
    say(QStringLiteral("an attention map"));
    largeMap();
    say(QStringLiteral("a map of %1 blocks").arg(m_options.blocks));
    largePool();
    say(QStringLiteral("a recording of %1 steps").arg(m_options.steps));
    record();
    say(QStringLiteral("scrubbing"));
    scrub("scrub_ms",
          QStringLiteral("scrub to a random step of %1").arg(session().recording().lastFinishedStep()));
    say(QStringLiteral("resuming"));
    resume();
    add("resident_end_mib", QStringLiteral("resident memory at the end"), "MiB", {residentMiB()});
    return std::move(m_report);
  }

 private:
  void add(const QByteArray& key, const QString& words, const char* unit, std::vector<double> values) {
    m_report.add({QString::fromLatin1(key), words, QLatin1String(unit), std::move(values)});
  }
  void say(const QString& what) const {
    if (m_options.progress) m_options.progress(what);
  }
  Session& session() { return m_window.session(); }
  EngineHost& host() { return m_window.host(); }
  bool isPaused() { return host().mode() == MachineMode::kPaused; }

  void waitFor(const char* what, const std::function<bool()>& holds) const {
    const QDeadlineTimer deadline(m_options.patienceMs);
    while (!holds()) {
      if (deadline.hasExpired())
        throw EngineError(ErrorCode::kUnavailable, std::string("the window waited in vain for ") + what,
                          "measure on a machine with less other work");
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
  }

  void pause() {
    host().pause();
    waitFor("a pause", [this] { return isPaused(); });
  }

  std::vector<double> framesOfSomeSeconds() {
    m_meter.restart();
    const QDeadlineTimer end(static_cast<qint64>(1e3 * m_options.seconds));
    waitFor("the end of a measurement", [&] { return end.hasExpired() && !m_meter.workMs().empty(); });
    return m_meter.workMs();
  }

  // From the action to the frame that completes what the signal brings, its pictures included.
  template <class Signal>
  double msToPaint(const std::function<void()>& action, Signal arrives) {
    bool arrived = false;
    double ms = -1;
    QElapsedTimer clock;
    QObject watcher;
    QObject::connect(&session(), arrives, &watcher, [&] { arrived = true; });
    QObject::connect(&m_meter, &FrameMeter::painted, &watcher, [&] {
      if (arrived && ms < 0 && !session().pictureTurn()->isAwaited())
        ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    });
    clock.start();
    action();
    waitFor("a frame", [&] { return ms >= 0; });
    return ms;
  }

  void coldStart() {
    double paintedMs = -1;
    QObject watcher;
    QObject::connect(&m_meter, &FrameMeter::painted, &watcher, [&] {
      if (paintedMs < 0) paintedMs = msSinceProcessStart();
    });
    m_window.resize(kBenchSize);
    m_window.show();
    m_window.showPerspective(Perspective::kStep);
    m_window.openModel({});
    const auto isReady = [this] { return isPaused() && session().state().waiting.size() > 0; };
    waitFor("the built-in model", [&] { return paintedMs >= 0 && isReady(); });
    m_meter.restart();
    waitFor("a frame with the staged requests", [this] { return !m_meter.workMs().empty(); });
    const double readyMs = msSinceProcessStart();
    add("cold_start_window_ms", QStringLiteral("cold start to the first frame"), "ms", {paintedMs});
    add("cold_start_ready_ms", QStringLiteral("cold start until Step works"), "ms", {readyMs});
    add("resident_start_mib", QStringLiteral("resident memory after the start"), "MiB", {residentMiB()});
  }

  void stepToPaint() {
    std::vector<double> ms;
    const auto hasWork = [this] {
      return session().state().running.size() + session().state().waiting.size() > 0;
    };
    for (int i = 0; i < m_options.presses && hasWork(); ++i) {
      ms.push_back(msToPaint([this] { m_window.step(); }, &Session::stepFinished));
      waitFor("the end of the step", [this] { return isPaused(); });
    }
    add("step_to_paint_ms", QStringLiteral("step to paint"), "ms", std::move(ms));
  }

  void ask(int number) {
    ChatOrder order;
    order.dialogue.messages = {
        {ChatRole::kUser, "Tell me a story about a fox and lighthouse " + std::to_string(number)}};
    order.request.maxTokens = 200;
    order.request.ignoreEos = true;
    order.request.sampling.temperature = 0.8;
    order.request.sampling.seed = static_cast<std::uint64_t>(number);
    host().submitChat(std::move(order));
    host().run();
  }

  void fullSpeed() {
    host().setStepsPerSecond(0);
    int asked = 0;
    QObject watcher;
    QObject::connect(&session(), &Session::requestFinished, &watcher, [&] { ask(asked++); });
    while (asked < kAtOnce) ask(asked++);
    const int before = session().lastStep();
    waitFor("the first steps", [&] { return session().lastStep() > before + 4; });
    const std::int64_t events = session().recording().size();
    QElapsedTimer clock;
    clock.start();
    std::vector<double> frames = framesOfSomeSeconds();
    const double seconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    const double rate = static_cast<double>(session().recording().size() - events) / seconds;
    QObject::disconnect(&session(), nullptr, &watcher, nullptr);
    pause();
    add("full_speed_frame_ms", QStringLiteral("frame work, engine at full speed"), "ms", std::move(frames));
    add("full_speed_events_per_second", QStringLiteral("events at full speed"), "1/s", {rate});
  }

  // The run that was just recorded, from its beginning and again.
  void eventsAtARate() {
    std::vector<Event> events;
    session().recording().forEach([&](const Event& event) { events.push_back(event); });
    std::size_t next = 0;
    std::int64_t fed = 0;
    QElapsedTimer clock;
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
      std::vector<Event> batch;
      const double due = m_options.eventsPerSecond * static_cast<double>(clock.nsecsElapsed()) / 1e9;
      for (; static_cast<double>(fed) < due; ++fed, next = (next + 1) % events.size())
        batch.push_back(events[next]);
      session().append(std::move(batch));
    });
    clock.start();
    timer.start(33);
    std::vector<double> frames = framesOfSomeSeconds();
    timer.stop();
    add("events_frame_ms", QStringLiteral("frame work, %1 events/s").arg(m_options.eventsPerSecond), "ms",
        std::move(frames));
  }

  void openRun(const QString& name, const QByteArray& json, int blocks) {
    QFile file(m_folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.flush())
      throw EngineError(ErrorCode::kIo, "cannot write " + file.fileName().toStdString(), "make room there");
    m_window.openScenario(file.fileName());
    waitFor("the run", [&] {
      return isPaused() && session().engine() && session().engine()->options.numBlocks == blocks &&
             session().lastStep() == 0;
    });
  }

  void openPool(int blocks) {
    const QString model = m_folder.filePath(QStringLiteral("tiny"));
    if (!QFile::exists(model)) makeRandomModel("tiny", model.toStdString());
    openRun(QStringLiteral("pool-%1.json").arg(blocks), poolRun(blocks, m_options.steps), blocks);
  }

  // Each view of the stage, and the prefix tree, over a machine that is as busy as it can be.
  void viewsOfACrowd() {
    openRun(QStringLiteral("crowd.json"), crowdRun(), kCrowdBlocks);
    host().setStepsPerSecond(0);
    host().run();
    waitFor("the first steps", [this] { return session().lastStep() > 4; });
    const std::pair<const char*, const char*> views[] = {
        {"schedule", "lanes"},        {"text", "text"},   {"batch", "batch"},
        {"layers", "layers"},         {"beams", "beams"}, {"speculation", "speculation"},
        {"prefixTree", "prefix_tree"}};
    for (const auto& [panel, name] : views) {
      m_window.showPanel(QLatin1String(panel));
      add(QByteArray(name) + "_frame_ms",
          QStringLiteral("frame work, a crowd, %1 open").arg(QLatin1String(name)), "ms",
          framesOfSomeSeconds());
    }
    pause();
    m_window.showPanel(QStringLiteral("schedule"));
  }

  // From the command to the frame that shows the map.
  void largeMap() {
    openRun(QStringLiteral("long.json"), longRun(), kLongBlocks);
    Panels& panels = m_window.panels();
    m_window.showPanel(QStringLiteral("layers"));
    m_window.step();
    waitFor("the long prompt", [this] { return isPaused() && session().recording().lastFinishedStep() > 0; });
    waitFor("the exits", [&] { return panels.exitsModel->report() && !panels.exitsModel->question(); });
    QElapsedTimer clock;
    clock.start();
    panels.layers->showPage(LayersPanel::Page::kAttention);
    waitFor("the map", [&] { return panels.attentionModel->report() && !panels.attentionModel->question(); });
    m_meter.restart();
    waitFor("a frame", [this] { return !m_meter.workMs().empty(); });
    add("attention_map_ms",
        QStringLiteral("attention map of %1 tokens opened").arg(panels.attentionModel->tokens()), "ms",
        {static_cast<double>(clock.nsecsElapsed()) / 1e6});
    panels.layers->showPage(LayersPanel::Page::kExits);
    m_window.showPanel(QStringLiteral("schedule"));
  }

  void largePool() {
    openPool(m_options.blocks);
    m_window.showPanel(QStringLiteral("blocks"));
    host().setStepsPerSecond(kBlocksPace);
    host().run();
    waitFor("the first steps", [this] { return session().lastStep() > 4; });
    std::vector<double> frames = framesOfSomeSeconds();
    pause();
    add("blocks_frame_ms", QStringLiteral("frame work, a map of %1 blocks").arg(m_options.blocks), "ms",
        std::move(frames));
    scrub("blocks_scrub_ms", QStringLiteral("scrub to a random step of %1, a map of %2 blocks")
                                 .arg(session().recording().lastFinishedStep())
                                 .arg(m_options.blocks));
  }

  void record() {
    openPool(kUsualBlocks);
    host().setStepsPerSecond(0);
    host().run();
    waitFor("the recording", [this] {
      const int steps = session().recording().lastFinishedStep();
      return steps >= m_options.steps || (steps > 0 && isPaused());
    });
    pause();
  }

  void scrub(const char* key, const QString& words) {
    std::mt19937 random(1);
    std::vector<double> ms;
    const int last = session().recording().lastFinishedStep();
    std::uniform_int_distribution<int> steps(1, std::max(2, last));
    while (static_cast<int>(ms.size()) < m_options.jumps) {
      const int step = steps(random);
      if (step == session().step()) continue;
      ms.push_back(msToPaint([&] { session().goToStep(step); }, &Session::cursorChanged));
    }
    add(key, words, "ms", std::move(ms));
  }

  // From the command to the branch with its whole past, paused.
  void resume() {
    RunArchive& archive = m_window.archive();
    const int step = session().recording().lastFinishedStep() / 2;
    session().goToStep(step);
    bool resumed = false;
    QObject watcher;
    QObject::connect(&archive, &RunArchive::followed, &watcher, [&] { resumed = true; });
    QElapsedTimer clock;
    clock.start();
    archive.resume();
    waitFor("the branch", [&] { return resumed && isPaused() && !archive.isUnderWay(); });
    add("resume_ms", QStringLiteral("resume from step %1").arg(step), "ms",
        {static_cast<double>(clock.nsecsElapsed()) / 1e6});
  }

  const BenchWindowOptions m_options;
  QTemporaryDir m_folder;
  MainWindow m_window;
  FrameMeter m_meter;
  BenchReport m_report;
};

}  // namespace

QString BenchReport::table() const {
  QString text = QString().leftJustified(kWordsWidth) + cell(QStringLiteral("p50")) +
                 cell(QStringLiteral("p95")) + cell(QStringLiteral("max")) + cell(QStringLiteral("count")) +
                 u'\n';
  for (const BenchFigure& figure : m_figures) {
    text += (figure.words + QStringLiteral(", ") + figure.unit).leftJustified(kWordsWidth);
    text += cell(percentile(figure.values, 0.5));
    if (figure.values.size() != 1)
      text += cell(percentile(figure.values, 0.95)) + cell(largest(figure.values)) +
              cell(QString::number(figure.values.size()));
    text += u'\n';
  }
  return text;
}

QByteArray BenchReport::json() const {
  QJsonObject object;
  for (const BenchFigure& figure : m_figures) {
    const std::vector<double>& values = figure.values;
    if (values.size() == 1)
      object[figure.key] = values.front();
    else
      object[figure.key] = QJsonObject{{QStringLiteral("p50"), percentile(values, 0.5)},
                                       {QStringLiteral("p95"), percentile(values, 0.95)},
                                       {QStringLiteral("max"), largest(values)},
                                       {QStringLiteral("count"), static_cast<qint64>(values.size())}};
  }
  return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

BenchReport benchWindow(const BenchWindowOptions& options) { return WindowBench(options).run(); }

}  // namespace vitrine
