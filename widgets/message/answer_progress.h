// AnswerProgress: how much of the prompt the machine has read, as a bar beside the note of an answer. The
// part that came from the prefix cache is hatched. In sight while the prompt is read. Thread: the window's.
// Read next: message_widget.h, widgets/conversation/answer_meter.h.
#pragma once

#include <QProgressBar>

#include "widgets/conversation/chat_model.h"

namespace vitrine {

class AnswerProgress : public QProgressBar {
  Q_OBJECT
 public:
  explicit AnswerProgress(QWidget* parent = nullptr);

  void display(const ChatEntry& entry);
  int cachedTokens() const { return m_cached; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int m_cached = 0;
};

}  // namespace vitrine
