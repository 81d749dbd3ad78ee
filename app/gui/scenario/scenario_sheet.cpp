#include "gui/scenario/scenario_sheet.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/parts/card.h"

namespace vitrine {

namespace {

constexpr int kWidestLetters = 80;

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

}  // namespace

ScenarioSheet::ScenarioSheet(QWidget* parent) : QFrame(parent, Qt::Popup) {
  setAccessibleName(tr("Scenario"));
  setBackgroundRole(QPalette::Base);
  m_lines = new QVBoxLayout(this);
  m_lines->setContentsMargins(16, 12, 16, 14);
  m_lines->setSpacing(8);
  m_about = addLine();
  m_about->setAccessibleName(tr("Scenario"));
}

QLabel* ScenarioSheet::addLine() {
  auto* label = new QLabel(this);
  label->setWordWrap(true);
  label->setTextFormat(Qt::RichText);
  label->setTextInteractionFlags(Qt::TextBrowserInteraction);
  m_lines->addWidget(label);
  return label;
}

void ScenarioSheet::show(const Scenario& scenario) {
  m_about->setText(QStringLiteral("<b>%1</b><br>%2").arg(escaped(scenario.title), escaped(scenario.about)));
  qDeleteAll(m_expected);
  m_expected.clear();
  for (std::size_t i = 0; i < scenario.expected.size(); ++i) {
    m_expected += addLine();
    m_expected.back()->setAccessibleName(tr("Things to look at"));
    connect(m_expected.back(), &QLabel::linkActivated, this, [this](const QString& link) {
      hide();
      emit visitRequested(link.toInt());
    });
  }
}

QString ScenarioSheet::text() const {
  QStringList lines = {m_about->text()};
  for (const QLabel* line : m_expected) lines += line->text();
  return lines.join(QStringLiteral("<br>"));
}

// Only labels that changed: writing a label clears the user's selection in it.
void ScenarioSheet::write(const Expectations& expectations) {
  qsizetype place = 0;
  for (const std::size_t i : expectations.inOrder()) {
    const QString words = escaped(expectations.wanted()[i].words);
    const Expectations::Occurrence& occurrence = expectations.occurrences()[i];
    const QString line = occurrence.seen ? QStringLiteral("✓ <a href=\"%1\">%2</a> %3")
                                               .arg(i)
                                               .arg(tr("Step %1:").arg(occurrence.step), words)
                                         : QStringLiteral("○ ") + words;
    QLabel* const label = m_expected[place++];
    if (line != label->text()) label->setText(line);
  }
}

void ScenarioSheet::openBelow(const QWidget* line) {
  const QWidget* window = line->window();
  setFont(window->font());
  const int width = std::min(fontMetrics().averageCharWidth() * kWidestLetters, window->width() - 24);
  resize(width, std::max(heightForWidth(width), 40));
  QPoint corner = line->mapToGlobal(QPoint(line->width() - width - kCardGap, line->height() + 2));
  corner.setX(std::max(corner.x(), window->mapToGlobal(QPoint(12, 0)).x()));
  move(corner);
  setVisible(true);
  setFocus(Qt::PopupFocusReason);
}

void ScenarioSheet::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::of(this);
  painter.fillRect(rect(), theme.base());
  painter.setPen(QPen(theme.accent(), 1));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace vitrine

#include "moc_scenario_sheet.cpp"
