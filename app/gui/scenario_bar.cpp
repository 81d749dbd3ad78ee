#include "scenario_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/support/theme.h"

namespace vitrine {
namespace {

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

}  // namespace

ScenarioBar::ScenarioBar(QWidget* parent)
    : QFrame(parent), m_about(new QLabel(this)), m_sights(new QLabel(this)) {
  for (QLabel* label : {m_about, m_sights}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
  }
  m_about->setAccessibleName(tr("Scenario"));
  m_sights->setAccessibleName(tr("What to look at"));
  connect(m_sights, &QLabel::linkActivated, this, [this](const QString& link) { visit(link.toInt()); });
  auto* close = new QToolButton(this);
  close->setText(tr("Close"));
  close->setAutoRaise(true);
  close->setAccessibleName(tr("Close the scenario's description"));
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  auto* column = new QVBoxLayout;
  column->setSpacing(2);
  column->addWidget(m_about);
  column->addWidget(m_sights);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 6, 6);
  row->addLayout(column, 1);
  row->addWidget(close, 0, Qt::AlignTop);
  setAutoFillBackground(true);
  hide();
}

void ScenarioBar::show(const Scenario& scenario, std::span<const Event> soFar) {
  m_lookout = Lookout(scenario.lookAt);
  m_about->setText(QStringLiteral("<b>%1</b> – %2").arg(escaped(scenario.title), escaped(scenario.about)));
  m_sights->setVisible(!scenario.lookAt.empty());
  take(soFar);
  applyColours();
  setVisible(true);
}

void ScenarioBar::take(std::span<const Event> events) {
  for (const Event& event : events) m_lookout.publish(event);
  write();
}

void ScenarioBar::visit(int sight) {
  const auto i = static_cast<std::size_t>(sight);
  if (sight < 0 || i >= m_lookout.sights().size() || !m_lookout.sights()[i].seen) return;
  const Lookout::Sight& seen = m_lookout.sights()[i];
  emit visitRequested(seen.step, seen.sequence, QString::fromStdString(m_lookout.wanted()[i].panel));
}

QString ScenarioBar::text() const { return m_about->text() + m_sights->text(); }

// Only when something changed: writing anew would take a reader's selection away.
void ScenarioBar::write() {
  QStringList lines;
  for (std::size_t i = 0; i < m_lookout.wanted().size(); ++i) {
    const QString words = escaped(m_lookout.wanted()[i].words);
    const Lookout::Sight& sight = m_lookout.sights()[i];
    if (sight.seen)
      lines += QStringLiteral("● <a href=\"%1\">%2</a> %3").arg(i).arg(tr("Step %1:").arg(sight.step), words);
    else
      lines += QStringLiteral("○ ") + words;
  }
  const QString text = lines.join(QStringLiteral("<br>"));
  if (text != m_sights->text()) m_sights->setText(text);
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
