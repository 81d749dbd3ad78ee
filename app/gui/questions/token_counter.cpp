#include "gui/questions/token_counter.h"

namespace vitrine {
namespace {
constexpr int kRestMs = 120, kLateMs = 400;  // late: a count of an older text is no longer shown
}  // namespace

TokenCounter::TokenCounter(EngineHost& host, QObject* parent) : QObject(parent), m_host(host) {
  m_resting.setSingleShot(true);
  m_resting.setInterval(kRestMs);
  m_late.setSingleShot(true);
  m_late.setInterval(kLateMs);
  connect(&m_resting, &QTimer::timeout, this, &TokenCounter::ask);
  connect(&m_late, &QTimer::timeout, this, [this] { show(EngineHost::kUnknownTokens); });
  connect(&host, &EngineHost::loaded, this, &TokenCounter::ask);
  connect(&host, &EngineHost::tokensCounted, this, [this](qint64 ticket, int tokens) {
    if (ticket != m_ticket || m_resting.isActive()) return;
    m_late.stop();
    show(tokens);
  });
}

void TokenCounter::setText(const QString& text) {
  if (text == m_text) return;
  if (m_text.isEmpty()) m_tokens = EngineHost::kUnknownTokens;
  m_text = text;
  m_ticket = 0;
  m_resting.stop();
  m_late.stop();
  if (text.isEmpty()) return show(0);
  m_resting.start();
}

void TokenCounter::ask() {
  if (m_text.isEmpty()) return;
  m_ticket = m_host.newCountTicket();
  m_host.countTokens(m_ticket, m_text);
  m_late.start();
}

void TokenCounter::show(int tokens) {
  if (tokens == m_tokens) return;
  m_tokens = tokens;
  emit changed();
}

}  // namespace vitrine

#include "moc_token_counter.cpp"
