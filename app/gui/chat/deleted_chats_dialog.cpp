#include "gui/chat/deleted_chats_dialog.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <algorithm>

#include "gui/parts/screen_fit.h"
#include "gui/turns/chat_controller.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

DeletedChatsDialog::DeletedChatsDialog(Desk& desk, Session& session, const ChatController& controller,
                                       QWidget* parent)
    : QDialog(parent),
      m_desk(desk),
      m_controller(controller),
      m_model(&session),
      m_list(new QListWidget(this)),
      m_about(new QLabel(this)),
      m_messages(new TranscriptView(&m_model, this)),
      m_back(new QPushButton(tr("&Bring back"), this)) {
  setWindowTitle(tr("Deleted chats"));
  setFont(readable(font()));
  m_about->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_back, QDialogButtonBox::ActionRole);
  m_back->setDefault(true);
  m_middle = makeMiddle();
  addParts(new QVBoxLayout(this), {m_about, {m_middle, 1}, buttons});
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(m_back, &QPushButton::clicked, this, &DeletedChatsDialog::bringBack);
  connect(m_list, &QListWidget::currentRowChanged, this, &DeletedChatsDialog::look);
  connect(&desk, &Desk::removedChanged, this, &DeletedChatsDialog::fill);
  fill();
  resize(100 * fontMetrics().averageCharWidth(), 28 * fontMetrics().lineSpacing());
  setMinimumSize(400, 280);
  new ScreenFit(this);
  m_list->setFocus();
}

void DeletedChatsDialog::open(Desk& desk, Session& session, const ChatController& controller,
                              QWidget* window) {
  auto* dialog = new DeletedChatsDialog(desk, session, controller, window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

QWidget* DeletedChatsDialog::makeMiddle() {
  auto* middle = new QSplitter(Qt::Horizontal, this);
  middle->setChildrenCollapsible(false);
  m_list->setAccessibleName(tr("Deleted chats"));
  m_list->setWordWrap(true);
  m_list->setSpacing(2);
  m_messages->setAccessibleName(tr("Messages of the deleted chat"));
  middle->addWidget(m_list);
  middle->addWidget(m_messages);
  middle->setStretchFactor(0, 1);
  middle->setStretchFactor(1, 2);
  return middle;
}

// The one that was deleted last is the first.
void DeletedChatsDialog::fill() {
  const int row = std::max(m_list->currentRow(), 0);
  std::vector<ChatSummary> chats = m_desk.history().chats(ChatShelf::kRemoved);
  std::ranges::sort(chats, std::ranges::greater(), &ChatSummary::removedMs);
  m_list->clear();
  for (const ChatSummary& chat : chats) {
    const QDateTime deleted = QDateTime::fromMSecsSinceEpoch(chat.removedMs);
    const QDate last = deleted.date().addDays(ChatHistory::kRemovedDays);
    const QString when = tr("Deleted %1, kept until %2")
                             .arg(QLocale().toString(deleted, QLocale::ShortFormat),
                                  QLocale().toString(last, QLocale::ShortFormat));
    auto* item =
        new QListWidgetItem((chat.title.isEmpty() ? tr("New chat") : chat.title) + u'\n' + when, m_list);
    item->setData(Qt::UserRole, qlonglong{chat.id});
  }
  const bool none = chats.empty();
  m_about->setText(
      none ? tr("There is no deleted chat. A chat that you delete can be brought back for %n day(s).",
                nullptr, ChatHistory::kRemovedDays)
           : tr("A deleted chat can be brought back for %n day(s). Then it goes for good.", nullptr,
                ChatHistory::kRemovedDays));
  m_middle->setVisible(!none);
  m_list->setCurrentRow(std::min(row, m_list->count() - 1));
  look();
}

ChatId DeletedChatsDialog::selected() const {
  const QListWidgetItem* const item = m_list->currentItem();
  return item == nullptr ? 0 : item->data(Qt::UserRole).toLongLong();
}

void DeletedChatsDialog::look() {
  std::vector<ChatEntry> entries = m_controller.entries(selected(), m_desk.branchOf(selected()));
  for (ChatEntry& entry : entries) entry.readOnly = true;
  m_model.show(std::move(entries));
  m_back->setEnabled(selected() != 0);
}

void DeletedChatsDialog::bringBack() { m_desk.bringBack(selected()); }

}  // namespace vitrine

#include "moc_deleted_chats_dialog.cpp"
