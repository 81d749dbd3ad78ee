// CompareSide: one machine of a comparison as a card: what is changed, its step, the lanes of its requests,
// its KV memory, and the sentence of the step.
//
// Thread: the window's. Read next: compare_window.h.
#pragma once

#include "gui/compare/compared_machine.h"
#include "gui/parts/headed_card.h"

class QLabel;

namespace vitrine {

class BlockMapView;
class HeadlineView;
class LanesView;

class CompareSide : public HeadedCard {
  Q_OBJECT

 public:
  // The machine outlives it. `number`: 1 or 2.
  CompareSide(ComparedMachine& machine, int number, QWidget* parent = nullptr);

  void setTitle(const QString& what);  // "recompute"
  void tell();

  QString title() const;
  QString place() const;  // "step 17"
  LanesView* lanes() const { return m_lanes; }
  BlockMapView* blocks() const { return m_blocks; }
  HeadlineView* headline() const { return m_headline; }

 signals:
  void stepRequested(int step);

 private:
  ComparedMachine& m_machine;
  const int m_number;
  QLabel *m_title, *m_place;
  LanesView* m_lanes;
  BlockMapView* m_blocks;
  HeadlineView* m_headline;
};

}  // namespace vitrine
