// ProgramWindow: the window of the program. When another language is chosen, it is made anew in that language
// and shows what the one before showed: the run, whose machine goes on from the same step, the lesson, the
// perspective.
//
// Thread: the window's. Read next: main_window.h, handed_start.h.
#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <memory>
#include <optional>

#include "gui/window/handed_start.h"
#include "gui/window/main_window.h"

namespace vitrine {

class ProgramWindow : public QObject {
  Q_OBJECT

 public:
  // `device`: of models and scenarios opened in this process. `chatsFile`: empty: nowhere.
  ProgramWindow(std::optional<Device> device, QString chatsFile);
  ~ProgramWindow() override;

  MainWindow& window() { return *m_window; }
  HandedStart& handed() { return *m_handed; }
  void show() { m_window->show(); }

  // At once where the window may be closed; a window that stays as it is has the language at the next start.
  void speak();

 signals:
  void remade();

 private:
  struct Before {
    QString perspective, lesson, model, scenario;
    QString trace;  // of the run; empty: it has no step
    int step = 0;
    bool hadMachine = false;
  };

  void make();
  Before present() const;
  void remake(Before before);
  void showAgain(const Before& before);
  void tellOfFonts();

  const std::optional<Device> m_device;
  const QString m_chatsFile;
  const QTemporaryDir m_folder;  // for the run on its way from one window to the other
  std::unique_ptr<MainWindow> m_window;
  std::unique_ptr<HandedStart> m_handed;
};

}  // namespace vitrine
