#include "gui/chat/context_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <algorithm>
#include <span>

#include "desk/provenance.h"
#include "widgets/conversation/question_files.h"
#include "widgets/support/eliding_label.h"

namespace vitrine {
namespace {

constexpr int kNamed = 3;  // questions
constexpr int kDraftRestsMs = 300;

// By the room, before it was as long as it might be. One that was as long leaves the question to the next
// message.
bool endedEarly(const MessageRecord& answer, const RequestFinished& finished) {
  if (answer.limit != AnswerLimit::kContext) return false;
  const auto request = requestOf(answer.provenance);
  return request && (request->maxTokens == 0 || finished.completionTokens < request->maxTokens);
}

}  // namespace

ContextLine::ContextLine(Desk& desk, ChatController& controller, QWidget* parent)
    : OfferLine(tr("Room in the context"), parent), m_desk(desk), m_controller(controller) {
  m_undo = addToHead(tr("Undo"), tr("Let the model read these messages again"));
  m_later = addToHead(tr("Not now"), tr("Leave everything as it is"));
  m_oldest = addChoice(tr("Drop the oldest"), tr("The model no longer reads the oldest messages"));
  m_middle =
      addChoice(tr("Keep the beginning and the end"),
                tr("The system prompt, the first question with its answer and the newest messages stay"));
  m_summary = addChoice(tr("Start anew with a summary"),
                        tr("The model writes a summary of this chat into a new one"));
  m_summary.words->setText(tr("In a new chat, whose question says from where on. This one stays as it is."));
  connect(m_undo, &QToolButton::clicked, this, &ContextLine::takeBack);
  connect(m_later, &QToolButton::clicked, this, [this] { withdraw(m_desk.shown()); });
  connect(m_oldest.button, &QToolButton::clicked, this, [this] { leaveOut(&Offer::oldest); });
  connect(m_middle.button, &QToolButton::clicked, this, [this] { leaveOut(&Offer::middle); });
  connect(m_summary.button, &QToolButton::clicked, this, &ContextLine::summarise);
  connect(&controller, &ChatController::contextFull, this, &ContextLine::offer);
  connect(&controller, &ChatController::roomFound, this, &ContextLine::withdraw);
  m_asking.setSingleShot(true);
  m_asking.setInterval(kDraftRestsMs);
  connect(&m_asking, &QTimer::timeout, this, [this] {
    if (m_offers.contains(m_desk.shown())) m_controller.lookAtRoom(m_desk.shown());
  });
  connect(&desk, &Desk::opened, this, &ContextLine::follow);
  connect(&desk, &Desk::messagesChanged, this, &ContextLine::withdraw);
  const AnswerWriter& writer = controller.answers();
  // There is room again, by another branch or a shorter message.
  connect(&writer, &AnswerWriter::begun, this, [this] { withdraw(m_desk.shown()); });
  connect(&writer, &AnswerWriter::ended, this, [this](MessageId answer, const RequestFinished& finished) {
    const auto ended = m_desk.shownMessage(answer);
    if (ended && endedEarly(*ended, finished)) m_controller.lookAtRoom(m_desk.shown());
  });
  follow();
}

ContextLine::Part ContextLine::partOf(const std::vector<MessageId>& ids, const ChatFull::Part& part) {
  const auto from = ids.begin() + std::min<std::ptrdiff_t>(part.from, std::ssize(ids));
  std::vector<MessageId> messages(from, from + std::min<std::ptrdiff_t>(part.count, ids.end() - from));
  std::erase(messages, 0);
  return {std::move(messages), part.needed};
}

ContextLine::Choice ContextLine::addChoice(const QString& name, const QString& tip) {
  Choice choice{makeButton(name, tip), new ElidingLabel(this)};
  choice.words->setTextFormat(Qt::PlainText);
  QHBoxLayout* const row = addRow();
  row->addWidget(choice.button);
  row->addWidget(choice.words, 1);
  return choice;
}

void ContextLine::followDraft() {
  if (m_offers.contains(m_desk.shown())) m_asking.start();
}

void ContextLine::offer(ChatId chat, const ChatFull& full, const std::vector<MessageId>& ids) {
  m_offers[chat] = {full.tokens, full.room, partOf(ids, full.oldest), partOf(ids, full.middle),
                    m_controller.isRefused(chat)};
  follow();
}

void ContextLine::leaveOut(Part Offer::*part) {
  const ChatId chat = m_desk.shown();
  const auto taken = m_offers.extract(chat);
  if (!taken) return;
  m_desk.setLeftOut(chat, (taken.mapped().*part).messages, true);
  if (taken.mapped().refused) m_controller.sendRefused(chat);
  follow();
}

void ContextLine::summarise() {
  const ChatId chat = m_desk.shown();
  withdraw(chat);
  m_controller.summarise(chat);
}

void ContextLine::takeBack() {
  std::vector<MessageId> messages;
  for (const ShownMessage& shown : m_desk.branch())
    if (shown.message.leftOut) messages.push_back(shown.message.id);
  m_desk.setLeftOut(m_desk.shown(), messages, false);
}

void ContextLine::withdraw(ChatId chat) {
  if (m_offers.erase(chat) > 0) follow();
}

void ContextLine::follow() {
  const auto offer = m_offers.find(m_desk.shown());
  const bool offered = offer != m_offers.end();
  for (QWidget* part : {static_cast<QWidget*>(m_later), static_cast<QWidget*>(m_summary.button),
                        static_cast<QWidget*>(m_summary.words)})
    part->setVisible(offered);
  if (offered)
    showOffer(offer->second);
  else
    showLeftOut();
}

void ContextLine::showOffer(const Offer& offer) {
  const QLocale locale;
  words()->setText(
      (offer.refused
           ? tr("The context is full, and the message was not sent: with room for an answer, the "
                "conversation of %1 tokens is too long for %2. Which part may go?")
           : tr("The context is full: for another message with room for an answer, the conversation "
                "of %1 tokens is too long for %2. Which part may go?"))
          .arg(locale.toString(offer.tokens), locale.toString(offer.room)));
  const auto showChoice = [this](const Choice& choice, const Part& part) {
    choice.button->setVisible(!part.messages.empty());
    choice.words->setVisible(!part.messages.empty());
    choice.words->setText(part.messages.empty() ? QString() : goes(part));
    choice.button->setAccessibleDescription(choice.words->text());
  };
  showChoice(m_oldest, offer.oldest);
  showChoice(m_middle, offer.middle);
  m_undo->hide();
  show();
}

void ContextLine::showLeftOut() {
  std::vector<MessageId> messages;
  for (const ShownMessage& shown : m_desk.branch())
    if (shown.message.leftOut) messages.push_back(shown.message.id);
  for (const Choice& choice : {m_oldest, m_middle}) {
    choice.button->hide();
    choice.words->hide();
  }
  m_undo->setVisible(!messages.empty());
  words()->setText(messages.empty() ? QString()
                                    : tr("The model no longer reads: %1").arg(questionsOf(messages)));
  setVisible(!messages.empty());
}

// A prompt that begins elsewhere than the last one finds nothing in the prefix cache, so more go at once than
// must.
QString ContextLine::goes(const Part& part) {
  const QString all = tr("Goes: %1").arg(questionsOf(part.messages));
  const auto questions = [this](std::span<const MessageId> messages) {
    int count = 0;
    for (const ShownMessage& shown : m_desk.branch())
      count += shown.message.role == MessageRole::kUser && std::ranges::count(messages, shown.message.id) > 0;
    return count;
  };
  const std::span<const MessageId> messages = part.messages;
  const auto needed = std::min(static_cast<std::size_t>(part.needed), messages.size());
  const int enough = questions(messages.first(needed));
  if (enough >= questions(messages)) return all;
  return tr("%1 · %n would do now; with more, the next turns find the rest in the cache", "", enough)
      .arg(all);
}

// By their questions: each stands for its answers as well.
QString ContextLine::questionsOf(const std::vector<MessageId>& messages) {
  QStringList names;
  int more = 0;
  for (const ShownMessage& shown : m_desk.branch()) {
    if (shown.message.role != MessageRole::kUser || std::ranges::count(messages, shown.message.id) == 0)
      continue;
    if (names.size() < kNamed)
      names << questionName(shown.message.text);
    else
      ++more;
  }
  const QString named = names.join(tr(", ", "between questions"));
  return more == 0 ? tr("%1, with the answers").arg(named)
                   : tr("%1 and %2 more, with the answers").arg(named, QLocale().toString(more));
}

}  // namespace vitrine

#include "moc_context_line.cpp"
