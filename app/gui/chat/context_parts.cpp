#include "gui/chat/context_parts.h"

#include <algorithm>

#include "history/chat_calls.h"
#include "widgets/chat/context_meter.h"
#include "widgets/conversation/question_files.h"

namespace vitrine {

ContextParts::ContextParts(Desk& desk, EngineHost& host, ContextMeter& meter, QObject* parent)
    : QObject(parent),
      m_desk(desk),
      m_host(host),
      m_meter(meter),
      m_system(host),
      m_files(host),
      m_leftOut(host),
      m_conversation(host) {
  connect(&desk, &Desk::opened, this, &ContextParts::read);
  connect(&desk, &Desk::settingsChanged, this, &ContextParts::read);
  connect(&host, &EngineHost::loaded, this, &ContextParts::read);  // its template may take no tools
  for (TokenCounter* counter : {&m_system, &m_files, &m_leftOut, &m_conversation})
    connect(counter, &TokenCounter::changed, this, &ContextParts::tell);
}

void ContextParts::read() {
  // Most templates write the tools into the system message.
  const ChatSettings settings = m_desk.settings(m_desk.shown());
  QString system = settings.instructions.trimmed();
  if (m_host.takesTools()) system = (system + u'\n' + settings.tools.trimmed()).trimmed();
  const std::vector<MessageRecord> path = recordsOf(m_desk.branch());
  const PathCalls calls(settings, path);
  QString files, leftOut, conversation;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const MessageRecord& message = path[i];
    if (message.role == MessageRole::kTool && calls.answeredBy(i) == nullptr) continue;  // it is not read
    (message.leftOut ? leftOut : conversation) += message.text + u'\n';
    if (!message.leftOut && message.role == MessageRole::kUser) {
      const QuestionParts parts = questionParts(message.text);
      if (!parts.files.empty()) files += message.text.chopped(parts.question.size());
    }
  }
  m_system.setText(system);
  m_files.setText(files);
  m_leftOut.setText(leftOut);
  const bool alone = system.isEmpty() || conversation.isEmpty();
  m_conversation.setText(alone ? conversation : system + u'\n' + conversation);
  tell();  // a text that is empty has no tokens at once
}

void ContextParts::tell() {
  ContextShares shares = m_meter.shares();
  shares.system = std::max(m_system.tokens(), 0);
  shares.files = std::max(m_files.tokens(), 0);
  shares.leftOut = std::max(m_leftOut.tokens(), 0);
  shares.conversation = std::max(m_conversation.tokens(), 0);
  m_meter.setShares(shares);
}

}  // namespace vitrine

#include "moc_context_parts.cpp"
