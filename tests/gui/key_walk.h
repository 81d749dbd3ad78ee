// KeyWalk: goes round a window with Tab and back with Shift+Tab, and says what a person without a mouse, or
// without sight of the screen, would miss there. Thread: the window's.
#pragma once

#include <QList>
#include <QPointer>
#include <QStringList>
#include <QWidget>
#include <functional>

namespace vitrine::test {

class KeyWalk {
 public:
  // A window that is active. `byKey` tells which clickable parts have another key than Tab.
  explicit KeyWalk(QWidget& window, std::function<bool(const QWidget&)> byKey = {});

  // From `start`, one round and back. The complaints: none, when the walk
  //   comes round, and back the same way; finds in each stop a name, a role and a mark that is seen;
  //   goes in reading order; visits what the mouse can click; and each text in sight has its words told.
  QStringList complaints(QWidget* start);
  const QList<QPointer<QWidget>>& stops() const { return m_stops; }
  // Of the walk, the accessible names in order.
  QStringList names() const;

 private:
  bool goRound(QWidget* start);
  void goBack();
  void checkName(const QWidget& part);
  void checkMark(QWidget& part);
  void checkOrder();
  void checkClickable();
  void checkTexts();
  void complain(const QWidget& part, const QString& what);

  QWidget& m_window;
  std::function<bool(const QWidget&)> m_byKey;
  QList<QPointer<QWidget>> m_stops;
  QStringList m_complaints;
};

// As a screen reader hears a part.
QString accessibleNameOf(const QWidget& part);

// Goes through what a screen reader meets in a window, from part to part. The complaints: a widget in sight
// that can take the focus, by whatever means, and has no name that says something, or that is not met.
QStringList namelessParts(QWidget& window);

}  // namespace vitrine::test
