// WelcomeOpening: shows the first page, once by itself at the very first start, and leads to what was chosen.
// Thread: the window's. Read next: welcome_dialog.h.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <optional>
#include <vector>

#include "gui/help/welcome_dialog.h"

class QAction;

namespace vitrine {

class Settings;

// A key of the window that leads to a place, so also from the page that lies before it.
struct WelcomeKey {
  QAction* place = nullptr;
  std::optional<WelcomeChoice> door = {};  // of that place; none: the page is skipped for it
};

// Where the ways lead.
struct WelcomeWays {
  std::function<void()> lookInside, chat, ownModel;
  std::function<void()> byDefault;  // skipped, before anything is open
  std::function<std::vector<WelcomeKey>()> keys;
};

class WelcomeOpening : public QObject {
  Q_OBJECT

 public:
  // The settings must outlive this.
  WelcomeOpening(Settings& settings, WelcomeWays ways, QWidget* window);

  WelcomeDialog* open();
  // At the start, before a model is opened: the page, if it has never been answered and the program was not
  // used before. False: nothing was done.
  bool openAtFirstStart();
  // Something else is asked for: the page goes, and opens nothing. True: it was that of the first start, and
  // nothing is open.
  bool leave();

 private:
  void lead(WelcomeChoice choice);
  void hear(const WelcomeKey& key);

  Settings& m_settings;
  const WelcomeWays m_ways;
  QWidget* const m_window;
  QPointer<WelcomeDialog> m_dialog;
  bool m_isFirst = false;
};

}  // namespace vitrine
