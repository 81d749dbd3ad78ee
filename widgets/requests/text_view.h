// TextView: prompt and answer of the selected request as flowing text. The tokens of the step shown are
// boxed, drafts coloured by their fate, and on request each token is tinted by its surprise.
//
// Only the exposed lines are painted. Tokens are painted one by one, so scripts that join letters across
// tokens look separated. Thread: the window's. Read next: text_flow.h.
#pragma once

#include "widgets/painting/cursor_view.h"
#include "widgets/requests/text_flow.h"
#include "widgets/requests/text_model.h"

class QCheckBox;
class QLabel;

namespace vitrine {

class TextView : public CursorView {
  Q_OBJECT
 public:
  explicit TextView(TextModel* model, QWidget* parent = nullptr);

  QString summary() const { return m_text->summary(); }
  int currentToken() const { return currentRow(); }  // a row of the model; -1: none
  QRect tokenRect(int row) const;                    // in content coordinates
  bool showsSurprise() const;

 public slots:
  void setShowsSurprise(bool shows);
  void copyText() const;

 signals:
  void stepRequested(int step);  // the step that sampled a token was asked for

 protected:
  QSize contentSize() const override { return {viewport()->width(), lineTop(m_flow.lines()) + kTop}; }
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  int itemCount() const override { return m_flow.size(); }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override { return tokenRect(item.row).adjusted(0, -4, 0, 4); }
  QString describeItem(const ViewItem& item) const override { return m_text->describe(item.row); }
  prose::Target targetOf(const ViewItem& item) const override;
  std::optional<ViewItem> itemBeside(int key) const override;
  void activate(const ViewItem& item) override;
  void arrange() override;
  void contentChanged() override;
  void spotlightMoved() override { viewport()->update(); }
  void addActions(QMenu& menu) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  int lineHeight() const { return fontMetrics().height() + 7; }
  int lineTop(int line) const { return kTop + line * lineHeight(); }
  void follow();
  void paintCaption(QPainter& painter, int line, const QString& words, const Theme& theme) const;
  void paintToken(QPainter& painter, int row, const Theme& theme) const;
  void paintGround(QPainter& painter, const QRectF& box, const TextRow& row, const Theme& theme) const;

  static constexpr int kSide = 14, kTop = 8;

  TextModel* m_text;
  QWidget* m_bar;
  QLabel* m_legend;
  QCheckBox* m_surprise;
  TextFlow m_flow;
  bool m_follow = true;  // the newest token, until the user scrolls away
};

}  // namespace vitrine
