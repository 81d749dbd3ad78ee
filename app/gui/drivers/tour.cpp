#include "gui/drivers/tour.h"

#include <QCoreApplication>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTimer>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "gui/bars/status_strip.h"
#include "gui/bench/bench_results_window.h"
#include "gui/drivers/tour_sizes.h"
#include "gui/help/glossary_dialog.h"
#include "gui/inspect/inspect_tensor.h"
#include "gui/inspect/inspect_window.h"
#include "gui/panels/full_screen.h"
#include "gui/panels/stage.h"
#include "gui/parts/screen_fit.h"
#include "gui/runs/run_to.h"
#include "vitrine/convert.h"
#include "vitrine/engine.h"
#include "widgets/explain/step_comparison_view.h"
#include "widgets/layers/attention_model.h"
#include "widgets/layers/exits_model.h"
#include "widgets/layers/layers_panel.h"
#include "widgets/layers/operations_model.h"
#include "widgets/time/time_axis_view.h"

namespace vitrine {

namespace {

constexpr int kPatienceMs = 60'000;
constexpr QSize kUsual = kTourSizes[1];

}  // namespace

int Tour::walk(std::span<const ColourScheme> themes) {
  try {
    if (!QDir().mkpath(m_folder)) throw std::runtime_error("the folder cannot be made");
    m_window.show();
    settleOnScreen();
    for (const ColourScheme scheme : themes) walkTheme(scheme);
    return 0;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "vitrine: the tour ended early: %s: %s\n", qPrintable(m_folder), error.what());
    return 1;
  }
}

void Tour::walkTheme(ColourScheme scheme) {
  m_theme = Appearance::keyOf(scheme);
  m_window.appearance().setScheme(scheme);
  m_window.showPerspective(Perspective::kStep);
  makeWindow(kUsual);  // the theme before has brought every panel forward
  openScenario(QStringLiteral("six-blocks"));
  runTo({.kind = BreakKind::kPreemption});
  if (!std::exchange(m_toldDevice, true))
    std::fprintf(stderr, "vitrine: the tour computes on %s\n",
                 qUtf8Printable(m_window.status().deviceText()));
  takeWindows(Perspective::kStep);
  takeWindows(Perspective::kPresent);
  takeViews();
  takeText();
  takeBeams();
  takeForm();
  takeGlossary();
  takeChat();
  takeServed();
  takeInside();
  takeModels();
  takeBench();
}

void Tour::takeViews() {
  m_window.showPerspective(Perspective::kStep);
  m_window.resize(kUsual);
  for (QDockWidget* dock : m_window.findChildren<QDockWidget*>()) {
    m_window.showPanel(dock->objectName());
    settle();
    take(dock, dock->objectName());
  }
  take(m_window.panels().timeline, QStringLiteral("timeline"));
  takeDock(QStringLiteral("prefixTree"));
  m_window.panels().comparison->model()->compareWith(m_window.session().firstStep() + 2);
  takeDock(QStringLiteral("comparison"));
  take(m_window.panels().timeline, QStringLiteral("timeline-compared"));
  m_window.panels().comparison->model()->end();
  takeStage(QStringLiteral("schedule"), QStringLiteral("lanes"));
  takeStage(QStringLiteral("batch"), QStringLiteral("batch"));
  takeLayers();
}

// Of a page whose engine has to answer first, `isReady` says when.
void Tour::takeStage(const QString& page, const QString& name, const std::function<bool()>& isReady) {
  for (const QSize size : kTourSizes) {
    makeWindow(size);
    m_window.showPanel(page);
    settle();
    if (isReady) wait(isReady, "the engine did not answer");
    take(m_window.findChild<Stage*>(), nameOf(name, size));
  }
  makeWindow(kUsual);
}

// A window that becomes wider or narrower rearranges itself when it is idle again.
void Tour::makeWindow(QSize size) {
  m_window.resize(size);
  QCoreApplication::processEvents();
  m_window.restoreDefaultLayout();
}

// As each window shows it.
void Tour::takeDock(const QString& name) {
  for (const QSize size : kTourSizes) {
    makeWindow(size);
    m_window.showPanel(name);
    settle();
    take(m_window.findChild<QDockWidget*>(name), nameOf(name, size));
  }
  makeWindow(kUsual);
}

void Tour::takeGlossary() {
  GlossaryDialog dialog(&m_window);
  dialog.show();
  settle();
  take(&dialog, QStringLiteral("glossary"));
}

void Tour::takeLayers() {
  Panels& panels = m_window.panels();
  const QString page = QStringLiteral("layers");
  const auto isAnswered = [](const InsideModel& model) { return model.report() && !model.question(); };
  panels.layers->showPage(LayersPanel::Page::kExits);
  takeStage(page, QStringLiteral("layers-exits"), [&] { return isAnswered(*panels.exitsModel); });
  panels.layers->showPage(LayersPanel::Page::kAttention);
  takeStage(page, QStringLiteral("layers-attention"), [&] { return isAnswered(*panels.attentionModel); });
  panels.layers->showPage(LayersPanel::Page::kTime);
  takeStage(page, QStringLiteral("layers-time"), [&] { return panels.operationsModel->roof() != nullptr; });
  panels.layers->showPage(LayersPanel::Page::kLaunches);
  takeStage(page, QStringLiteral("layers-launches"));
}

