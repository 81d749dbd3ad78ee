#include "widgets/support/glossary_tips.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QGroupBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLocale>
#include <QTabBar>
#include <QTableView>
#include <QToolTip>
#include <algorithm>
#include <map>

#include "widgets/support/formats.h"
#include "widgets/support/tab_rows.h"
#include "widgets/support/window_language.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

// The last tooltip, and its term.
TermTip& shown() {
  static TermTip last;
  return last;
}

QString explanation(const prose::Term& term) {
  QString tip =
      Wording::tr("%1: %2").arg(QString::fromStdString(term.name), QString::fromStdString(term.meaning));
  if (!term.paper.empty()) tip += u'\n' + Wording::tr("From: %1").arg(QString::fromStdString(term.paper));
  return tip;
}
QString withKey(const QString& explanations) {
  return explanations + u'\n' + Wording::tr("F1: the glossary");
}

// The text of a widget at a point, and what it says of itself there.
struct Label {
  QString text, own;
};
Label labelOf(QWidget* widget, const QPoint& at) {
  if (const auto* label = qobject_cast<QLabel*>(widget))
    return {label->textFormat() == Qt::RichText ? QString() : label->text(), label->toolTip()};
  if (const auto* button = qobject_cast<QAbstractButton*>(widget)) return {button->text(), button->toolTip()};
  if (const auto* group = qobject_cast<QGroupBox*>(widget)) return {group->title(), group->toolTip()};
  if (const auto* tabs = qobject_cast<QTabBar*>(widget))
    return {tabs->tabText(tabUnder(*tabs, at)), tabs->tabToolTip(tabUnder(*tabs, at))};
  QWidget* const owner = widget->parentWidget();  // of a viewport
  if (const auto* header = qobject_cast<QHeaderView*>(owner); header && header->model()) {
    const int section = header->logicalIndexAt(at);
    const auto of = [&](int role) {
      return header->model()->headerData(section, header->orientation(), role).toString();
    };
    return section < 0 ? Label() : Label{of(Qt::DisplayRole), of(Qt::ToolTipRole)};
  }
  const auto* table = qobject_cast<QTableView*>(owner);
  if (!table || table->viewport() != widget) return {};
  const QModelIndex cell = table->indexAt(at);
  return {cell.data().toString(), cell.data(Qt::ToolTipRole).toString()};
}

}  // namespace

// Of each language that the program has spoken: what was handed out stays valid.
const std::vector<prose::Term>& windowGlossary() {
  static std::map<QString, std::vector<prose::Term>> glossaries;
  const auto [found, isNew] = glossaries.try_emplace(QLocale().name());
  if (isNew) found->second = prose::glossary(windowLanguage());
  return found->second;
}

TermTip termTip(const QString& text, qsizetype letter) {
  if (letter < 0 || letter >= text.size()) return {};
  const auto byte = static_cast<std::size_t>(text.left(letter).toUtf8().size());
  const std::vector<prose::TermPlace> places = prose::termsIn(text.toStdString(), windowGlossary());
  const auto found = std::ranges::find_if(places, [byte](const prose::TermPlace& place) {
    return byte >= place.begin && byte < place.begin + place.length;
  });
  if (found == places.end()) return {};
  const prose::Term& term = windowGlossary()[found->term];
  return {withKey(explanation(term)), &term};
}

TermTip termTipsIn(const QString& text) {
  constexpr int kMost = 2;
  std::vector<std::size_t> terms;  // each once
  for (const prose::TermPlace& place : prose::termsIn(text.toStdString(), windowGlossary()))
    if (std::ranges::count(terms, place.term) == 0 && terms.size() < kMost) terms.push_back(place.term);
  if (terms.empty()) return {};
  QStringList tips;
  for (const std::size_t term : terms) tips << explanation(windowGlossary()[term]);
  return {withKey(tips.join(u'\n')), &windowGlossary()[terms.front()]};
}

void showTermTip(const QPoint& global, const QString& own, const TermTip& term, QWidget* at) {
  const QString gap = own.isEmpty() || term.text.isEmpty() ? QString() : QStringLiteral("\n\n");
  const QString tip = plainTip(own + gap + term.text);
  shown() = {tip, term.term};
  if (tip.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(global, tip, at);
}

const prose::Term* termInSight() {
  return QToolTip::isVisible() && QToolTip::text() == shown().text ? shown().term : nullptr;
}

LabelTips::LabelTips(QObject* parent) : QObject(parent) {
  QCoreApplication::instance()->installEventFilter(this);
}

bool LabelTips::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
  auto* const widget = static_cast<QWidget*>(watched);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Label label = labelOf(widget, help->pos());
  QString text = label.text;
  const TermTip terms = termTipsIn(text.remove(u'&'));
  if (terms.text.isEmpty()) return false;  // its own way
  showTermTip(help->globalPos(), label.own == label.text ? QString() : label.own, terms, widget);
  return true;
}

}  // namespace vitrine
