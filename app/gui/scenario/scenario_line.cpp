#include "gui/scenario/scenario_line.h"

#include <QEvent>
#include <QToolButton>
#include <algorithm>

#include "gui/scenario/scenario_sheet.h"
#include "gui/scenario/scenario_words.h"
#include "widgets/session/session.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

ScenarioLine::ScenarioLine(const Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_about(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_sheet(new ScenarioSheet(this)) {
  m_about->setAutoRaise(true);
  m_about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_about->setToolTip(tr("The whole description, and what there is to see"));
  m_next->setAutoRaise(true);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 0, 8, 0);
  row->setSpacing(2);
  addParts(row, {{m_about, 1}, m_next});
  connect(m_about, &QToolButton::clicked, this, &ScenarioLine::openSheet);
  connect(m_next, &QToolButton::clicked, this, [this] { next() < 0 ? openSheet() : goToNext(); });
  connect(m_sheet, &ScenarioSheet::visitRequested, this, &ScenarioLine::visit);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  applyColours();
  hide();
}

void ScenarioLine::show(const Scenario& scenario, const Recording& soFar) {
  m_expectations = Expectations(scenario.expected);
  m_words = QString::fromStdString(scenario.about);  // the tool bar has its title
  m_sheet->show(scenario);
  soFar.forEach([this](const Event& event) { m_expectations.publish(event); });
  setVisible(true);
  write();
}

void ScenarioLine::take(std::span<const Event> events) {
  if (m_expectations.wanted().empty()) return;
  for (const Event& event : events) m_expectations.publish(event);
  write();
}

void ScenarioLine::follow() {
  if (!isHidden()) write();
}

QString ScenarioLine::text() const { return m_sheet->text(); }

int ScenarioLine::next() const {
  const auto& occurrences = m_expectations.occurrences();
  int ahead = -1;
  for (std::size_t i = 0; i < occurrences.size(); ++i) {
    const bool known = occurrences[i].seen && occurrences[i].step > m_session.step();
    if (known && (ahead < 0 || occurrences[i].step < occurrences[static_cast<std::size_t>(ahead)].step))
      ahead = static_cast<int>(i);
  }
  if (ahead >= 0) return ahead;
  for (std::size_t i = 0; i < occurrences.size(); ++i)
    if (!occurrences[i].seen) return static_cast<int>(i);
  return -1;
}

QString ScenarioLine::nextText() const {
  const int expected = next();
  if (expected < 0) return m_expectations.wanted().empty() ? QString() : tr("all seen");
  const auto i = static_cast<std::size_t>(expected);
  const QString name = expectedWords(m_expectations.wanted()[i]);
  return m_expectations.occurrences()[i].seen
             ? tr("next to see: step %1, %2").arg(m_expectations.occurrences()[i].step).arg(name)
             : tr("next to see: %1").arg(name);
}

void ScenarioLine::write() {
  m_sheet->write(m_expectations);
  const int expected = next();
  QString words = nextText();
  if (expected >= 0 && m_next->fontMetrics().horizontalAdvance(words) > width() * 2 / 3)
    words = words.section(QStringLiteral(": "), 1);  // where there is little room
  m_next->setText(expected < 0 ? words : words + QStringLiteral(" ▸"));
  m_next->setEnabled(!words.isEmpty());  // also when all is seen: it keeps the focus, and opens the sheet
  m_next->setToolTip(expected < 0
                         ? tr("What there was to see, with its steps")
                         : tr("Run to it and stop there. %1")
                               .arg(QString::fromStdString(
                                   m_expectations.wanted()[static_cast<std::size_t>(expected)].words)));
  const int room = width() - m_next->sizeHint().width() - 40;
  m_about->setText(m_about->fontMetrics().elidedText(m_words, Qt::ElideRight, std::max(room, 0)));
  m_about->setAccessibleName(m_words);
}

void ScenarioLine::visit(int expected) {
  const auto i = static_cast<std::size_t>(expected);
  if (expected < 0 || i >= m_expectations.occurrences().size() || !m_expectations.occurrences()[i].seen)
    return;
  emit visitRequested(expected);
}

void ScenarioLine::goToNext() {
  const int expected = next();
  if (expected < 0) return;
  if (m_expectations.occurrences()[static_cast<std::size_t>(expected)].seen) return visit(expected);
  emit runRequested(expected);
}

void ScenarioLine::openSheet() {
  m_sheet->write(m_expectations);
  m_sheet->openBelow(this);
}

void ScenarioLine::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (!isHidden()) write();
}

void ScenarioLine::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && !isHidden()) write();
  if (event->type() == QEvent::PaletteChange) applyColours();  // only the buttons' own are changed there
}

// The description steps back; the link calls.
void ScenarioLine::applyColours() {
  const QPalette plain = palette();
  const Theme theme(plain);
  const auto ink = [&](QToolButton* button, const QColor& colour) {
    QPalette mine = plain;
    mine.setColor(QPalette::Active, QPalette::ButtonText, colour);
    mine.setColor(QPalette::Inactive, QPalette::ButtonText, colour);
    button->setPalette(mine);
  };
  ink(m_about, theme.dimText());
  ink(m_next, mix(theme.accent(), theme.text(), theme.isDark() ? 0.0 : 0.1));
}

}  // namespace vitrine

#include "moc_scenario_line.cpp"
