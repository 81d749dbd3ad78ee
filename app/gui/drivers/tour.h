// Tour: `vitrine --tour FOLDER`, a picture of every view in every theme, named after both, and of the window
// and the views of its stage in three sizes.
//
// It drives the very window a user has, through scenarios in which each view has something to show. It waits
// in event loops of its own, as a batch program may. Thread: the window's. Read next: main_window.h.
#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gui/parts/appearance.h"
#include "gui/window/main_window.h"

namespace vitrine {

class Tour {
 public:
  // settleMs: before each picture, for what fades and moves.
  Tour(MainWindow& window, QString folder, int settleMs = 900)
      : m_window(window), m_folder(std::move(folder)), m_settleMs(settleMs) {}

  static constexpr std::array kThemes{ColourScheme::kLight, ColourScheme::kDark, ColourScheme::kHighContrast};
  // Prints the name of each picture, and once where the machine computes. Returns the exit status: 1 with a
  // message when a picture cannot be written or the machine does not get where a view shows something.
  int walk(std::span<const ColourScheme> themes = kThemes);

 private:
  void walkTheme(ColourScheme scheme);
  void takeViews();
  void takeStage(const QString& page, const QString& name, const std::function<bool()>& isReady = {});
  void makeWindow(QSize size);  // with the default layout
  void takeDock(const QString& name);
  void takeLayers();
  void takeGlossary();
  void takeText();
  void takeBeams();
  void takeForm();
  void takeServed();
  void takeChat();
  void send();           // the message that is written
  void waitForAnswer();  // to it
  void takeToken();
  void takeBeside();
  void takeReading();
  void takeDesk();
  void takeTokenInPlace();
  void takeReuse();
  void takePrefill();
  void takeFiles();
  void takeEdit();
  void takeSearch();
  void takeFull();
  void takeImport();
  void takeChatDialogs();
  void takeModels();
  void takeInside();
  void takeBench();
  void takeBenchWindow(const QStringList& results, const QString& name);
  void settleOnScreen();
  void takeWindows(Perspective perspective);
  void takeSizes(const QString& name);                   // the whole window
  void takeSizes(QWidget& window, const QString& name);  // another one
  void openScenario(const QString& name);
  void runTo(const Breakpoint& moment);
  void wait(const std::function<bool()>& until, const char* what);
  void settle();  // animations end
  void take(QWidget* widget, const QString& name);

  MainWindow& m_window;
  const QString m_folder;
  const int m_settleMs;
  const QTemporaryDir m_models;        // made for the tour
  qint64 m_written = 0;                // a chat of the tour's own
  std::vector<std::int64_t> m_others;  // and more
  QString m_theme;
  bool m_toldDevice = false;
};

}  // namespace vitrine
