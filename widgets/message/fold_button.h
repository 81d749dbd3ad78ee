// FoldButton: opens and folds what stands below it: a triangle and a title, which is cut where there is no
// room. A click, Space and Enter do it; a screen reader hears the title and whether it is checked. Thread:
// the window's.
#pragma once

#include <QToolButton>

namespace vitrine {

class FoldButton : public QToolButton {
  Q_OBJECT
 public:
  explicit FoldButton(QWidget* parent = nullptr);  // folded

  // The title, and behind it, while it is folded, the beginning of what is below.
  void setTitle(const QString& title, const QString& beginning);

  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showTitle();

  QString m_title, m_beginning;  // no title: the text is the host's
};

}  // namespace vitrine
