// Stage: the card in the middle, with a tab for each view of the whole run (PanelPlace::kStage). Thread: the
// window's. Read next: card.h.
#pragma once

#include <QKeySequence>
#include <QTabBar>
#include <QWidget>

class QStackedWidget;

namespace vitrine {

class CardStyle;

class Stage : public QWidget {
  Q_OBJECT

 public:
  explicit Stage(QWidget* parent = nullptr);

  // `name` is the panel's name in scenarios. Returns the place of the page, for its summary.
  int addPage(const QString& name, const QString& title, QWidget* view);
  static QKeySequence keyOf(int page);  // Alt+1 for the first
  void setSummary(int page, const QString& summary);

  bool show(const QString& name);  // false: there is no such view
  bool has(const QString& name) const { return m_names.contains(name); }
  QString shown() const;  // its name
  QTabBar* tabs() const { return m_tabs; }
  int heightAround() const;  // tabs and margins around the view
  QWidget* page() const;     // the view of the present tab
  // The view alone, over the whole area: for the conversation.
  void setPlain(bool plain);

  QSize sizeHint() const override { return minimumSizeHint(); }  // it takes the room that the others leave
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void moveEvent(QMoveEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  CardStyle* m_style;
  QTabBar* m_tabs;
  QStackedWidget* m_pages;
  QStringList m_names, m_summaries;
  bool m_plain = false;
};

}  // namespace vitrine
