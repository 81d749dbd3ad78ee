// ChatListModel: the chats as rows: pinned ones, then the days they were written on, with a heading over each
// group; while something is sought, what was found.
//
// Thread: the window's. Read next: desk.h, chat_list_view.h.
#pragma once

#include <QAbstractListModel>
#include <QDate>
#include <QString>
#include <QTimer>
#include <set>

#include "desk/desk.h"

namespace vitrine {

class AnswerWriter;

class ChatListModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role {
    kChat = Qt::UserRole,
    kMessage,
    kIsHeading,
    kTime,
    kSnippet,
    kHits,
    kMark,        // a Mark
    kBeginsAlike  // as another title of the list
  };
  // Of a chat's row. An answer that came to a chat out of sight is new until the chat is opened.
  enum class Mark : std::uint8_t { kNone, kDraft, kAnswering, kNewAnswer };

  ChatListModel(Desk& desk, const AnswerWriter& answers, QObject* parent = nullptr);

  void search(const QString& text);  // empty: all chats
  bool isSearching() const { return !m_sought.isEmpty(); }
  void setArchive(bool shown);  // the archived chats in place of the others
  bool showsArchive() const { return m_archive; }
  // While a title is being written, the rows stay as they are.
  void setHeld(bool held);
  int rowOf(ChatId chat) const;           // -1: it is not listed
  QStringList wordsFound(int row) const;  // as the message of a row writes them

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;  // a title
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  void listed();  // the rows were read anew

 private:
  struct Row {
    QString heading = {};  // not empty: a heading
    ChatId chat = 0;
    MessageId message = 0;
    QString title = {}, snippet = {};
    QString shown = {};  // the title, told apart from those of other chats
    bool beginsAlike = false;
    bool underDay = false, draft = false;
    std::vector<HitRange> hits = {};  // in the snippet, or in the title where there is none
    std::int64_t ms = 0;
    bool archived = false;  // it was found on another shelf than the list shows

    bool operator==(const Row&) const = default;
  };

  void read();
  std::vector<Row> allChats();
  std::vector<Row> found();
  Mark markOf(const Row& row) const;
  void onAnswering();
  void tellMarks();

  Desk& m_desk;
  const AnswerWriter& m_answers;
  QTimer m_reading;
  QString m_sought;
  bool m_archive = false, m_held = false;
  std::set<ChatId> m_answering, m_unread;
  std::vector<Row> m_rows;
};

// The days under which the list groups chats.
// "Today", "Yesterday", "In the last week", "In the last month", or the month: "March 2026".
QString dayGroup(const QDate& day, const QDate& today);
// The time of a day that is today, else the day.
QString shortTime(std::int64_t ms, const QDate& today);
// The date beside a heading with dayGroup(): the time of one day, the weekday in a week, else the day.
QString timeInGroup(std::int64_t ms, const QDate& today);

}  // namespace vitrine
