#include "gui/chat/deleted_dialog.h"

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

DeletedDialog::DeletedDialog(Desk& desk, Session& session, const ChatController& controller,
                             const Names& names, QWidget* parent)
    : QDialog(parent),
      m_desk(desk),
      m_controller(controller),
      m_model(&session),
      m_list(new QListWidget(this)),
      m_about(new QLabel(this)),
      m_messages(new TranscriptView(&m_model, this)),
      m_back(new QPushButton(tr("&Bring back"), this)),
      m_middle(makeMiddle(names)) {
  setWindowTitle(names.title);
  setFont(readable(font()));
  m_about->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_back, QDialogButtonBox::ActionRole);
  m_back->setDefault(true);
  addParts(new QVBoxLayout(this), {m_about, {m_middle, 1}, buttons});
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(m_back, &QPushButton::clicked, this, [this] { bringBack(); });
  connect(m_list, &QListWidget::itemSelectionChanged, this, &DeletedDialog::lookAtSelected);
  resize(100 * fontMetrics().averageCharWidth(), 28 * fontMetrics().lineSpacing());
  setMinimumSize(400, 280);
  new ScreenFit(this);
  m_list->setFocus();
}

void DeletedDialog::open() {
  setAttribute(Qt::WA_DeleteOnClose);
  show();
}

QWidget* DeletedDialog::makeMiddle(const Names& names) {
  auto* middle = new QSplitter(Qt::Horizontal, this);
  middle->setChildrenCollapsible(false);
  m_list->setAccessibleName(names.title);
  m_list->setWordWrap(true);
  m_list->setSpacing(2);
  m_messages->setAccessibleName(names.messages);
  middle->addWidget(m_list);
  middle->addWidget(m_messages);
  middle->setStretchFactor(0, 1);
  middle->setStretchFactor(1, 2);
  return middle;
}

QString DeletedDialog::whenWords(std::int64_t removedMs) {
  const QDateTime deleted = QDateTime::fromMSecsSinceEpoch(removedMs);
  const QDate last = deleted.date().addDays(ChatHistory::kRemovedDays);
  return tr("Deleted %1, kept until %2")
      .arg(QLocale().toString(deleted, QLocale::ShortFormat), QLocale().toString(last, QLocale::ShortFormat));
}

void DeletedDialog::setRows(const QStringList& rows, const QString& about) {
  const int row = std::max(m_list->currentRow(), 0);
  m_list->clear();
  m_list->addItems(rows);
  m_about->setText(about);
  m_middle->setVisible(!rows.isEmpty());
  m_list->setCurrentRow(std::min(row, m_list->count() - 1));
  lookAtSelected();
}

std::vector<std::size_t> DeletedDialog::selected() const {
  std::vector<std::size_t> rows;
  for (int row = 0; row < m_list->count(); ++row)
    if (m_list->item(row)->isSelected()) rows.push_back(static_cast<std::size_t>(row));
  return rows;
}

void DeletedDialog::lookAtSelected() {
  look();
  m_back->setEnabled(!selected().empty());
}

void DeletedDialog::showMessages(ChatId chat, const std::vector<ShownMessage>& messages) {
  std::vector<ChatEntry> entries = m_controller.entries(chat, messages);
  for (ChatEntry& entry : entries) entry.readOnly = true;
  m_model.show(std::move(entries));
}

}  // namespace vitrine

#include "moc_deleted_dialog.cpp"
