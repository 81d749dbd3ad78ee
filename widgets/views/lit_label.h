// LitLabel: a label of plain text whose words can be lit: what is sought, and one of the hits as the present
// one, with a frame. Its text begins at the top. Thread: the window's.
#pragma once

#include <QLabel>

#include "widgets/models/sought_text.h"

namespace vitrine {

class LitLabel : public QLabel {
  Q_OBJECT
 public:
  using QLabel::QLabel;

  void light(const SoughtText& sought, int present);  // the hit of that number is the present one; -1: none
  // Where the text shows a hit, in the label's coordinates; nothing for one that is not there.
  QRect hitRect(int hit) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  // A document as QLabel lays one out, which it keeps to itself.
  void layOut(QTextDocument& document) const;

  SoughtText m_sought;
  int m_present = -1;
};

// How a hit looks, everywhere in a conversation.
struct HitColours {
  QColor ground, present, presentText;

  static HitColours of(const QWidget* widget);
};

// The areas that a range of a document covers, one for each line, in the document's coordinates.
std::vector<QRectF> areasOf(const QTextDocument& document, const FoundRange& range);

}  // namespace vitrine
