#include "gui/turns/chat_namer.h"

#include "history/chat_record.h"
#include "widgets/conversation/chat_words.h"
#include "widgets/conversation/question_files.h"

namespace vitrine {
namespace {

constexpr int kTitleTokens = 24;
constexpr qsizetype kRead = 600;  // letters of the question and of the answer

}  // namespace

QString titleOf(const QString& written) {
  static const QString kAround = QStringLiteral("\"'“”„‘’«»*_#`.: ");
  QString title = written.trimmed().section(u'\n', 0, 0).simplified();
  while (!title.isEmpty() && kAround.contains(title.front())) title.remove(0, 1);
  while (!title.isEmpty() && kAround.contains(title.back())) title.chop(1);
  return titleFrom(title);
}

ChatNamer::ChatNamer(EngineHost& host, Session& session, Desk& desk, const AnswerWriter& answers,
                     std::function<bool()> mayAsk, QObject* parent)
    : QObject(parent), m_host(host), m_session(session), m_desk(desk), m_mayAsk(std::move(mayAsk)) {
  connect(&answers, &AnswerWriter::begun, this,
          [this](const PendingTurn& turn, MessageId, MessageId answer) { onBegun(turn, answer); });
  connect(&answers, &AnswerWriter::ended, this, &ChatNamer::onEnded);
  connect(&session, &Session::requestSubmitted, this, &ChatNamer::onSubmitted);
  connect(&session, &Session::requestFinished, this, &ChatNamer::onFinished);
  connect(&session, &Session::runStarted, this, [this] {
    m_first.clear();
    m_naming.reset();
  });
  connect(&host, &EngineHost::chatFailed, this, [this](const QString& request) {
    if (m_naming && request == QString::fromStdString(m_naming->name)) m_naming.reset();
  });
}

void ChatNamer::setWanted(bool wanted) {
  m_wanted = wanted;
  if (!wanted) cancel();
}

void ChatNamer::onBegun(const PendingTurn& turn, MessageId answer) {
  if (turn.turn.parent == 0 && turn.turn.before.empty()) m_first[answer] = turn.chat;
}

void ChatNamer::onEnded(MessageId answer, const RequestFinished& finished) {
  const auto first = m_first.extract(answer);
  if (!first || !m_wanted || m_naming || finished.reason == FinishReason::kCancelled) return;
  if (m_mayAsk()) ask(first.mapped());
}

void ChatNamer::ask(ChatId chat) {
  const auto record = m_desk.history().chat(chat);
  if (!record || record->summary.titleGiven || record->summary.removedMs != 0 || record->messages.size() < 2)
    return;
  const auto text = [](const QString& whole) { return whole.left(kRead).toStdString(); };
  ChatOrder order;
  order.dialogue.messages = {
      {ChatRole::kUser, text(questionParts(record->messages[0].text).question)},
      {ChatRole::kAssistant, text(record->messages[1].text)},
      {ChatRole::kUser,
       tr("Name this conversation in at most six words. Answer with the name alone.").toStdString()}};
  order.request.name = "title-" + std::to_string(++m_asked);
  order.request.maxTokens = kTitleTokens;
  m_naming = Naming{chat, order.request.name};
  m_host.submitChat(std::move(order));
  emit asked();
}

// Any other one needs the machine more.
void ChatNamer::onSubmitted(const RequestSubmitted& submitted) {
  if (!m_naming) return;
  if (submitted.asked.name == m_naming->name) {
    m_naming->request = submitted.request;
    if (m_naming->isCancelled) m_host.cancel(submitted.request);
  } else {
    cancel();
  }
}

void ChatNamer::cancel() {
  if (!m_naming) return;
  m_naming->isCancelled = true;
  if (m_naming->request != 0) m_host.cancel(m_naming->request);
}

void ChatNamer::onFinished(const RequestFinished& finished) {
  if (!m_naming || m_naming->request != finished.request) return;
  const Naming naming = *std::exchange(m_naming, std::nullopt);
  if (naming.isCancelled || finished.reason == FinishReason::kCancelled) return;
  const MachineState& live = m_session.recording().live();
  const auto request = live.requests.find(finished.request);
  if (request == live.requests.end() || request->second.sequences.empty()) return;
  const auto sequence = live.sequences.find(request->second.sequences.front());
  const auto summary = m_desk.history().summary(naming.chat);
  if (sequence == live.sequences.end() || !summary || summary->titleGiven) return;
  const QString title = titleOf(answerWords(sequence->second.text, request->second.prompt, true).answer);
  if (title.isEmpty() || !m_desk.history().rename(naming.chat, title, false)) return;
  emit m_desk.listChanged();
}

}  // namespace vitrine

#include "moc_chat_namer.cpp"
