// SpeculationView: whether drafting pays in this run, and why: a verdict in words, the newest draft of the
// selected sequence token by token, acceptance by position in the draft with the break-even acceptance as a
// dashed line, and the last drafted steps.
//
// Left and Right go through tokens, bars and steps; Enter or a click goes to the step of a draft. Thread: the
// window's.
#pragma once

#include "widgets/painting/painted_view.h"
#include "widgets/speculation/speculation_model.h"

namespace vitrine {

class SpeculationView : public PaintedView {
  Q_OBJECT
 public:
  explicit SpeculationView(SpeculationModel* model, QWidget* parent = nullptr);

  // What can be pointed at.
  enum class Part { kToken, kPosition, kStep };
  struct Item {
    Part part = Part::kToken;
    int index = 0;  // of the draft's tokens, the positions, or the last steps
    QRectF area;    // in content coordinates
  };

  QString summary() const override { return m_model->summary(); }
  const std::vector<Item>& items() const { return m_items; }
  int currentItem() const { return m_current; }  // -1: none
  double breakEvenY() const;                     // of the dashed line; negative: there is none

 signals:
  void stepRequested(int step);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  prose::Target targetAt(const QPoint& content) const override;
  void contentChanged() override { place(); }
  void spotlightMoved() override { viewport()->update(); }
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  int lineHeight() const { return fontMetrics().height() + 9; }
  QFont boldFont() const;
  double width() const;  // between the margins
  double textHeight(const QString& text, const QFont& font) const;
  QString shownText(const DraftToken& token) const;
  QString shownBefore() const;
  QString legend() const;
  void place();  // everything, from top to bottom
  double placeDraft(double top);
  double placeCharts(const QRectF& area);
  void placeSteps(const QRectF& area);
  int itemAt(const QPoint& content) const;
  QString describe(const Item& item) const;
  prose::Target targetOf(const Item& item) const;
  void setCurrent(int item);
  void enter(int item);
  double yOf(double share) const;  // in the chart
  void paintHead(QPainter& painter, const Theme& theme) const;
  void paintDraft(QPainter& painter, const Theme& theme) const;
  void paintToken(QPainter& painter, const Item& item, const Theme& theme) const;
  void paintChart(QPainter& painter, const Theme& theme) const;
  void paintBar(QPainter& painter, const Item& item, const Theme& theme) const;
  bool hasRoomForBreakEven() const;  // beside the bars
  void paintBreakEven(QPainter& painter, const Theme& theme) const;
  void paintStep(QPainter& painter, const Item& item, const Theme& theme) const;

  SpeculationModel* m_model;
  std::vector<Item> m_items;
  QRectF m_verdict, m_cost, m_measured, m_drafts, m_draftTitle, m_before,
      m_legend;                     // texts, from top to bottom
  QRectF m_chart, m_bars, m_steps;  // with the captions; the bars alone; the last steps alone
  double m_words = 160;             // width of the texts
  double m_bottom = 0;
  int m_current = -1;
};

}  // namespace vitrine
