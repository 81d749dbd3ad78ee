// PanelDock: a panel as a card: its title, what there is to know at a glance (the summary), and the view.
//
// A dock behind another tab keeps its view hidden: it does no work, and neither its mnemonics nor Tab reach
// it. (Qt moves such a dock out of sight and leaves it visible.) Its least size is a few lines of text
// whatever the view asks for, so that no panel enlarges the window. Thread: the window's. Read next: card.h.
#pragma once

#include <QDockWidget>

class QMenu;

namespace vitrine {

class PanelHeader;

class PanelDock : public QDockWidget {
  Q_OBJECT

 public:
  PanelDock(const QString& name, const QString& title, QWidget* parent);

  void setBody(QWidget* view);
  QString summary() const { return m_summary; }

  // Behind a tab of the same name the header takes no room: the tabs stand in its place.
  void setTabbed(bool tabbed);
  bool isTabbed() const { return m_tabbed; }
  bool isInSight() const;  // shown, and in front of the other tabs
  void followSight();      // hides the view when the dock is not in sight
  void fillMenu(QMenu& menu);

  // Of the default layout. Until the user moves a separator, Qt goes by the hints.
  void setPreferred(QSize size);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 public slots:
  void setSummary(const QString& summary);

 signals:
  void summaryShown(const QString& summary);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void moveEvent(QMoveEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void keepOffTheEdge();

  PanelHeader* m_header;
  QWidget* m_body;
  QString m_summary;
  QSize m_preferred;
  bool m_tabbed = false;
};

}  // namespace vitrine
