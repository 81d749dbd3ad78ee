#include "gui/key_walk.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSet>
#include <QTabBar>
#include <QTest>
#include <QTextEdit>
#include <algorithm>

#include "widgets/support/theme.h"

namespace vitrine::test {
namespace {

constexpr int kMostStops = 200, kMostInOne = 30;  // a stop may have stops of its own, such as links
constexpr int kLeastMarked = 40;                  // pixels: more than a caret has

QString described(const QWidget& part) {
  QString text = QLatin1String(part.metaObject()->className());
  if (!part.objectName().isEmpty()) text += u'#' + part.objectName();
  return text + QStringLiteral(" “%1” in %2")
                    .arg(accessibleNameOf(part),
                         part.parentWidget() == nullptr
                             ? QString()
                             : QLatin1String(part.parentWidget()->metaObject()->className()));
}

// What its ancestors leave of a part, in the window's coordinates.
QRect sightOf(const QWidget& part) {
  QRect area = part.rect();
  for (const QWidget* one = &part; area.isValid() && !one->isWindow(); one = one->parentWidget())
    area = area.translated(one->pos()).intersected(one->parentWidget()->rect());
  return part.isVisible() ? area : QRect();
}

bool isClickable(const QWidget& part) {
  if (qobject_cast<const QHeaderView*>(&part)) return false;  // its table sorts
  if (const auto* label = qobject_cast<const QLabel*>(&part))
    return label->textInteractionFlags() & Qt::TextSelectableByMouse;
  if (const QWidget* around = part.parentWidget(); around && around->inherits("QAbstractSpinBox"))
    return false;
  return qobject_cast<const QAbstractButton*>(&part) || qobject_cast<const QAbstractItemView*>(&part) ||
         qobject_cast<const QLineEdit*>(&part) || qobject_cast<const QAbstractSpinBox*>(&part) ||
         qobject_cast<const QComboBox*>(&part) || qobject_cast<const QTextEdit*>(&part) ||
         qobject_cast<const QPlainTextEdit*>(&part) || qobject_cast<const QTabBar*>(&part);
}

// Qt makes them for its own parts, whose keys do the same.
bool isPartOfAPart(const QWidget& part) {
  const QWidget* const around = part.parentWidget();
  if (around == nullptr) return false;
  return qobject_cast<const QLineEdit*>(around) || qobject_cast<const QTabBar*>(around) ||
         qobject_cast<const QComboBox*>(around) || qobject_cast<const QAbstractItemView*>(around) ||
         part.inherits("QTableCornerButton") || part.inherits("QMenuBarExtension") ||
         part.inherits("QToolBarExtension");
}

// Of a part's name; empty: it says something.
QString faultOfName(const QWidget& part, const QString& name) {
  static const QRegularExpression words(QStringLiteral("\\p{L}{2}"));
  if (!name.contains(words)) return QStringLiteral("its name says nothing");
  const bool isClass = name.contains(QLatin1String(part.metaObject()->className()));
  return isClass ? QStringLiteral("its name is its class") : QString();
}

// Of a list to choose from Qt tells the choice as its name, which is none.
QString nameWithLabels(const QWidget& part) {
  QString name = qobject_cast<const QComboBox*>(&part) ? part.accessibleName() : accessibleNameOf(part);
  if (const auto* const face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(&part)))
    for (const auto& [label, relation] : face->relations(QAccessible::Label))
      name += u' ' + label->text(QAccessible::Name);
  return name;
}

// Items of lists and tables are no widgets.
void meet(const QAccessibleInterface& face, QSet<const QObject*>& met) {
  met << face.object();
  for (int i = 0; i < face.childCount(); ++i)
    if (const QAccessibleInterface* const child = face.child(i);
        child && qobject_cast<const QWidget*>(child->object()) && !met.contains(child->object()))
      meet(*child, met);
}

}  // namespace

QString accessibleNameOf(const QWidget& part) {
  const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(&part));
  return face ? face->text(QAccessible::Name) : QString();
}

KeyWalk::KeyWalk(QWidget& window, std::function<bool(const QWidget&)> byKey)
    : m_window(window), m_byKey(std::move(byKey)) {}

void KeyWalk::complain(const QWidget& part, const QString& what) {
  m_complaints << described(part) + ": " + what;
}

QStringList KeyWalk::names() const {
  QStringList names;
  for (const auto& stop : m_stops) names << accessibleNameOf(*stop);
  return names;
}

QStringList KeyWalk::complaints(QWidget* start) {
  m_stops.clear();
  m_complaints.clear();
  if (!goRound(start)) return m_complaints;
  checkOrder();
  checkClickable();
  checkTexts();
  goBack();
  return m_complaints;
}

bool KeyWalk::goRound(QWidget* start) {
  if (start->hasFocus()) start->clearFocus();
  start->setFocus(Qt::TabFocusReason);
  if (QApplication::focusWidget() == nullptr) return complain(*start, "does not take the focus"), false;
  m_stops << QApplication::focusWidget();
  for (int i = 0, same = 0; i < kMostStops; ++i) {
    QWidget* const before = QApplication::focusWidget();
    if (same == 0) {
      checkName(*before);
      checkMark(*before);
    }
    QTest::keyClick(before, Qt::Key_Tab);
    QWidget* const now = QApplication::focusWidget();
    if (now == nullptr) return complain(*before, "Tab leaves the window"), false;
    if (now == m_stops.first()) return true;
    same = now == before ? same + 1 : 0;
    if (same > kMostInOne) return complain(*now, "Tab does not leave it"), false;
    if (same > 0) continue;
    if (m_stops.contains(now))
      return complain(*now, "Tab comes back to it, and not to the first stop"), false;
    m_stops << now;
  }
  complain(m_window, "Tab does not come round");
  return false;
}

