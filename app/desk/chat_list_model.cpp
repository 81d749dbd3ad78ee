#include "desk/chat_list_model.h"

#include <QDateTime>
#include <algorithm>

#include "desk/answer_writer.h"
#include "desk/chat_days.h"

namespace vitrine {
namespace {

constexpr int kMostFound = 200;

QVariant hitsOf(const std::vector<TextRange>& ranges) {
  QVariantList list;
  for (const TextRange& range : ranges) list << range.start << range.length;
  return list;
}

}  // namespace

ChatListModel::ChatListModel(Desk& desk, const AnswerWriter& answers, QObject* parent)
    : QAbstractListModel(parent), m_desk(desk), m_answers(answers) {
  // Several changes in one turn of the event loop are read once.
  m_reading.setSingleShot(true);
  m_reading.setInterval(0);
  connect(&m_reading, &QTimer::timeout, this, &ChatListModel::read);
  connect(&desk, &Desk::listChanged, &m_reading, qOverload<>(&QTimer::start));
  connect(&answers, &AnswerWriter::answeringChanged, this, [this] {
    if (!m_rows.empty()) emit dataChanged(index(0), index(rowCount() - 1), {kIsAnswering});
  });
  read();
}

void ChatListModel::search(const QString& text) {
  m_sought = text.trimmed();
  read();
}

void ChatListModel::setArchive(bool shown) {
  m_archive = shown;
  read();
}

int ChatListModel::rowOf(ChatId chat) const {
  const auto found =
      std::ranges::find_if(m_rows, [&](const Row& row) { return chat != 0 && row.chat == chat; });
  return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

QStringList ChatListModel::wordsFound(int row) const {
  QStringList words;
  const Row& found = m_rows.at(static_cast<std::size_t>(row));
  for (const TextRange& hit : found.snippet.isEmpty() ? std::vector<TextRange>() : found.hits)
    words << found.snippet.mid(hit.start, hit.length);
  words.removeDuplicates();
  return words;
}

void ChatListModel::read() {
  std::vector<Row> rows = m_sought.isEmpty() ? allChats() : found();
  if (rows != m_rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
  }
  emit listed();
}

std::vector<ChatListModel::Row> ChatListModel::allChats() {
  const QDate today = QDate::currentDate();
  std::vector<Row> rows;
  QString group;
  for (const ChatSummary& chat :
       m_desk.history().chats(m_archive ? ChatShelf::kArchived : ChatShelf::kCurrent)) {
    const QDate day = QDateTime::fromMSecsSinceEpoch(chat.changedMs).date();
    const QString wanted = chat.pinned ? tr("Pinned") : dayGroup(day, today);
    if (wanted != group) rows.push_back({.heading = group = wanted});
    rows.push_back({.chat = chat.id, .title = chat.title, .ms = chat.changedMs, .pinned = chat.pinned});
  }
  return rows;
}

std::vector<ChatListModel::Row> ChatListModel::found() {
  std::vector<Row> rows;
  for (const SearchHit& hit : m_desk.history().search(m_sought, kMostFound))
    rows.push_back({.chat = hit.chat,
                    .message = hit.message,
                    .title = hit.title,
                    .snippet = hit.message == 0 ? QString() : hit.snippet,
                    .hits = hit.ranges,
                    .ms = hit.createdMs});
  return rows;
}

int ChatListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ChatListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  const QString title = row.title.isEmpty() ? tr("New chat") : row.title;
  switch (role) {
    case Qt::DisplayRole:
      return row.heading.isEmpty() ? title : row.heading;
    case Qt::EditRole:
      return row.title;
    case Qt::ToolTipRole:
      return row.heading.isEmpty() ? QVariant(title) : QVariant();
    case Qt::AccessibleTextRole:
      if (!row.heading.isEmpty()) return row.heading;
      return row.snippet.isEmpty() ? title : tr("%1: %2").arg(title, row.snippet);
    case kChat:
      return qlonglong{row.chat};
    case kMessage:
      return qlonglong{row.message};
    case kIsHeading:
      return !row.heading.isEmpty();
    case kTime:
      return shortTime(row.ms, QDate::currentDate());
    case kSnippet:
      return row.snippet;
    case kHits:
      return hitsOf(row.hits);
    case kIsAnswering:
      return m_answers.isAnswering(row.chat);
    case kIsPinned:
      return row.pinned;
    default:
      return {};
  }
}

bool ChatListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const QString title = value.toString().simplified();
  if (role != Qt::EditRole || title.isEmpty() || title == index.data(Qt::EditRole).toString()) return false;
  if (!m_desk.history().rename(index.data(kChat).toLongLong(), title)) return false;
  emit m_desk.listChanged();
  return true;
}

Qt::ItemFlags ChatListModel::flags(const QModelIndex& index) const {
  if (index.data(kIsHeading).toBool()) return Qt::ItemIsEnabled;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable |
         (m_sought.isEmpty() ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

}  // namespace vitrine
