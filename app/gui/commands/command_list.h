// CommandList: what a command palette offers, narrowed by a query and ordered by how well each entry fits.
//
// Entries that can be run now come first; then the better match, then the order given. Thread: the window's.
// Read next: fuzzy_match.h, command_palette.h.
#pragma once

#include <QAbstractListModel>
#include <QPointer>
#include <functional>
#include <vector>

class QAction;
class QMenuBar;

namespace vitrine {

struct PaletteEntry {
  QString title;
  QString path;       // the menus around it: "Machine › Run to"; of a chat, what it is
  QString keys = {};  // as the menu shows them
  QString help = {};  // empty: the title says it all
  bool enabled = true;
  bool checked = false;
  std::function<void()> run = {};
};

class CommandList : public QAbstractListModel {
  Q_OBJECT

 public:
  // Places of hits, as QVariantList of int, in "PATH › TITLE", and where TITLE begins there.
  enum Role { kHits = Qt::UserRole, kTitleBegins, kKeys, kEnabled, kChecked };

  explicit CommandList(std::vector<PaletteEntry> commands = {}, QObject* parent = nullptr);

  void narrow(const QString& query);
  const PaletteEntry& command(int row) const { return m_all[m_shown[static_cast<std::size_t>(row)].index]; }
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  struct Shown {
    std::size_t index;
    int score;
    QList<int> hits;
  };

  std::vector<PaletteEntry> m_all;
  std::vector<Shown> m_shown;
};

// The commands of all menus, after each was asked to fill itself. A command runs through its action, and not
// at all if the action is gone or disabled by then.
std::vector<PaletteEntry> entriesOf(const QMenuBar& bar);

// A text without the mark of its mnemonic and without the "…" of a command that asks.
QString plainTitle(const QString& text);

}  // namespace vitrine
