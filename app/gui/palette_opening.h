// PaletteOpening: opens the palette with the commands of the menu bar and the titles of all chats, as they
// are at that moment. Thread: the window's. Read next: command_palette.h.
#pragma once

#include <QObject>

class QMainWindow;

namespace vitrine {

class Chats;

class PaletteOpening : public QObject {
  Q_OBJECT

 public:
  // Both must outlive this.
  PaletteOpening(Chats& chats, QMainWindow* window);

  void open();  // closes one that is open

 private:
  Chats& m_chats;
  QMainWindow* const m_window;
};

}  // namespace vitrine