void Tour::takeText() {
  openScenario(QStringLiteral("speculation-pays"));
  runTo({.kind = BreakKind::kDraftRejected});
  takeStage(QStringLiteral("text"), QStringLiteral("text"));
  takeStage(QStringLiteral("speculation"), QStringLiteral("speculation"));
  takeStage(QStringLiteral("batch"), QStringLiteral("batch-drafts"));
}

void Tour::takeBeams() {
  openScenario(QStringLiteral("beam-search"));
  runTo({.kind = BreakKind::kEvent, .event = "beam_step", .with = {{"length", "7"}}});
  takeStage(QStringLiteral("beams"), QStringLiteral("beams"));
}

// The first draw under a schema: the model's favourite is masked.
void Tour::takeForm() {
  openScenario(QStringLiteral("structured-output"));
  runTo({.kind = BreakKind::kEvent, .event = "grammar_masked"});
  m_window.showPanel(QStringLiteral("sampler"));
  takeSizes(QStringLiteral("window-form"));
}

// The built-in model, packed as the files are that people have.
void Tour::takeInside() {
  const QString file = m_models.filePath(QStringLiteral("built-in-Q4_K.gguf"));
  try {
    if (!QFile::exists(file)) convertModel(builtinModelDirectory(), file.toStdString(), ConvertType::kQ4K);
  } catch (const EngineError& error) {
    throw std::runtime_error(error.what());
  }
  InspectWindow window;
  if (const MachineRoof* roof = m_window.panels().operationsModel->roof()) window.setRoof(*roof);
  window.setAttribute(Qt::WA_DeleteOnClose, false);
  window.show();
  window.look(file);
  wait([&] { return window.tensor().isRead(); }, "the model was not read");
  takeSizes(window, QStringLiteral("inside"));
}

// Results that were recorded with the built-in model.
void Tour::takeBench() {
  takeBenchWindow({QStringLiteral("latency")}, QStringLiteral("bench"));
  takeBenchWindow({QStringLiteral("latency"), QStringLiteral("latency-int8")},
                  QStringLiteral("bench-compared"));
  takeBenchWindow({QStringLiteral("roofline")}, QStringLiteral("bench-roofline"));
}

void Tour::takeBenchWindow(const QStringList& results, const QString& name) {
  BenchResultsWindow window;
  for (const QString& result : results) {
    QFile file(QStringLiteral(":/bench/%1.json").arg(result));
    if (!file.open(QIODevice::ReadOnly)) throw std::runtime_error("a recorded result is missing");
    window.add(result, readBenchResults(file.readAll().toStdString(), result.toStdString()));
  }
  window.setAttribute(Qt::WA_DeleteOnClose, false);
  window.show();
  takeSizes(window, name);
}

void Tour::settleOnScreen() {
  wait([fit = m_window.findChild<ScreenFit*>()] { return !fit || !fit->isSettling(); },
       "the window did not settle");
}

void Tour::takeWindows(Perspective perspective) {
  m_window.showPerspective(perspective);
  // Present fills the screen; the pictures are of screens of their own sizes.
  m_window.showNormal();
  settleOnScreen();
  m_window.findChild<FullScreen*>()->setBare(perspective == Perspective::kPresent);
  takeSizes(QStringLiteral("window-") + Perspectives::keyOf(perspective));
}

void Tour::takeSizes(const QString& name) {
  for (const QSize size : kTourSizes) {
    makeWindow(size);
    settle();
    take(&m_window, nameOf(name, size));
  }
}

void Tour::takeSizes(QWidget& window, const QString& name) {
  for (const QSize size : kTourSizes) {
    window.resize(size);
    settle();
    take(&window, nameOf(name, size));
  }
}

void Tour::openScenario(const QString& name) {
  m_window.openScenario(name);
  const auto staged = [this] {
    return m_window.host().mode() == MachineMode::kPaused &&
           !m_window.session().recording().live().waiting.empty();
  };
  wait(staged, "the scenario was not opened");
  m_window.host().setStepsPerSecond(0);
}

void Tour::runTo(const Breakpoint& moment) {
  bool stopped = false;
  const auto heard =
      QObject::connect(&m_window.runTo(), &RunTo::stopped, &m_window, [&stopped] { stopped = true; });
  m_window.runTo().run(moment);
  wait([&] { return stopped && m_window.host().mode() == MachineMode::kPaused; }, "the moment did not come");
  QObject::disconnect(heard);
}

void Tour::wait(const std::function<bool()>& until, const char* what) {
  QElapsedTimer clock;
  clock.start();
  while (!until()) {
    if (clock.hasExpired(kPatienceMs)) throw std::runtime_error(what);
    QEventLoop loop;
    QTimer::singleShot(10, &loop, &QEventLoop::quit);
    loop.exec();
  }
}

void Tour::settle() {
  QEventLoop loop;
  QTimer::singleShot(m_settleMs, &loop, &QEventLoop::quit);
  loop.exec();
}

void Tour::take(QWidget* widget, const QString& name) {
  const QString file = QStringLiteral("%1-%2.png").arg(name, m_theme);
  if (!widget->grab().save(QDir(m_folder).filePath(file)))
    throw std::runtime_error("a picture cannot be written there");
  std::puts(qPrintable(file));
}

}  // namespace vitrine
