// ContextMeter: how much of the context a sequence fills, in tokens and in blocks. Thread: the window's.
#pragma once

#include <QWidget>

#include "widgets/models/session.h"

namespace vitrine {

class ContextMeter : public QWidget {
  Q_OBJECT
 public:
  explicit ContextMeter(Session* session, QWidget* parent = nullptr);

  // 0: the session's selected sequence.
  void setSequence(SequenceId sequence);

  int tokens() const { return m_tokens; }
  int contextLength() const { return m_context; }
  QString text() const;  // "312 of 2,048 tokens · 20 blocks"

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();

  Session* m_session;
  SequenceId m_sequence = 0;
  int m_tokens = 0, m_context = 0, m_blocks = 0;
};

}  // namespace vitrine
