// AnswerStrips: a line for each chat that is being answered and not shown: its title, which shows the chat,
// how far the answer is, and Stop. At most kMostStrips lines; words say how many more there are.
//
// Figures are the live machine's, four times a second. While there is no line the part is hidden and does
// nothing. Thread: the window's. Read next: app/desk/answer_writer.h.
#pragma once

#include <QTimer>
#include <QWidget>
#include <vector>

#include "desk/answer_writer.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace vitrine {

class AnswerStrips : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kMostStrips = 4;

  AnswerStrips(Desk& desk, const Session& session, const AnswerWriter& answers, QWidget* parent = nullptr);

 signals:
  void showRequested(vitrine::ChatId chat);
  void stopRequested(vitrine::ChatId chat, vitrine::RequestId request);

 private:
  struct Strip {
    AnswerWriter::Answering of;
    QWidget* line = nullptr;
    QToolButton *title = nullptr, *stop = nullptr;
    QLabel* figures = nullptr;
  };

  void arrange();
  Strip makeStrip(const AnswerWriter::Answering& of);
  void name(const Strip& strip);
  void count();
  QString figuresOf(RequestId request) const;

  Desk& m_desk;
  const Session& m_session;
  const AnswerWriter& m_answers;
  std::vector<Strip> m_strips;
  QVBoxLayout* m_lines;
  QLabel* m_more;
  QTimer m_arranging, m_counting;
};

}  // namespace vitrine
