// OfferLine: over the input, why something cannot be as it is, and buttons with what may be done instead.
// Thread: the window's. Read next: context_line.h, template_line.h.
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace vitrine {

class OfferLine : public QFrame {
  Q_OBJECT

 public:
  OfferLine(const QString& accessibleName, QWidget* parent);

 protected:
  QLabel* words() const { return m_words; }
  QToolButton* makeButton(const QString& text, const QString& tip);
  QToolButton* addToHead(const QString& text, const QString& tip);  // behind the words
  QHBoxLayout* addRow();                                            // below

 private:
  QLabel* m_words;
  QHBoxLayout* m_head;
};

}  // namespace vitrine
