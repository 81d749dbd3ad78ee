#include "gui/commands/command_list.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>

#include "gui/commands/fuzzy_match.h"

namespace vitrine {

namespace {

const QString kStep = QStringLiteral(" › ");

QString wayOf(const PaletteEntry& command) {
  return command.path.isEmpty() ? command.title : command.path + kStep + command.title;
}

void collect(QMenu& menu, const QString& path, std::vector<PaletteEntry>& commands) {
  emit menu.aboutToShow();  // menus of recent files and of requests fill themselves then
  for (QAction* action : menu.actions()) {
    if (action->isSeparator() || !action->isVisible() || action->text().isEmpty()) continue;
    const QString title = plainTitle(action->text());
    if (QMenu* inner = action->menu()) {
      collect(*inner, path + kStep + title, commands);
      continue;
    }
    PaletteEntry command{title, path};
    command.keys = QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
    // Without one of its own, an action's tool tip is its text.
    if (plainTitle(action->toolTip()) != title) command.help = action->toolTip();
    command.enabled = action->isEnabled();
    command.checked = action->isChecked();
    command.run = [kept = QPointer(action)] {
      if (kept) kept->trigger();
    };
    commands.push_back(std::move(command));
  }
}

}  // namespace

QString plainTitle(const QString& text) {
  QString plain;
  for (int i = 0; i < text.size(); ++i) {
    if (text[i] == u'&' && ++i >= text.size()) break;  // "&&" stands for one
    plain += text[i];
  }
  return plain.endsWith(u'…') ? plain.chopped(1) : plain;
}

std::vector<PaletteEntry> entriesOf(const QMenuBar& bar) {
  std::vector<PaletteEntry> commands;
  for (const QAction* action : bar.actions())
    if (action->menu()) collect(*action->menu(), plainTitle(action->text()), commands);
  return commands;
}

CommandList::CommandList(std::vector<PaletteEntry> commands, QObject* parent)
    : QAbstractListModel(parent), m_all(std::move(commands)) {
  narrow({});
}

void CommandList::narrow(const QString& query) {
  beginResetModel();
  m_shown.clear();
  for (std::size_t i = 0; i < m_all.size(); ++i) {
    const QString way = wayOf(m_all[i]);
    const int title = static_cast<int>(way.size() - m_all[i].title.size());
    if (const auto match = fuzzyMatch(way, query, title)) m_shown.push_back({i, match->score, match->hits});
  }
  std::ranges::stable_sort(m_shown, [this](const Shown& a, const Shown& b) {
    const bool first = m_all[a.index].enabled, second = m_all[b.index].enabled;
    return first != second ? first : a.score > b.score;
  });
  endResetModel();
}

int CommandList::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant CommandList::data(const QModelIndex& index, int role) const {
  const PaletteEntry& one = command(index.row());
  const QString way = wayOf(one);
  if (role == Qt::DisplayRole) return way;
  if (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole) return one.help;
  if (role == Qt::AccessibleTextRole) {
    QStringList words{way};
    if (one.checked) words += tr("chosen");
    if (!one.enabled) words += tr("not available now");
    if (!one.keys.isEmpty()) words += one.keys;
    return words.join(QStringLiteral(", "));
  }
  if (role == kHits) {
    QVariantList hits;
    for (const int hit : m_shown[static_cast<std::size_t>(index.row())].hits) hits += hit;
    return hits;
  }
  if (role == kTitleBegins) return static_cast<int>(way.size() - one.title.size());
  if (role == kKeys) return one.keys;
  if (role == kEnabled) return one.enabled;
  if (role == kChecked) return one.checked;
  return {};
}

}  // namespace vitrine

#include "moc_command_list.cpp"
