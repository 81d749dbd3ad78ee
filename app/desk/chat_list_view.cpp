#include "desk/chat_list_view.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "desk/chat_actions.h"
#include "desk/chat_list_delegate.h"
#include "desk/chat_list_model.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {
constexpr int kTypingMs = 30;  // between two letters that are typed fast
}  // namespace

ChatListView::ChatListView(Desk& desk, ChatListModel& model, QWidget* parent)
    : QWidget(parent), m_desk(desk), m_model(model) {
  setAccessibleName(tr("Chats"));
  setAutoFillBackground(true);
  m_list = new QListView(this);
  m_list->setModel(&model);
  m_rows = new ChatListDelegate(m_list);
  m_list->setItemDelegate(m_rows);
  connect(m_rows, &ChatListDelegate::editing, &m_model, &ChatListModel::setHeld);
  m_list->setAccessibleName(tr("List of chats"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setMouseTracking(true);
  m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->installEventFilter(this);
  m_list->viewport()->installEventFilter(this);
  connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
    if (selected().size() <= 1 && !(QGuiApplication::keyboardModifiers() & Qt::ControlModifier)) open(index);
  });
  connect(m_list, &QWidget::customContextMenuRequested, this, &ChatListView::showMenu);
  m_none = new QLabel(this);
  m_none->setWordWrap(true);
  m_none->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_none->setMargin(12);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 0, 8);
  column->setSpacing(6);
  column->addWidget(makeTop());
  column->addWidget(m_list, 1);
  column->addWidget(m_none, 1);
  column->addWidget(makeFoot());
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(&m_typing, &QTimer::timeout, this, [this] { m_model.search(m_search->text()); });
  connect(&model, &ChatListModel::modelAboutToBeReset, this, [this] { m_kept = selected(); });
  connect(&model, &ChatListModel::listed, this, &ChatListView::selectAgain);
  connect(&desk, &Desk::opened, this, &ChatListView::onOpened);
  connect(&desk, &Desk::removedChanged, this, &ChatListView::updateFoot);
  applyFont();
  updateFoot();
  select();
}

