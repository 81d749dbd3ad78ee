#include "scenario_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "lines_area.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

}  // namespace

ScenarioBar::ScenarioBar(QWidget* parent) : QFrame(parent) {
  auto* content = new QWidget;
  m_lines = new QVBoxLayout(content);
  m_lines->setContentsMargins(0, 0, 0, 0);
  m_lines->setSpacing(2);
  m_about = addLine();
  m_about->setAccessibleName(tr("Scenario"));
  m_scroll = new LinesArea(content, this);
  auto* close = new QToolButton(this);
  close->setText(tr("Close"));
  close->setAutoRaise(true);
  close->setAccessibleName(tr("Close the scenario's description"));
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 6, 6);
  row->addWidget(m_scroll, 1);
  row->addWidget(close, 0, Qt::AlignTop);
  setAutoFillBackground(true);
  hide();
}

QLabel* ScenarioBar::addLine() {
  auto* label = new QLabel;
  label->setWordWrap(true);
  label->setTextFormat(Qt::RichText);
  label->setTextInteractionFlags(Qt::TextBrowserInteraction);
  m_lines->addWidget(label);
  return label;
}

void ScenarioBar::show(const Scenario& scenario, const Recording& soFar) {
  m_expectations = Expectations(scenario.lookAt);
  m_about->setText(QStringLiteral("<b>%1</b> – %2").arg(escaped(scenario.title), escaped(scenario.about)));
  qDeleteAll(m_sights);
  m_sights.clear();
  for (std::size_t i = 0; i < scenario.lookAt.size(); ++i) {
    m_sights += addLine();
    m_sights.back()->setAccessibleName(tr("What to look at"));
    connect(m_sights.back(), &QLabel::linkActivated, this,
            [this](const QString& link) { visit(link.toInt()); });
  }
  soFar.forEach([this](const Event& event) { m_expectations.publish(event); });
  write();
  applyColours();
  setVisible(true);
  m_scroll->ensureVisible(0, 0);
}

void ScenarioBar::take(std::span<const Event> events) {
  if (m_sights.isEmpty()) return;
  for (const Event& event : events) m_expectations.publish(event);
  write();
}

void ScenarioBar::visit(int sight) {
  const auto i = static_cast<std::size_t>(sight);
  if (sight < 0 || i >= m_expectations.sights().size() || !m_expectations.sights()[i].seen) return;
  const Expectations::Sight& seen = m_expectations.sights()[i];
  emit visitRequested(seen.step, seen.sequence, QString::fromStdString(m_expectations.wanted()[i].panel));
}

QString ScenarioBar::text() const {
  QStringList lines = {m_about->text()};
  for (const QLabel* sight : m_sights) lines += sight->text();
  return lines.join(QStringLiteral("<br>"));
}

// Only labels that changed: writing a label clears the user's selection in it.
void ScenarioBar::write() {
  for (std::size_t i = 0; i < m_expectations.wanted().size(); ++i) {
    const QString words = escaped(m_expectations.wanted()[i].words);
    const Expectations::Sight& sight = m_expectations.sights()[i];
    const QString line =
        sight.seen
            ? QStringLiteral("● <a href=\"%1\">%2</a> %3").arg(i).arg(tr("Step %1:").arg(sight.step), words)
            : QStringLiteral("○ ") + words;
    QLabel* const label = m_sights[static_cast<qsizetype>(i)];
    if (line == label->text()) continue;
    label->setText(line);
    if (sight.seen) m_scroll->ensureWidgetVisible(label, 0, 0);
  }
}

void ScenarioBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return hide();
  QFrame::keyPressEvent(event);
}

void ScenarioBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::ApplicationPaletteChange) applyColours();
}

void ScenarioBar::applyColours() {
  const QPalette window = parentWidget() ? parentWidget()->palette() : palette();
  QPalette mine = window;
  mine.setColor(QPalette::Window, mix(window.color(QPalette::Window), Theme(window).accent(), 0.12));
  setPalette(mine);
}

}  // namespace vitrine
