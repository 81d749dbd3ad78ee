#include "gui/questions/token_counter.h"

#include <optional>
#include <utility>

namespace vitrine {
namespace {
constexpr int kRestMs = 120, kLateMs = 400;  // late: a count of an older text is no longer shown
}  // namespace

// A text that the tokenizer refuses is no failure while it is written; a request that has it fails and says
// why.
Question countTokens(EngineHost& host, const QString& text, QObject* receiver,
                     std::function<void(int tokens)> counted) {
  const auto work = [text](const AskedMachine& asked) {
    const Tokenizer* const tokenizer = asked.engine.tokenizer();
    try {
      if (tokenizer != nullptr)
        return static_cast<int>(tokenizer->encode(text.toUtf8().toStdString(), false).size());
    } catch (const EngineError&) {
      return kUnknownTokens;
    }
    return kUnknownTokens;
  };
  return host.ask(
      work, receiver,
      [counted = std::move(counted)](std::optional<int> tokens) { counted(tokens.value_or(kUnknownTokens)); },
      Manner::kWaits);
}

TokenCounter::TokenCounter(EngineHost& host, QObject* parent) : QObject(parent), m_host(host) {
  m_resting.setSingleShot(true);
  m_resting.setInterval(kRestMs);
  m_late.setSingleShot(true);
  m_late.setInterval(kLateMs);
  connect(&m_resting, &QTimer::timeout, this, &TokenCounter::ask);
  connect(&m_late, &QTimer::timeout, this, [this] { show(kUnknownTokens); });
  connect(&host, &EngineHost::loaded, this, &TokenCounter::ask);
}

void TokenCounter::setText(const QString& text) {
  if (text == m_text) return;
  if (m_text.isEmpty()) m_tokens = kUnknownTokens;
  m_text = text;
  m_question.drop();
  m_resting.stop();
  m_late.stop();
  if (text.isEmpty()) return show(0);
  m_resting.start();
}

void TokenCounter::ask() {
  if (m_text.isEmpty()) return;
  m_question = countTokens(m_host, m_text, this, [this](int tokens) {
    if (m_resting.isActive()) return;
    m_late.stop();
    show(tokens);
  });
  m_late.start();
}

void TokenCounter::show(int tokens) {
  if (tokens == m_tokens) return;
  m_tokens = tokens;
  emit changed();
}

}  // namespace vitrine

#include "moc_token_counter.cpp"