QWidget* ChatListView::makeTop() {
  auto* top = new QWidget(this);
  auto* rows = withoutMargins(new QVBoxLayout(top));
  auto* fresh = new QPushButton(tr("New chat"), top);
  fresh->setToolTip(tr("Start a new chat (Ctrl+N); this one stays in the list"));
  connect(fresh, &QPushButton::clicked, this, &ChatListView::newChatRequested);
  rows->addWidget(fresh);
  m_search = new QLineEdit(top);
  m_search->setPlaceholderText(tr("Search all chats"));
  m_search->setAccessibleName(tr("Search all chats"));
  m_search->setClearButtonEnabled(true);
  m_search->installEventFilter(this);
  connect(m_search, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
  rows->addWidget(m_search);
  return top;
}

QWidget* ChatListView::makeFoot() {
  auto* foot = new QWidget(this);
  auto* rows = withoutMargins(new QVBoxLayout(foot));
  m_undo = new QPushButton(foot);
  m_undo->setToolTip(tr("Undo what was deleted, or brought back, last (Ctrl+Z)"));
  connect(m_undo, &QPushButton::clicked, &m_desk, &Desk::undoRemove);
  rows->addWidget(m_undo);
  m_archive = new QPushButton(tr("Archive"), foot);
  m_archive->setFlat(true);
  m_archive->setCheckable(true);
  m_archive->setToolTip(tr("Show the chats that were put away"));
  connect(m_archive, &QPushButton::toggled, &m_model, &ChatListModel::setArchive);
  rows->addWidget(m_archive);
  return foot;
}

void ChatListView::updateFoot() {
  m_undo->setText(m_desk.undoWords());
  m_undo->setVisible(m_desk.canUndoRemove());
}

void ChatListView::select() {
  m_marked = m_desk.shown();
  const int row = m_model.isSearching() ? -1 : m_model.rowOf(m_desk.shown());
  if (row >= 0)
    mark(m_model.index(row));
  else if (!m_model.isSearching())
    m_list->clearSelection();
  showNone();
}

// This row alone. QListView would add it to the others while Ctrl is held, as for Ctrl+Z.
void ChatListView::mark(const QModelIndex& index) {
  m_list->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
}

// Another chat. Another branch of this one, or its message that was deleted, takes no selection away.
void ChatListView::onOpened() {
  if (m_marked != m_desk.shown() || selected().size() < 2) select();
}

// Several that are selected stay so while the list changes.
void ChatListView::selectAgain() {
  const std::vector<ChatId> kept = std::exchange(m_kept, {});
  if (kept.size() < 2 && selected().size() < 2) return select();
  m_marked = m_desk.shown();
  for (const ChatId chat : kept)
    if (const int row = m_model.rowOf(chat); row >= 0)
      m_list->selectionModel()->select(m_model.index(row), QItemSelectionModel::Select);
  showNone();
}

// Words where there is no row.
void ChatListView::showNone() {
  const bool none = m_model.rowCount() == 0;
  m_list->setVisible(!none);
  m_none->setVisible(none);
  m_none->setText(m_model.isSearching()    ? tr("Nothing was found. Every word must stand in one message.")
                  : m_model.showsArchive() ? tr("No chat was put away yet.")
                  : m_desk.history().status().ok()
                      ? tr("What you write stays here, on this computer.")
                      : tr("What you write is not kept: it is in memory, and ends with the program."));
}

ChatId ChatListView::chatAt(const QModelIndex& index) const {
  return index.data(ChatListModel::kChat).toLongLong();
}

std::vector<ChatId> ChatListView::selected() const {
  QModelIndexList rows = m_list->selectionModel()->selectedIndexes();
  std::sort(rows.begin(), rows.end());
  std::vector<ChatId> chats;  // a search may have found a chat several times
  for (const QModelIndex& row : rows)
    if (const ChatId chat = chatAt(row); chat != 0 && std::ranges::find(chats, chat) == chats.end())
      chats.push_back(chat);
  return chats;
}

std::vector<ChatId> ChatListView::chatsFor(const QModelIndex& index) const {
  const ChatId chat = chatAt(index);
  std::vector<ChatId> chats = selected();
  if (std::ranges::find(chats, chat) != chats.end()) return chats;
  return chat == 0 ? std::vector<ChatId>() : std::vector{chat};
}

void ChatListView::rename(ChatId chat) {
  const auto summary = m_desk.history().summary(chat);
  if (!summary || summary->removedMs != 0) return;
  m_search->clear();
  m_model.search({});
  m_archive->setChecked(summary->archived);
  const QModelIndex index = m_model.index(m_model.rowOf(chat));
  if (!index.isValid()) return;
  mark(index);
  m_list->edit(index);
}

void ChatListView::open(const QModelIndex& index) {
  const ChatId chat = chatAt(index);
  if (chat == 0) return;
  const qint64 message = index.data(ChatListModel::kMessage).toLongLong();
  const QStringList words = m_model.wordsFound(index.row());
  if (chat != m_desk.shown() || m_model.isSearching()) m_desk.openAt(chat, message);
  emit chosen();
  if (message != 0) emit foundIn(message, m_search->text().trimmed(), words);
}

void ChatListView::showMenu(const QPoint& place) {
  const QPersistentModelIndex index = m_list->indexAt(place);
  const std::vector<ChatId> chats = chatsFor(index);
  QMenu menu(this);
  if (chats.size() == 1) {
    if (!m_model.isSearching()) addRename(menu, this, [this, index] { m_list->edit(index); });
    emit menuMade(menu, chats.front(), index.data(ChatListModel::kMessage).toLongLong());
  }
  if (!chats.empty()) {
    addChatActions(menu, m_desk, chats);
    const QString words =
        chats.size() == 1 ? tr("&Export…") : tr("&Export %n chat(s)…", "", static_cast<int>(chats.size()));
    menu.addAction(words, this, [=, this] { emit exportRequested(chats); });
    menu.addSeparator();
    addDelete(menu, m_desk, chats);
    menu.addSeparator();
  }
  menu.addAction(tr("&Import chats…"), this, &ChatListView::importRequested);
  menu.exec(m_list->viewport()->mapToGlobal(place));
}

bool ChatListView::eventFilter(QObject* watched, QEvent* event) {
  // A menu is opened for a chat; the mark stays at the one that is shown.
  if (watched == m_list->viewport())
    return event->type() == QEvent::MouseButtonPress &&
           static_cast<QMouseEvent*>(event)->button() == Qt::RightButton;
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (watched == m_list && m_rows->isEditing())
    return false;  // a line passes Enter on, which has ended its editing
  if (watched == m_list && enter) return open(m_list->currentIndex()), true;
  if (watched == m_list && key == Qt::Key_Delete)
    return m_desk.remove(chatsFor(m_list->currentIndex())), true;
  if (watched != m_search) return QWidget::eventFilter(watched, event);
  if (key == Qt::Key_Escape && !m_search->text().isEmpty()) return m_search->clear(), true;
  if ((key == Qt::Key_Down || enter) && m_model.rowCount() > 0) {
    m_list->setFocus(Qt::TabFocusReason);
    if (!m_list->currentIndex().isValid()) mark(m_model.index(0));
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void ChatListView::focusSearch() {
  m_search->setFocus(Qt::ShortcutFocusReason);
  m_search->selectAll();
}

void ChatListView::applyFont() {
  if (font() != readable(font())) setFont(readable(font()));
}

void ChatListView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) applyFont();
}

}  // namespace vitrine

#include "moc_chat_list_view.cpp"
