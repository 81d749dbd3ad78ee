// ChatModel: a conversation whose answers are requests of the session.
//
// addAnswer() names a request. When the engine has submitted it, the answer's text is the sequence's text at
// the cursor, so the conversation goes back with the machine. Answers of an earlier run keep their text.
// Thread: the window's. Read next: vitrine/chat_format.h.
#pragma once

#include <QAbstractListModel>

#include "vitrine/chat_format.h"
#include "vitrine/tool_set.h"
#include "widgets/conversation/answer_meter.h"
#include "widgets/conversation/prompt_reuse.h"
#include "widgets/conversation/thought_meter.h"

namespace vitrine {

enum class AnswerStatus : std::uint8_t {
  kNone,
  kSent,
  kWaiting,
  kReading,
  kThinking,
  kWriting,
  kDone,
  kStopped,
  kFailed
};

// What ended an answer before the model did, in words; empty: nothing, or a person, which its note says.
// Whether it can be gone on with.
struct ShownLimit {
  QString words = {};
  bool canGoOn = false;

  bool operator==(const ShownLimit&) const = default;
};

// Whether an answer of this status is still on its way.
bool isOpen(AnswerStatus status);

struct ChatEntry {
  ChatRole role = ChatRole::kUser;
  QString text;
  QString thinking;  // between <think> and </think>
  // Of an answer: what it may call; null: calls are not looked for, and a text that looks like one is text.
  std::shared_ptr<const ToolSet> tools = {};
  QString tool = {};  // of a tool's message: the tool whose result it is; empty: of an imported chat
  QString requestName;
  RequestId request = 0;  // 0 until submitted
  AnswerStatus status = AnswerStatus::kNone;
  QString note;                 // a line under the answer: why it waits, how fast it is, how long it took
  ThoughtFigures thought = {};  // of `thinking`, so far
  AnswerFigures figures = {};   // while it is being computed, and of its end
  std::shared_ptr<const PromptReuse> reuse = {};  // of an answer that has ended; null: not known
  ShownLimit limit = {};                          // of an answer that has ended
  bool bound = false;                             // its request belongs to the session's present run
  qint64 message = 0;                             // its id where the host keeps it; 0: it is not kept
  int variant = 0, variants = 1;                  // which of the messages in this place
  bool readOnly = false;                          // it is shown where nothing is done with it but to copy

  bool operator==(const ChatEntry&) const = default;
};

// Whether its text is Markdown. What a person typed is not, nor is a result.
bool isMarkdown(const ChatEntry& entry);
// "Result of get_weather", and of an imported chat "Tools".
QString toolTitle(const ChatEntry& entry);

class ChatModel : public QAbstractListModel {
  Q_OBJECT
 public:
  explicit ChatModel(Session* session, QObject* parent = nullptr);

  // Another conversation or another branch of it. An answer that is being computed is `bound`, with its
  // request.
  void show(std::vector<ChatEntry> entries);
  // The host keeps the answer of that request, and the question before it if `question` is not 0.
  void setMessages(const QString& requestName, qint64 question, qint64 answer);
  // What the host knows of an answer that it keeps.
  void setReuse(qint64 message, const std::shared_ptr<const PromptReuse>& reuse);
  void setLimit(qint64 message, const ShownLimit& limit);
  void addUser(const QString& text);
  void addResult(const QString& tool, const QString& text);
  // The answer to the last message; its request will be submitted under this name, which must be new.
  void addAnswer(const QString& requestName, std::shared_ptr<const ToolSet> tools = {});
  // Its request could not be submitted: the question, or the results, and its answer leave the conversation.
  // Returns the question; empty when there is none.
  QString takeBack(const QString& requestName);
  void clear();

  const ChatEntry& at(int row) const { return m_entries.at(static_cast<std::size_t>(row)); }
  bool isAnswering() const;
  RequestId answeringRequest() const;  // 0 when none, or not yet submitted
  SequenceId newestSequence() const;   // of the newest answer in the state shown; 0: none has one there

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
  }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 signals:
  void answeringChanged(bool answering);

 private:
  struct Ending {
    RequestFinished finished;
    int step;
    ChatEntry entry;  // as it was then
  };

  void setOfEnded(qint64 message, const std::function<void(ChatEntry&)>& set);
  void refresh();
  void onRunStarted();
  void onFinished(const RequestFinished& finished);
  bool updateEntry(ChatEntry& entry, const MachineState& state) const;  // whether it changed
  void showProgress(ChatEntry& entry, const RequestState& request, const SequenceState& sequence) const;
  ThoughtFigures thoughtOf(const ChatEntry& entry, bool thinks, const RequestState& request,
                           const SequenceState& sequence) const;
  bool isUnderWay(const ChatEntry& entry) const;
  void updateAnswering();

  Session* m_session;
  std::vector<ChatEntry> m_entries;
  std::map<RequestId, Ending> m_endings;
  AnswerMeter m_meter;
  ThoughtMeter m_thoughts;
  bool m_publishedAnswering = false;
  bool m_wasLive = true;  // at the last refresh
};

}  // namespace vitrine
