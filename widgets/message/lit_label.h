// LitLabel: a label of plain text whose words can be lit: what is sought, and one of the hits as the present
// one, with a frame. Its text begins at the top. Of a long text it paints the lines in sight alone. Thread:
// the window's.
#pragma once

#include <QLabel>
#include <QTextCursor>
#include <memory>
#include <vector>

#include "widgets/conversation/sought_text.h"

class QTextDocument;

namespace vitrine {

class LitLabel : public QLabel {
  Q_OBJECT
 public:
  explicit LitLabel(QWidget* parent = nullptr);
  ~LitLabel() override;
  // One whose lines wrap; the words of a selectable one can be copied, also with keys.
  static LitLabel* plain(QWidget* parent, bool selectable);

  void light(const SoughtText& sought, int present);  // the hit of that number is the present one; -1: none
  // Where the text shows a hit, in the label's coordinates; nothing for one that is not there.
  QRect hitRect(int hit) const;

 signals:
  void letterClicked(int position);  // in the text of a selectable one; not the end of a selection

 protected:
  void paintEvent(QPaintEvent* event) override;
  // The caret is this class's own: QLabel tells nobody where its caret is, so nothing could scroll to it.
  void keyPressEvent(QKeyEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;

 private:
  // A document as QLabel lays one out, which it keeps to itself.
  QTextDocument& laidOut() const;
  void paintText(QPainter& painter, const QRectF& sight, const std::vector<FoundRange>& hits) const;
  void framePresent(QPainter& painter, const std::vector<FoundRange>& hits) const;

  bool showsCaret() const { return hasFocus() && (textInteractionFlags() & Qt::TextSelectableByKeyboard); }
  QRect caretRect() const;
  void moveCaret(QTextCursor::MoveOperation move, bool selects);

  struct LaidOut {
    QString text = {};
    QFont font = {};
    int width = -1;
    Qt::LayoutDirection direction = Qt::LeftToRight;

    bool operator==(const LaidOut&) const = default;
  };
  mutable std::unique_ptr<QTextDocument> m_document;  // as m_laidOut says; made when it is needed
  mutable LaidOut m_laidOut;
  SoughtText m_sought;
  int m_present = -1;
  int m_caret = 0, m_anchor = 0, m_caretX = -1;  // positions; x while it goes up and down
};

// The system's font of fixed width, as large as another one.
QFont fixedFont(const QFont& like);

// The areas that a range of a document covers, one for each line, in the document's coordinates.
std::vector<QRectF> areasOf(const QTextDocument& document, const FoundRange& range);

}  // namespace vitrine
