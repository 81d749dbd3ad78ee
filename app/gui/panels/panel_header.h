// PanelHeader: the line at the top of a card: title at the left, summary at the right, and a button for
// floating and closing that appears under the mouse or with the focus. Mouse buttons go to the dock, which
// is dragged by its header. Thread: the window's.
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace vitrine {

class PanelHeader : public QWidget {
  Q_OBJECT

 public:
  PanelHeader(const QString& title, QWidget* panel);

  void setSummary(const QString& summary);
  void setFolded(bool folded);  // no height at all
  // Qt lays a title bar out from the dock's left edge on, whatever the dock's margins are.
  void setLeftGround(int pixels);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void menuRequested(const QPoint& global);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void showButton();
  void applyColours();

  QWidget* m_panel;
  QLabel *m_title, *m_summary;
  QToolButton* m_button;
  bool m_folded = false, m_hovered = false;
};

}  // namespace vitrine
