// CodeBoxes: the code blocks of an answer, each in a box with its language and a button to copy it, in which
// long lines scroll.
//
// The text stays the document's, so selection, search and copies do not know of boxes. Lines of code are laid
// out unbroken (markdown_formats.h); a box that is scrolled has its lines moved to the left, and the view
// paints it clipped. Buttons stand in the room that the formats leave above code, scroll bars in that under
// it. Thread: the window's.
#pragma once

#include <QObject>
#include <QRect>
#include <memory>
#include <utility>
#include <vector>

#include "widgets/markdown/markdown_text.h"

class QPainter;
class QTextBrowser;
class QToolButton;
class QWheelEvent;

namespace vitrine {

class SideBar;

class CodeBoxes : public QObject {
  Q_OBJECT
 public:
  // What a message has more gets no button of its own; a selection copies it.
  static constexpr std::size_t kMostButtons = 256;

  CodeBoxes(QTextBrowser& view, const MarkdownText& text);
  ~CodeBoxes() override;

  // After the document, or the layout from a position on, has changed: puts the parts to their places.
  void settle();
  void settleFrom(int position);
  int bottom() const { return m_boxes.empty() ? 0 : m_boxes.back().area.bottom() + 1; }

  void paintGrounds(QPainter& painter, const QRect& seen) const;
  // Boxes that hold more than they show.
  void addClipped(const QRect& seen, std::vector<QRect>& areas) const;
  // The buttons, with their positions in the document.
  void addStops(std::vector<std::pair<int, QWidget*>>& stops) const;
  bool scroll(const QWheelEvent& event);  // false: not sideways, or no box that can
  void reveal(int position);              // scrolls a box to a position of the document
  bool hasFocus() const;                  // one of the buttons

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Box {
    CodePlace place;
    QRect area;  // in the viewport, head included
    double wide = 0;
    int left = 0;  // of the lines when they are not scrolled
    QToolButton* copy = nullptr;
    std::unique_ptr<SideBar> side;
  };

  void measure(Box& box) const;
  void addButton(Box& box);
  void putBar(Box& box);
  void moveLines(const Box& box);
  QString nameOf(const CodePlace& place) const;
  QRect shownOf(const Box& box) const;  // what a box shows of its code
  Box* boxOf(const QObject* copy);

  QTextBrowser& m_view;
  const MarkdownText& m_text;
  std::vector<Box> m_boxes;
  int m_dirtyFrom = 0;  // a position of the document
};

}  // namespace vitrine
