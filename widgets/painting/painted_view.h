// PaintedView: the base of the painted maps: a table twin, copies as CSV, SVG and PNG, a context menu for
// them, scrolling, and no work while hidden.
//
// A subclass paints in content coordinates; the same paintContent() serves the screen and the exports.
// Thread: the window's. Read next: cursor_view.h.
#pragma once

#include <QAbstractScrollArea>
#include <QPointer>
#include <memory>

#include "widgets/session/session_model.h"
#include "widgets/support/picture_export.h"
#include "widgets/support/theme.h"

class QMenu;

namespace vitrine {

struct TermTip;
class TableTwin;

class PaintedView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  // The model must outlive the view, except where one window owns both and is destroyed.
  explicit PaintedView(SessionModel* model, QWidget* parent = nullptr);

  Picture picture() const;  // all of the content, not only the visible part
  QString csv() const;
  // What there is to know at a glance, for the header of its panel; empty: nothing.
  virtual QString summary() const { return {}; }
  int paintCount() const {
    return m_paints;
  }  // how often it painted itself; tests check that hidden views do not

 public slots:
  void copyCsv() const;
  void copyPicture() const;
  void savePictureAs();  // asks for a file
  void showTable();      // the table twin, in the view's place
  virtual void zoomIn() {}
  virtual void zoomOut() {}
  virtual void fit() {}

 signals:
  void summaryChanged(const QString& summary);

 protected:
  virtual QSize contentSize() const = 0;  // for the viewport's present width
  virtual void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const = 0;
  virtual QString emptyText() const { return {}; }  // shown instead of the content when it is not empty
  virtual QString tipAt(const QPoint& /*content*/) const { return {}; }
  // What the user points at there, for the session's spotlight.
  virtual prose::Target targetAt(const QPoint&) const { return {}; }
  // Places what is painted: after the model's refresh, and for another size, font or palette.
  virtual void arrange() {}
  virtual void contentChanged() {}    // after the model's refresh, while visible
  virtual void spotlightMoved() {}    // while visible; a view that lights its parts paints them again
  virtual void addActions(QMenu&) {}  // above the common ones
  // The menu's words for fit(). A map that has them zooms: from the menu, by +, −, 0, and Ctrl with the
  // wheel.
  virtual QString fitWords() const { return {}; }
  // By 120 for each notch, away from the user is more; `at` is in the viewport.
  virtual void zoomByWheel(int /*turned*/, const QPointF& /*at*/) {}
  // What the table twin and CSV show; null: the view's own model.
  virtual std::unique_ptr<SessionModel> makeTableModel() const { return nullptr; }

  Theme theme() const { return Theme::of(this); }
  int rowCount() const { return m_model ? m_model->rowCount() : 0; }
  const Spotlight& spotlight() const { return *m_model->session()->spotlight(); }
  QPoint toContent(const QPoint& viewportPoint) const;
  // Where a heading is painted that stays in sight while the content scrolls: the viewport's corner, in
  // content coordinates; the content's own in an export.
  QPoint headingCorner(const QPainter& painter) const;
  void paintInTurn();                         // soon; while batches of events come fast, when it is its turn
  void tellSummary();                         // summaryChanged(), when it has
  void layoutContent();                       // content size may have changed
  void reveal(const QRect& content);          // scrolls as little as it takes
  void announce(const QString& text);         // to screen readers: the view's present item
  void pointAt(const prose::Target& target);  // the session's spotlight

  void paintEvent(QPaintEvent* event) override;
  void scrollContentsBy(int, int) override { paintInTurn(); }
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void onRefreshed();
  TermTip termTipAt(const QPoint& content) const;

  QPointer<SessionModel> m_model;  // null while a window is taken down that deletes its models first
  TableTwin* m_twin;
  QString m_summary;  // the last one told
  int m_paints = 0;
  mutable bool m_probing = false;  // paints to see which word lies where
  bool m_waits = false;            // for its turn to be painted
  bool m_framed = false;           // the focus came with a key
};

}  // namespace vitrine
