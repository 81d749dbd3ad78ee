#include "gui/chat/typed_tokens.h"

#include <QPlainTextEdit>
#include <algorithm>

namespace vitrine {

TypedTokens::TypedTokens(EngineHost& host, QPlainTextEdit& input, QWidget* parent)
    : ElidingLabel(parent), m_input(input), m_counter(host) {
  setAccessibleName(tr("Tokens of the written text"));
  connect(&input, &QPlainTextEdit::textChanged, this, [this] {
    m_counter.setText(m_input.toPlainText().trimmed());
    follow();
  });
  connect(&m_counter, &TokenCounter::changed, this, &TypedTokens::follow);
}

void TypedTokens::follow() {
  const int tokens = m_counter.tokens();
  emit counted(std::max(tokens, 0));
  setText(tokens > 0 ? tr("%Ln token(s)", nullptr, tokens) : QString());
}

}  // namespace vitrine

#include "moc_typed_tokens.cpp"
