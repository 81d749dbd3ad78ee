// CallCards: the calls of tools in an answer, in the place of their text: a card for each, with the tool's
// name and what it is asked in one line; opened, its arguments line by line. Thread: the window's. Read next:
// widgets/conversation/answer_calls.h, message_widget.h.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "widgets/conversation/answer_calls.h"
#include "widgets/conversation/conversation_search.h"

namespace vitrine {

class CallCard;

class CallCards : public QWidget {
  Q_OBJECT
 public:
  explicit CallCards(QWidget* parent = nullptr);

  void setCalls(const std::vector<ShownCall>& calls, bool grows);  // `grows`: as AnswerText has it
  // As MessageWidget has them: the parts of a message behind its text are its calls, and the text after each.
  void light(const SoughtText& sought, const std::optional<FoundPlace>& present);
  QRect hitRect(const FoundPlace& hit) const;  // in this widget's coordinates
  void applyTheme(const QFont& text);

 signals:
  void linkChosen(const QString& address);
  void wordPointed(qint64 byte, bool clicked);  // of the answer's text

 private:
  std::vector<CallCard*> m_cards;
  SoughtText m_sought;
  std::optional<FoundPlace> m_present;
  QFont m_text;
};

}  // namespace vitrine
