// PaletteOpening: opens the palette with the commands of the menu bar, what else is added, and the titles of
// all chats, as they are at that moment. Thread: the window's. Read next: command_palette.h.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "gui/commands/command_list.h"

class QMainWindow;

namespace vitrine {

class Chats;

class PaletteOpening : public QObject {
  Q_OBJECT

 public:
  // Both must outlive this.
  PaletteOpening(Chats& chats, QMainWindow* window);

  // Further entries of the palette, asked for each time that it opens.
  void add(std::function<std::vector<PaletteEntry>()> more) { m_more.push_back(std::move(more)); }

  void open();  // closes one that is open

 private:
  Chats& m_chats;
  QMainWindow* const m_window;
  std::vector<std::function<std::vector<PaletteEntry>()>> m_more;
};

}  // namespace vitrine
