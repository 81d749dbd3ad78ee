// HeadlineView: the sentence of the step in a strip: its sequences as chips, what it links underlined, the
// terms of the glossary explained where they stand. Before the first step it has words of its own. Left and
// Right go through the links, Enter follows one, and the spotlight goes to what it speaks of. Thread: the
// window's. Read next: headline_layout.h.
#pragma once

#include <QWidget>
#include <optional>

#include "widgets/explain/headline_layout.h"

namespace vitrine {

class HeadlineView : public QWidget {
  Q_OBJECT
 public:
  explicit HeadlineView(HeadlineModel* model, QWidget* parent = nullptr);

  QString text() const;  // what it shows
  bool isWhole() const;  // none of it is cut
  // What it says while no step has a sentence; a click asks for more of it.
  void setOpening(const QString& words);
  void setLines(int lines);  // 1 or 2: its height, whatever it says

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 public slots:
  void copyText() const;

 signals:
  void followed(const vitrine::prose::Target& target);  // a link was clicked or entered
  void openingChosen();

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  bool hasHeadline() const { return m_model->rowCount() > 0; }
  HeadlineRow shown() const;
  const HeadlineLayout& placed() const;
  void goTo(int link);
  void onRefreshed();
  void say();

  HeadlineModel* m_model;
  mutable std::optional<HeadlineLayout> m_placed;  // of what it shows, in its size; none: not asked for yet
  QString m_opening, m_said;
  int m_lines = 2;
  int m_link = -1, m_pressed = -1;
  prose::Target m_target;  // of m_link, where the spotlight is
};

}  // namespace vitrine
