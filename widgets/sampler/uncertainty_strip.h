// UncertaintyStrip: entropy and surprise over the answer, a bar and a tick for each token, as high as a line
// of text; a token goes to the step that sampled it. Thread: the window's. Read next: uncertainty_model.h.
#pragma once

#include "widgets/painting/cursor_view.h"
#include "widgets/sampler/uncertainty_model.h"

namespace vitrine {

class UncertaintyStrip : public CursorView {
  Q_OBJECT
 public:
  explicit UncertaintyStrip(UncertaintyModel* model, QWidget* parent = nullptr);

  const UncertaintyModel* tokens() const { return m_tokens; }
  QRect tokenArea(int row) const;  // in content coordinates
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

 signals:
  void stepRequested(int step);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override { return tokenArea(item.row); }
  QString describeItem(const ViewItem& item) const override { return m_tokens->describe(item.row); }
  void activate(const ViewItem& item) override { emit stepRequested(m_tokens->at(item.row).step); }
  void contentChanged() override;

 private:
  int tokenWidth() const;
  void paintToken(QPainter& painter, int row, const Theme& theme) const;

  UncertaintyModel* m_tokens;
  int m_shown = 0;            // rows at the last refresh
  SequenceId m_sequence = 0;  // then
};

}  // namespace vitrine
