#include "desk/chat_list_model.h"

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>

#include "desk/answer_writer.h"
#include "desk/chat_titles.h"
#include "widgets/conversation/question_files.h"

namespace vitrine {
namespace {

constexpr int kMostFound = 200;

QVariant hitsOf(const std::vector<HitRange>& ranges) {
  QVariantList list;
  for (const HitRange& range : ranges) list << range.start << range.length;
  return list;
}

QString withMark(const QString& title, ChatListModel::Mark mark) {
  switch (mark) {
    case ChatListModel::Mark::kDraft:
      return ChatListModel::tr("%1, draft").arg(title);
    case ChatListModel::Mark::kAnswering:
      return ChatListModel::tr("%1, being answered").arg(title);
    case ChatListModel::Mark::kNewAnswer:
      return ChatListModel::tr("%1, new answer").arg(title);
    case ChatListModel::Mark::kNone:
      break;
  }
  return title;
}

// The locale's short time, which has seconds in a few locales; C is one.
QString hoursAndMinutes() {
  static const QRegularExpression seconds(QStringLiteral("[:.]s{1,2}"));
  return QLocale().timeFormat(QLocale::ShortFormat).remove(seconds);
}

}  // namespace

ChatListModel::ChatListModel(Desk& desk, const AnswerWriter& answers, QObject* parent)
    : QAbstractListModel(parent), m_desk(desk), m_answers(answers) {
  // Several changes in one turn of the event loop are read once.
  m_reading.setSingleShot(true);
  m_reading.setInterval(0);
  connect(&m_reading, &QTimer::timeout, this, &ChatListModel::read);
  connect(&desk, &Desk::listChanged, &m_reading, qOverload<>(&QTimer::start));
  connect(&answers, &AnswerWriter::answeringChanged, this, &ChatListModel::onAnswering);
  connect(&desk, &Desk::opened, this, [this] {
    m_unread.erase(m_desk.shown());
    tellMarks();
  });
  onAnswering();
  read();
}

// A chat whose answer has ended out of sight has a new one.
void ChatListModel::onAnswering() {
  std::set<ChatId> now;
  for (const AnswerWriter::Answering& one : m_answers.answering()) now.insert(one.chat);
  for (const ChatId chat : m_answering)
    if (!now.contains(chat) && chat != m_desk.shown()) m_unread.insert(chat);
  m_answering = std::move(now);
  tellMarks();
}

void ChatListModel::tellMarks() {
  if (!m_rows.empty())
    emit dataChanged(index(0), index(rowCount() - 1), {kMark, Qt::AccessibleTextRole, Qt::ToolTipRole});
}

// The draft of the chat shown stands in the input.
ChatListModel::Mark ChatListModel::markOf(const Row& row) const {
  if (row.chat == 0) return Mark::kNone;
  if (m_answering.contains(row.chat)) return Mark::kAnswering;
  if (m_unread.contains(row.chat)) return Mark::kNewAnswer;
  return row.draft && row.chat != m_desk.shown() ? Mark::kDraft : Mark::kNone;
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
  for (const HitRange& hit : found.snippet.isEmpty() ? std::vector<HitRange>() : found.hits)
    words << found.snippet.mid(hit.start, hit.length);
  words.removeDuplicates();
  return words;
}

void ChatListModel::setHeld(bool held) {
  m_held = held;
  if (!held) m_reading.start();
}

void ChatListModel::read() {
  if (m_held) return;
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
  ChatHistory& history = m_desk.history();
  const std::vector<ChatSummary> chats =
      history.chats(m_archive ? ChatShelf::kArchived : ChatShelf::kCurrent);
  const std::vector<ChatTitle> titles =
      titlesApart(chats, [&](ChatId chat) { return questionParts(history.firstQuestion(chat)).question; });
  const std::vector<ChatId> withDrafts = history.withDrafts();
  const std::set<ChatId> drafts(withDrafts.begin(), withDrafts.end());
  std::vector<Row> rows;
  QString group;
  for (std::size_t i = 0; i < chats.size(); ++i) {
    const ChatSummary& chat = chats[i];
    const QDate day = QDateTime::fromMSecsSinceEpoch(chat.changedMs).date();
    const QString wanted = chat.pinned ? tr("Pinned") : dayGroup(day, today);
    if (wanted != group) rows.push_back({.heading = group = wanted});
    rows.push_back({.chat = chat.id,
                    .title = chat.title,
                    .shown = titles[i].text,
                    .beginsAlike = titles[i].beginsAlike,
                    .underDay = !chat.pinned,
                    .draft = drafts.contains(chat.id),
                    .ms = chat.changedMs});
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
                    .shown = hit.title,
                    .hits = hit.ranges,
                    .ms = hit.createdMs,
                    .archived = hit.archived});
  return rows;
}

int ChatListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ChatListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  const QString title = row.shown.isEmpty() ? tr("New chat") : row.shown;
  switch (role) {
    case Qt::DisplayRole:
      return row.heading.isEmpty() ? title : row.heading;
    case Qt::EditRole:
      return row.title;
    case Qt::ToolTipRole:
      return row.heading.isEmpty() ? QVariant(withMark(title, markOf(row))) : QVariant();
    case Qt::AccessibleTextRole: {
      if (!row.heading.isEmpty()) return row.heading;
      QString marked = withMark(title, markOf(row));
      if (row.archived) marked = tr("%1, archived").arg(marked);
      return row.snippet.isEmpty() ? marked : tr("%1: %2").arg(marked, row.snippet);
    }
    case kChat:
      return qlonglong{row.chat};
    case kMessage:
      return qlonglong{row.message};
    case kIsHeading:
      return !row.heading.isEmpty();
    case kTime:
      return row.archived   ? tr("archived")
             : row.underDay ? timeInGroup(row.ms, QDate::currentDate())
                            : shortTime(row.ms, QDate::currentDate());
    case kSnippet:
      return row.snippet;
    case kHits:
      return hitsOf(row.hits);
    case kMark:
      return static_cast<int>(markOf(row));
    case kBeginsAlike:
      return row.beginsAlike;
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

QString dayGroup(const QDate& day, const QDate& today) {
  const qint64 ago = day.daysTo(today);
  if (ago <= 0) return ChatListModel::tr("Today");  // a clock that was set back makes no chat of tomorrow
  if (ago == 1) return ChatListModel::tr("Yesterday");
  if (ago < 7) return ChatListModel::tr("In the last week");
  if (ago < 30) return ChatListModel::tr("In the last month");
  return QLocale().toString(day, QStringLiteral("MMMM yyyy"));
}

QString timeInGroup(std::int64_t ms, const QDate& today) {
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(ms);
  const qint64 ago = time.date().daysTo(today);
  if (ago < 2) return QLocale().toString(time.time(), hoursAndMinutes());
  return QLocale().toString(time.date(), ago < 7 ? QStringLiteral("ddd") : QStringLiteral("d MMM"));
}

QString shortTime(std::int64_t ms, const QDate& today) {
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(ms);
  if (time.date() == today) return QLocale().toString(time.time(), hoursAndMinutes());
  return QLocale().toString(time.date(), QLocale::ShortFormat);
}

}  // namespace vitrine

#include "moc_chat_list_model.cpp"