void KeyWalk::goBack() {
  m_stops.first()->setFocus(Qt::BacktabFocusReason);
  qsizetype at = m_stops.size();
  for (int i = 0; i < kMostStops && at > 0; ++i) {
    QWidget* const before = QApplication::focusWidget();
    QTest::keyClick(before, Qt::Key_Backtab);
    QWidget* const now = QApplication::focusWidget();
    if (now == before) continue;
    if (now && sightOf(*now).isEmpty()) complain(*now, "Shift+Tab leaves it out of sight");
    if (now == m_stops.first().data() && at == 1) return;
    if (now != m_stops.value(--at)) {
      if (at == 0 && now == m_stops.first().data()) return;
      return complain(now ? *now : *before, "Shift+Tab goes another way back");
    }
  }
}

void KeyWalk::checkName(const QWidget& part) {
  const QAccessibleInterface* const face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(&part));
  if (face == nullptr) return complain(part, "a screen reader does not know it");
  if (const QString fault = faultOfName(part, face->text(QAccessible::Name)); !fault.isEmpty())
    complain(part, fault);
  const QAccessible::Role role = face->role();
  const bool scrolls = qobject_cast<const QAbstractScrollArea*>(&part) != nullptr;
  if (role == QAccessible::NoRole || role == QAccessible::Border || (role == QAccessible::Client && !scrolls))
    complain(part, QStringLiteral("its role is %1").arg(int(role)));
  if (!face->state().focusable || !face->state().focused)
    complain(part, "it does not say that it has the focus");
}

// The frame around what has the focus, or what its style draws: pixels that differ from those without the
// focus, and stand out from them.
void KeyWalk::checkMark(QWidget& part) {
  const QRect area = sightOf(part).adjusted(-3, -3, 3, 3).intersected(m_window.rect());
  if (area.isEmpty()) return complain(part, "it is out of sight");
  const QImage with = m_window.grab(area).toImage();
  part.clearFocus();
  const QImage without = m_window.grab(area).toImage();
  part.setFocus(Qt::TabFocusReason);
  int marked = 0;
  for (int y = 0; y < with.height(); ++y)
    for (int x = 0; x < with.width(); ++x)
      if (const QColor a = with.pixelColor(x, y), b = without.pixelColor(x, y); a != b)
        if (contrastRatio(a, b) >= 3) ++marked;
  if (marked < kLeastMarked) complain(part, QStringLiteral("its focus shows in %1 pixels").arg(marked));
}

// Down, and in a line to the right; a part beside the others begins at its top.
void KeyWalk::checkOrder() {
  for (qsizetype i = 0; i + 1 < m_stops.size(); ++i) {
    const QRect from = sightOf(*m_stops[i]), to = sightOf(*m_stops[i + 1]);
    if (from.isEmpty() || to.isEmpty()) continue;  // it has been scrolled away since
    const bool oneLine = from.top() < to.center().y() && to.top() < from.center().y() &&
                         std::abs(from.center().y() - to.center().y()) < from.height();
    const bool oneColumn = from.left() <= to.right() && to.left() <= from.right();
    if (oneLine && to.right() < from.left())
      complain(*m_stops[i + 1], "comes after " + described(*m_stops[i]) + ", which is at its right");
    else if (!oneLine && oneColumn && to.bottom() < from.top())
      complain(*m_stops[i + 1], "comes after " + described(*m_stops[i]) + ", which is below it");
  }
}

void KeyWalk::checkClickable() {
  for (QWidget* part : m_window.findChildren<QWidget*>()) {
    if (part->window() != &m_window || sightOf(*part).isEmpty() || !part->isEnabled()) continue;
    if (!isClickable(*part) || isPartOfAPart(*part)) continue;
    const bool visited = std::ranges::any_of(
        m_stops, [part](const auto& stop) { return stop == part || (stop && stop->focusProxy() == part); });
    if (!visited && !(m_byKey && m_byKey(*part))) complain(*part, "no key reaches it");
  }
}

// A label's own words are in what is read out; its name alone would hide them.
void KeyWalk::checkTexts() {
  for (QLabel* label : m_window.findChildren<QLabel*>()) {
    if (label->window() != &m_window || sightOf(*label).isEmpty() || label->text().isEmpty()) continue;
    const QAccessibleInterface* const face = QAccessible::queryAccessibleInterface(label);
    QString plain = label->text();
    plain.remove(u'&');
    QString told = face == nullptr ? QString() : face->text(QAccessible::Name);
    told.remove(u'&');
    if (label->textFormat() != Qt::RichText && !told.contains(plain.left(200)))
      complain(*label, "its words are not read out: " + plain.left(60));
  }
}

QStringList namelessParts(QWidget& window) {
  QStringList complaints;
  QSet<const QObject*> met;
  meet(*QAccessible::queryAccessibleInterface(&window), met);
  for (QWidget* part : window.findChildren<QWidget*>()) {
    if (part->window() != &window || !part->isVisible() || !part->isEnabled()) continue;
    if (part->focusPolicy() == Qt::NoFocus || part->focusProxy() || isPartOfAPart(*part)) continue;
    QString fault = faultOfName(*part, nameWithLabels(*part));
    if (fault.isEmpty() && !met.contains(part)) fault = QStringLiteral("a screen reader does not meet it");
    if (!fault.isEmpty()) complaints << described(*part) + ": " + fault;
  }
  return complaints;
}

}  // namespace vitrine::test
