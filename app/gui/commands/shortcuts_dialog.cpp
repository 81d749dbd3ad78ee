#include "gui/commands/shortcuts_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMainWindow>
#include <QMenuBar>
#include <QSet>
#include <QTreeWidget>

#include "gui/commands/command_list.h"
#include "gui/commands/fuzzy_match.h"
#include "gui/parts/screen_fit.h"
#include "gui/parts/small_parts.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

QString native(const QKeySequence& key) { return key.toString(QKeySequence::NativeText); }

// Keys that no action has, since a view or the window takes them itself.
std::vector<ShortcutEntry> ownKeys() {
  const QString everywhere = ShortcutsDialog::tr("Everywhere but in the conversation"),
                chat = ShortcutsDialog::tr("In the message"), axis = ShortcutsDialog::tr("On the time axis"),
                maps = ShortcutsDialog::tr("On the memory's map and the tree of beams");
  return {
      {everywhere, ShortcutsDialog::tr("Step, as a presenter's clicker sends it"), native(Qt::Key_PageDown)},
      {everywhere, ShortcutsDialog::tr("Back, as a presenter's clicker sends it"), native(Qt::Key_PageUp)},
      {everywhere, ShortcutsDialog::tr("Leave Present"), native(Qt::Key_Escape)},
      {chat, ShortcutsDialog::tr("Send the message"), native(Qt::Key_Return)},
      {chat, ShortcutsDialog::tr("A new line"), native(Qt::SHIFT | Qt::Key_Return)},
      {chat, ShortcutsDialog::tr("Stop the answer, or leave a question as it was"), native(Qt::Key_Escape)},
      {axis, ShortcutsDialog::tr("The step before"), native(Qt::Key_Left)},
      {axis, ShortcutsDialog::tr("The step after, in the past"), native(Qt::Key_Right)},
      {axis, ShortcutsDialog::tr("Compare with the step before"), native(Qt::SHIFT | Qt::Key_Left)},
      {axis, ShortcutsDialog::tr("Compare with the step after"), native(Qt::SHIFT | Qt::Key_Right)},
      {maps, ShortcutsDialog::tr("Zoom in"), native(Qt::Key_Plus)},
      {maps, ShortcutsDialog::tr("Zoom out"), native(Qt::Key_Minus)},
      {maps, ShortcutsDialog::tr("Show all of it"), native(Qt::Key_0)},
  };
}

// Keys that count while a view has the focus. An action that is in a menu, too, is there already.
void addViewKeys(const QMainWindow& window, std::vector<ShortcutEntry>& entries) {
  QSet<QString> seen;
  for (const QWidget* view : window.findChildren<QWidget*>())
    for (const QAction* action : view->actions()) {
      const Qt::ShortcutContext context = action->shortcutContext();
      if (action->shortcut().isEmpty() || view->accessibleName().isEmpty() ||
          (context != Qt::WidgetShortcut && context != Qt::WidgetWithChildrenShortcut))
        continue;
      const ShortcutEntry entry{view->accessibleName(), plainTitle(action->text()),
                                native(action->shortcut())};
      const QString all = entry.group + u'\n' + entry.what;
      if (!seen.contains(all)) entries.push_back(entry);
      seen += all;
    }
}

}  // namespace

std::vector<ShortcutEntry> shortcutsOf(const QMainWindow& window) {
  std::vector<ShortcutEntry> entries;
  for (const PaletteEntry& command : entriesOf(*window.menuBar()))
    if (!command.keys.isEmpty())
      entries.push_back({command.path.section(QStringLiteral(" › "), 0, 0), command.title, command.keys});
  for (ShortcutEntry& entry : ownKeys()) entries.push_back(std::move(entry));
  addViewKeys(window, entries);
  return entries;
}

ShortcutsDialog::ShortcutsDialog(const std::vector<ShortcutEntry>& entries, QWidget* parent)
    : QDialog(parent),
      m_filter(findLine(tr("Find a shortcut"), tr("Find a shortcut"), this)),
      m_list(new QTreeWidget(this)) {
  setWindowTitle(tr("Keyboard shortcuts"));
  setFont(readable(font()));
  fill(entries);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  addParts(new QVBoxLayout(this), {m_filter, {m_list, 1}, buttons});
  connect(m_filter, &QLineEdit::textChanged, this, &ShortcutsDialog::narrow);
  resize(64 * fontMetrics().averageCharWidth(), 28 * fontMetrics().lineSpacing());
  setMinimumSize(320, 240);
  new ScreenFit(this);
  m_filter->setFocus();
}

void ShortcutsDialog::open(QMainWindow& window) {
  auto* dialog = new ShortcutsDialog(shortcutsOf(window), &window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void ShortcutsDialog::fill(const std::vector<ShortcutEntry>& entries) {
  m_list->setAccessibleName(tr("Keyboard shortcuts"));
  m_list->setColumnCount(2);
  m_list->setHeaderLabels({tr("What it does"), tr("Keys")});
  m_list->setRootIsDecorated(false);
  const QFont bold = boldened(font());
  QTreeWidgetItem* group = nullptr;
  for (const ShortcutEntry& entry : entries) {
    if (group == nullptr || group->text(0) != entry.group) {
      group = new QTreeWidgetItem(m_list, {entry.group});
      group->setFont(0, bold);
      group->setFlags(Qt::ItemIsEnabled);
    }
    new QTreeWidgetItem(group, {entry.what, entry.keys});
  }
  m_list->expandAll();
  m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  m_list->header()->setStretchLastSection(false);
  if (group) m_list->setCurrentItem(m_list->topLevelItem(0)->child(0));
}

// By what it does, by its keys and by its group.
void ShortcutsDialog::narrow(const QString& words) {
  QTreeWidgetItem* first = nullptr;
  for (int g = 0; g < m_list->topLevelItemCount(); ++g) {
    QTreeWidgetItem* group = m_list->topLevelItem(g);
    bool any = false;
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* item = group->child(i);
      const QString text = group->text(0) + u' ' + item->text(0) + u' ' + item->text(1);
      const bool fits = fuzzyMatch(text, words).has_value();
      item->setHidden(!fits);
      any = any || fits;
      if (fits && first == nullptr) first = item;
    }
    group->setHidden(!any);
  }
  m_list->setCurrentItem(first);
}

}  // namespace vitrine

#include "moc_shortcuts_dialog.cpp"
