// What tests of the whole window share: surroundings that are the same everywhere, a window in sight, and
// waiting for the engine's thread. Thread: the window's.
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSettings>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "gui/window/main_window.h"
#include "widgets/support/theme.h"
#include "widgets/support/translations.h"

namespace vitrine::test {

constexpr int kPatience = 60000;  // ms; a busy computer takes its time

// Settings in a folder of their own, one style and font, texts in English or in VITRINE_TEST_LANGUAGE. False
// when the built-in model is not where the program looks for it.
class WindowSurroundings {
 public:
  bool prepare() {
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
    QCoreApplication::setOrganizationName("VitrineTest");
    QCoreApplication::setApplicationName("VitrineTest");
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    QApplication::setFont(readable(QApplication::font()));
    const QString language = qEnvironmentVariable("VITRINE_TEST_LANGUAGE");
    const QLocale locale = language.isEmpty() ? QLocale(QLocale::English) : QLocale(language);
    if (!language.isEmpty()) QLocale::setDefault(locale);
    installTranslations(*QCoreApplication::instance(), locale);
    return !builtinModelDirectory().empty();
  }

 private:
  QTemporaryDir m_settings;
};

// As QTest::qWaitFor(), which sleeps 10 ms after each look; this looks after each event.
template <class Predicate>
bool waitUntil(Predicate isMet, int patience = kPatience) {
  QElapsedTimer time;
  time.start();
  QTimer tick;  // for what no event tells
  tick.start(10);
  while (!isMet()) {
    if (time.elapsed() > patience) return false;
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  return true;
}

inline bool waitForMode(MainWindow& window, MachineMode mode, int patience = kPatience) {
  return waitUntil([&] { return window.host().mode() == mode; }, patience);
}

// Until the test function ends, a warning of Qt's fails it: a person would read it on the console. The
// platform without a screen says of itself what it cannot do.
inline void failOnWarnings() {
  QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
}

class ShownWindow {
 public:
  explicit ShownWindow(Perspective perspective = Perspective::kStep, QSize size = {1366, 768}) {
    failOnWarnings();
    window.resize(size);
    window.show();
    window.showPerspective(perspective);
    // Present has this size, too, as after F11 for a window that is shared with an audience.
    if (!window.isFullScreen()) return;
    window.showNormal();
    window.resize(size);
  }
  bool openModel(const QString& directory = {}) {
    window.openModel(directory);
    return QTest::qWaitForWindowExposed(&window) && waitForMode(window, MachineMode::kPaused);
  }
  const MachineState& live() { return window.session().recording().live(); }
  // Every request that was submitted has been answered.
  bool isIdle() { return !live().requests.empty() && live().waiting.empty() && live().running.empty(); }
  bool isPaused() { return window.host().mode() == MachineMode::kPaused; }
  // So many steps, each to its end: the machine reports its pause after the last event of a step, and what
  // arrives with it. The mode alone says "paused" while a single step is under way, too.
  bool stepTimes(int count) {
    int ended = 0;
    const auto heard =
        QObject::connect(&window.host(), &EngineHost::modeChanged, &window, [&](MachineMode mode) {
          if (mode == MachineMode::kPaused) ++ended;
        });
    for (int i = 0; i < count; ++i) window.step();
    const bool done = waitUntil([&] { return ended >= count; });
    QObject::disconnect(heard);
    return done;
  }

  MainWindow window;
};

}  // namespace vitrine::test
