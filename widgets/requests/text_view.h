// TextView: prompt and answer of the selected request as flowing text. The tokens of the step shown are
// boxed, drafts coloured by their fate, and on request each token is tinted by its surprise.
//
// Only the exposed lines are painted. Tokens are painted one by one, so scripts that join letters across
// tokens look separated. Thread: the window's. Read next: text_flow.h.
#pragma once

#include "widgets/painting/painted_view.h"
#include "widgets/requests/text_flow.h"
#include "widgets/requests/text_model.h"

class QCheckBox;
class QLabel;

namespace vitrine {

class TextView : public PaintedView {
  Q_OBJECT
 public:
  explicit TextView(TextModel* model, QWidget* parent = nullptr);

  QString summary() const { return m_text->summary(); }
  int currentToken() const { return m_current; }  // a row of the model; -1: none
  QRect tokenRect(int row) const;                 // in content coordinates
  bool showsSurprise() const;

 public slots:
  void setShowsSurprise(bool shows);
  void copyText() const;

 signals:
  void stepRequested(int step);  // the step that sampled a token was asked for

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  prose::Target targetAt(const QPoint& content) const override;
  void contentChanged() override;
  void spotlightMoved() override { viewport()->update(); }
  void addActions(QMenu& menu) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void flow();
  int lineHeight() const;
  int lineTop(int line) const { return kTop + line * lineHeight(); }
  int tokenAt(const QPoint& content) const;
  void setCurrent(int row);
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
  int m_current = -1;
  bool m_follow = true;  // the newest token, until the user scrolls away
};

}  // namespace vitrine
