// TypedTokens: how many tokens the text in an input has, counted by the model's own tokenizer. Empty while
// nothing is written, and while the number is not known. Thread: the window's. Read next: token_counter.h.
#pragma once

#include "gui/questions/token_counter.h"
#include "widgets/support/eliding_label.h"

class QPlainTextEdit;

namespace vitrine {

class TypedTokens : public ElidingLabel {
  Q_OBJECT

 public:
  TypedTokens(EngineHost& host, QPlainTextEdit& input, QWidget* parent = nullptr);

 signals:
  void counted(int tokens);  // 0 while the number is not known

 private:
  void follow();

  QPlainTextEdit& m_input;
  TokenCounter m_counter;
};

}  // namespace vitrine
