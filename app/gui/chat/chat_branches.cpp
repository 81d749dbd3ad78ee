#include "gui/chat/chat_branches.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <set>

#include "gui/parts/small_parts.h"
#include "history/chat_calls.h"
#include "widgets/chat/branch_map.h"
#include "widgets/conversation/chat_copy.h"
#include "widgets/conversation/question_files.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr qsizetype kWordsSeen = 160;  // of a message; the map cuts them to its width

// Its words, and then the tools that it calls.
QString answerWords(const MessageRecord& message, const ToolSet& tools) {
  const std::string text = message.text.toStdString();
  const AnswerCalls read = toolCalls(text, tools, message.state != MessageState::kStreaming);
  QString words = plainTextOf(
      QString::fromStdString(textBesideCalls(text, read, BrokenCalls::kLeftOut)).left(kWordsSeen));
  for (const PlacedCall& placed : read.calls) {
    const bool isWhole = placed.state == CallState::kWhole;
    words += QStringLiteral(" → ") +
             (isWhole ? QString::fromStdString(placed.call.name) : ChatBranches::tr("a broken call"));
  }
  return words;
}

QString wordsOf(const MessageRecord& message, const ToolSet& tools) {
  const bool mayCall = message.role == MessageRole::kAssistant && !tools.empty();
  const QString text = message.role == MessageRole::kUser ? questionParts(message.text).question
                       : mayCall                          ? answerWords(message, tools)
                                                          : plainTextOf(message.text.left(kWordsSeen));
  const QString words = text.left(kWordsSeen).simplified();
  switch (message.role) {
    case MessageRole::kUser:
      return ChatBranches::tr("You: %1").arg(words);
    case MessageRole::kAssistant:
      return ChatBranches::tr("Model: %1").arg(words);
    case MessageRole::kSystem:
      return ChatBranches::tr("Instructions: %1").arg(words);
    case MessageRole::kTool:
      return ChatBranches::tr("Tool: %1").arg(words);
  }
  return words;
}

BranchContent contentOf(const ChatRecord& chat, int blockSize) {
  const std::vector<MessageId> path = chat.shownPath();
  const std::set<MessageId> shown(path.begin(), path.end());
  const ToolSet tools = toolsOf(chat.settings);
  BranchContent content;
  content.blockSize = blockSize;
  for (const MessageRecord& message : chat.messages) {
    content.messages.push_back({message.id, message.parent, message.role == MessageRole::kAssistant,
                                shown.contains(message.id), message.timings.cachedTokens,
                                message.timings.promptTokens});
    content.words.push_back(wordsOf(message, tools));
  }
  return content;
}

}  // namespace

ChatBranches::ChatBranches(Desk& desk, const Session& session, const AnswerWriter& answers,
                           const ChatModel& model, QAbstractButton& button, QWidget* parent)
    : QWidget(parent),
      m_desk(desk),
      m_session(session),
      m_model(model),
      m_button(button),
      m_map(new BranchMap(this)),
      m_summary(new QLabel(this)) {
  setFont(readable(font()));
  setAutoFillBackground(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 8, 8, 8);
  auto* title = new QLabel(tr("Branches"), this);
  makeBold(title);
  m_summary->setWordWrap(true);
  addParts(column, {title, {m_map, 1}, m_summary});
  m_reading.setSingleShot(true);
  m_reading.setInterval(0);
  connect(&m_reading, &QTimer::timeout, this, &ChatBranches::read);
  connect(&answers, &AnswerWriter::answeringChanged, &m_reading, qOverload<>(&QTimer::start));
  for (auto change : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&model, change, this, &ChatBranches::follow);
  connect(&model, &QAbstractItemModel::modelReset, this, &ChatBranches::follow);
  connect(&button, &QAbstractButton::toggled, this, [this](bool open) {
    follow();
    if (open) m_map->setFocus(Qt::OtherFocusReason);
  });
  connect(m_map, &BranchMap::branchRequested, this,
          [this](qint64 message) { m_desk.openAt(m_desk.shown(), message); });
  m_map->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_map, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
    if (const QModelIndex at = m_map->indexAt(place); at.isValid())
      emit menuRequested(at.data(BranchMapModel::kMessage).toLongLong(),
                         m_map->viewport()->mapToGlobal(place));
  });
  follow();
}

// Every path of a chat with branches goes through its first fork, so the messages shown tell of it.
void ChatBranches::follow() {
  bool forked = false;
  for (int row = 0; row < m_model.rowCount() && !forked; ++row) forked = m_model.at(row).variants > 1;
  m_button.setVisible(forked);
  const bool wanted = forked && m_button.isChecked();
  if (isHidden() == wanted) {
    setVisible(wanted);
    emit arranged();
  }
  m_reading.start();
}

void ChatBranches::read() {
  if (!isVisible()) return;
  const auto chat = m_desk.shown() == 0 ? std::nullopt : m_desk.history().chat(m_desk.shown());
  if (!chat) return;
  ++m_reads;
  m_map->setContent(contentOf(*chat, m_session.engine() ? m_session.engine()->options.blockSize : 0));
  m_summary->setText(m_map->content().summary());
  m_summary->setVisible(!m_summary->text().isEmpty());
}

void ChatBranches::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
  m_button.setChecked(false);
  emit closed();
}

}  // namespace vitrine

#include "moc_chat_branches.cpp"
