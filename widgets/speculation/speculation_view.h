// SpeculationView: whether drafting pays in this run, and why: a verdict in words, the newest draft of the
// selected sequence token by token, acceptance by position in the draft with the break-even acceptance as a
// dashed line, and the last drafted steps.
//
// Left and Right go through tokens, bars and steps; Enter or a click goes to the step of a draft. Thread: the
// window's.
#pragma once

#include "widgets/painting/cursor_view.h"
#include "widgets/speculation/speculation_model.h"

namespace vitrine {

class SpeculationView : public CursorView {
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
  double breakEvenY() const;  // of the dashed line; negative: there is none

 signals:
  void stepRequested(int step);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  int itemCount() const override { return static_cast<int>(m_items.size()); }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override { return at(item).area.toAlignedRect(); }
  QString describeItem(const ViewItem& item) const override;
  prose::Target targetOf(const ViewItem& item) const override;
  void activate(const ViewItem& item) override;
  void arrange() override;  // everything, from top to bottom
  void spotlightMoved() override { viewport()->update(); }

 private:
  int lineHeight() const { return fontMetrics().height() + 9; }
  double width() const;  // between the margins
  double textHeight(const QString& text, const QFont& font) const;
  QString shownText(const DraftToken& token) const;
  QString shownBefore() const;
  QString legend() const;
  double placeDraft(double top);
  double placeCharts(const QRectF& area);
  void placeSteps(const QRectF& area);
  const Item& at(const ViewItem& item) const { return m_items[static_cast<std::size_t>(item.row)]; }
  double yOf(double share) const { return m_bars.bottom() - share * m_bars.height(); }  // in the chart
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
};

}  // namespace vitrine
