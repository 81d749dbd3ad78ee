#include "desk/chat_list_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>

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
  m_list->setItemDelegate(new ChatListDelegate(m_list));
  m_list->setAccessibleName(tr("List of chats"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setMouseTracking(true);
  m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->installEventFilter(this);
  connect(m_list, &QListView::clicked, this, &ChatListView::open);
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
  connect(&model, &ChatListModel::listed, this, &ChatListView::select);
  connect(&desk, &Desk::opened, this, &ChatListView::select);
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
  m_undo = new QPushButton(tr("Undo delete"), foot);
  m_undo->setToolTip(tr("Bring back the chat that was deleted last (Ctrl+Z)"));
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

void ChatListView::updateFoot() { m_undo->setVisible(m_desk.canUndoRemove()); }

// The row of the chat that is open; and words where there is no row.
void ChatListView::select() {
  const int row = m_model.isSearching() ? -1 : m_model.rowOf(m_desk.shown());
  if (row >= 0)
    m_list->setCurrentIndex(m_model.index(row));
  else if (!m_model.isSearching())
    m_list->clearSelection();
  const bool none = m_model.rowCount() == 0;
  m_list->setVisible(!none);
  m_none->setVisible(none);
  m_none->setText(m_model.isSearching()    ? tr("Nothing was found. Every word must stand in one message.")
                  : m_model.showsArchive() ? tr("No chat was put away yet.")
                  : m_desk.history().status().ok()
                      ? tr("What you write stays here, on this computer.")
                      : tr("What you write is not kept: it is in memory, and ends with the program."));
}

void ChatListView::open(const QModelIndex& index) {
  const ChatId chat = index.data(ChatListModel::kChat).toLongLong();
  if (chat == 0) return;
  const qint64 message = index.data(ChatListModel::kMessage).toLongLong();
  const QStringList words = m_model.wordsFound(index.row());
  if (chat != m_desk.shown() || m_model.isSearching()) m_desk.openAt(chat, message);
  emit chosen();
  if (message != 0) emit foundIn(message, m_search->text().trimmed(), words);
}

void ChatListView::removeChat(const QModelIndex& index) {
  if (const ChatId chat = index.data(ChatListModel::kChat).toLongLong(); chat != 0) m_desk.remove(chat);
}

void ChatListView::showMenu(const QPoint& place) {
  const QPersistentModelIndex index = m_list->indexAt(place);
  const ChatId chat = index.data(ChatListModel::kChat).toLongLong();
  QMenu menu(this);
  if (chat != 0) {
    const bool pinned = index.data(ChatListModel::kIsPinned).toBool(), archived = m_model.showsArchive();
    const auto then = [this](bool) { emit m_desk.listChanged(); };
    if (!m_model.isSearching())
      menu.addAction(tr("&Rename"), this, [this, index] { m_list->edit(index); })->setShortcut(Qt::Key_F2);
    emit menuMade(menu, chat, index.data(ChatListModel::kMessage).toLongLong());
    menu.addAction(pinned ? tr("Un&pin") : tr("&Pin to the top"), this,
                   [=, this] { then(m_desk.history().setPinned(chat, !pinned)); });
    menu.addAction(tr("D&uplicate"), this,
                   [=, this] { then(m_desk.open(m_desk.history().duplicate(chat))); });
    menu.addAction(archived ? tr("Take out of the &archive") : tr("Put into the &archive"), this,
                   [=, this] { then(m_desk.history().setArchived(chat, !archived)); });
    menu.addAction(tr("&Export…"), this, [=, this] { emit exportRequested(chat); });
    menu.addSeparator();
    menu.addAction(tr("&Delete"), this, [this, index] { removeChat(index); })->setShortcut(Qt::Key_Delete);
    menu.addSeparator();
  }
  menu.addAction(tr("&Import chats…"), this, &ChatListView::importRequested);
  menu.exec(m_list->viewport()->mapToGlobal(place));
}

bool ChatListView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (watched == m_list && enter) return open(m_list->currentIndex()), true;
  if (watched == m_list && key == Qt::Key_Delete) return removeChat(m_list->currentIndex()), true;
  if (watched != m_search) return QWidget::eventFilter(watched, event);
  if (key == Qt::Key_Escape && !m_search->text().isEmpty()) return m_search->clear(), true;
  if ((key == Qt::Key_Down || enter) && m_model.rowCount() > 0) {
    m_list->setFocus(Qt::TabFocusReason);
    if (!m_list->currentIndex().isValid()) m_list->setCurrentIndex(m_model.index(0));
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
