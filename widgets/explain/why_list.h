// WhyList: the sentences of "Why this step?". The mouse or Tab goes to a link, and the spotlight to what it
// speaks of; what another view points at lights its sentences here. A click, Right or Enter opens a sentence:
// first the rule, then the lines of the source. Thread: the window's. Read next: why_row_layout.h.
#pragma once

#include <map>

#include "widgets/explain/why_model.h"
#include "widgets/support/spoken_list.h"

namespace vitrine {

class WhyDelegate;

class WhyList : public SpokenList {
  Q_OBJECT
 public:
  explicit WhyList(WhyModel* model, QWidget* parent = nullptr);

  int depthOf(int row) const;  // WhyRowLayout::Depth
  void setDepth(int row, int depth);
  // The link that the mouse or the keyboard is at; -1: none there.
  int linkOf(int row) const { return row == m_place.row ? m_place.link : -1; }
  // Where the name of the row's phase is painted, in the viewport. Of the first phase in sight it stays there
  // while its sentences scroll, until the next one pushes it out.
  QRect headingRect(int row) const;
  // The row without the heading above it; in sight where the viewport has it and no heading covers it.
  QRect sentenceRect(int row) const;
  bool isInSight(int row) const;
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
  bool isLit(int row) const;  // another view points at what it speaks of
  // The sentence becomes the current one. The keyboard stays where it is, so screen readers are told.
  void choose(int row);
  void doItemsLayout() override;

 signals:
  void followed(const vitrine::prose::Target& target);  // a link was clicked or entered

 protected:
  void paintEvent(QPaintEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
  struct Place {
    int row = -1, link = -1;  // -1: none

    bool operator==(const Place&) const = default;
  };

  Place placeAt(const QPoint& point) const;
  void onRefreshed();
  void onSpotlight();
  void goTo(const Place& place);  // with the mouse or the keyboard
  void open(int row);             // one level deeper, or closed again
  prose::Target targetOf(const Place& place) const;
  bool hasSpotlight() const;  // it is where this list points

  WhyModel* m_model;
  WhyDelegate* m_delegate;
  std::map<QString, int> m_depths;  // by sentence, of the step shown
  int m_depthsOf = -1;              // that step
  Place m_place, m_pressed;
  prose::Target m_target;   // of m_place; its row may be another one by now
  bool m_pointing = false;  // goTo() is moving the spotlight
};

}  // namespace vitrine
