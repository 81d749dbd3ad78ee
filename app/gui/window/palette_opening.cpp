#include "gui/window/palette_opening.h"

#include <QMainWindow>
#include <QMenuBar>

#include "gui/chat/chats.h"
#include "gui/commands/command_palette.h"

namespace vitrine {

PaletteOpening::PaletteOpening(Chats& chats, QMainWindow* window)
    : QObject(window), m_chats(chats), m_window(window) {}

void PaletteOpening::open() {
  if (auto* shown = m_window->findChild<CommandPalette*>(); shown && shown->isVisible())
    return shown->reject();
  std::vector<PaletteEntry> commands = entriesOf(*m_window->menuBar());
  for (const auto& more : m_more)
    for (PaletteEntry& entry : more()) commands.push_back(std::move(entry));
  for (const ChatSummary& chat : m_chats.desk().history().chats()) {
    if (chat.title.isEmpty()) continue;
    PaletteEntry command{chat.title, tr("Chats")};
    command.checked = chat.id == m_chats.desk().shown();
    command.run = [&chats = m_chats, id = chat.id] {
      if (chats.desk().open(id)) emit chats.chatRequested();
    };
    commands.push_back(std::move(command));
  }
  auto* palette = new CommandPalette(std::move(commands), m_window);
  palette->setAttribute(Qt::WA_DeleteOnClose);
  palette->show();
  palette->activateWindow();
}

}  // namespace vitrine

#include "moc_palette_opening.cpp"
