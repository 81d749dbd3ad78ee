#include "context_parts.h"

#include <algorithm>

#include "widgets/models/question_files.h"
#include "widgets/views/context_meter.h"

namespace vitrine {

ContextParts::ContextParts(Desk& desk, EngineHost& host, ContextMeter& meter, QObject* parent)
    : QObject(parent), m_desk(desk), m_meter(meter), m_system(host), m_files(host), m_leftOut(host) {
  connect(&desk, &Desk::opened, this, &ContextParts::read);
  for (TokenCounter* counter : {&m_system, &m_files, &m_leftOut})
    connect(counter, &TokenCounter::changed, this, &ContextParts::tell);
}

void ContextParts::read() {
  QString files, leftOut;
  for (const auto& [message, variant, variants] : m_desk.branch()) {
    if (message.leftOut) {
      leftOut += message.text + u'\n';
    } else if (message.role == MessageRole::kUser) {
      const QuestionParts parts = questionParts(message.text);
      if (!parts.files.empty()) files += message.text.chopped(parts.question.size());
    }
  }
  m_system.setText(m_desk.settings(m_desk.shown()).instructions.trimmed());
  m_files.setText(files);
  m_leftOut.setText(leftOut);
  tell();  // a text that is empty has no tokens at once
}

void ContextParts::tell() {
  ContextShares shares = m_meter.shares();
  shares.system = std::max(m_system.tokens(), 0);
  shares.files = std::max(m_files.tokens(), 0);
  shares.leftOut = std::max(m_leftOut.tokens(), 0);
  m_meter.setShares(shares);
}

}  // namespace vitrine
