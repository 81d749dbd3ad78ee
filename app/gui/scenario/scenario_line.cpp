#include "gui/scenario/scenario_line.h"

#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/parts/card.h"
#include "gui/parts/small_parts.h"
#include "gui/scenario/scenario_sheet.h"
#include "gui/scenario/scenario_words.h"
#include "widgets/session/session.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {

constexpr int kSpacing = 2;  // pixels

// A pill that calls, with its key in small letters behind the words.
class NextButton final : public QToolButton {
 public:
  explicit NextButton(QWidget* parent) : QToolButton(parent) {
    setFont(readable(font()));
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  }

  void setKey(const QString& key) {
    if (std::exchange(m_key, key) == key) return;
    updateGeometry();
    update();
  }

  int widthWith(const QString& words) const {
    const double key = m_key.isEmpty() ? 0 : textWidth(font(), m_key) + kGap;
    return static_cast<int>(std::ceil(textWidth(boldened(font()), words) + key + 2 * kSide));
  }
  QSize sizeHint() const override { return {widthWith(text()), fontMetrics().height() + 12}; }
  QSize minimumSizeHint() const override {
    return {std::min(kLeast, sizeHint().width()), sizeHint().height()};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme theme = Theme::of(this);
    const bool calls = !m_key.isEmpty();
    if (calls) paintPill(painter, QRectF(rect()).adjusted(0.5, 2.5, -0.5, -2.5), softAccent(theme));
    QRectF room = QRectF(rect()).adjusted(kSide, 0, -kSide, 0);
    const double key = calls ? textWidth(font(), m_key) + kGap : 0;
    const QFont bold = boldened(font(), calls);
    painter.setFont(bold);
    paintText(painter, room.adjusted(0, 0, -key, 0), Qt::AlignLeft | Qt::AlignVCenter,
              elidedText(bold, text(), room.width() - key), calls ? accentInk(theme) : theme.dimText());
    painter.setFont(font());
    if (calls) paintText(painter, room, Qt::AlignRight | Qt::AlignVCenter, m_key, theme.dimText());
  }

 private:
  static constexpr int kSide = 12, kGap = 8, kLeast = 96;  // pixels

  QString m_key;
};

ScenarioLine::ScenarioLine(const Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_next(new NextButton(this)),
      m_about(commandButton(QStringLiteral("▾"),
                            tr("The scenario: its description, and what there is to see"), this)),
      m_sheet(new ScenarioSheet(this)) {
  m_about->setAccessibleName(tr("About the scenario"));
  auto* row = withoutMargins(new QHBoxLayout(this));
  row->setSpacing(kSpacing);
  addParts(row, {m_next, m_about});
  connect(m_about, &QToolButton::clicked, this, &ScenarioLine::openSheet);
  connect(m_next, &QToolButton::clicked, this, &ScenarioLine::proceed);
  connect(m_sheet, &ScenarioSheet::visitRequested, this, &ScenarioLine::visit);
  hide();
}

void ScenarioLine::show(const Scenario& scenario, const Recording& soFar) {
  m_expectations = Expectations(scenario.expected);
  m_sheet->show(scenario);
  soFar.forEach([this](const Event& event) { m_expectations.publish(event); });
  setVisible(true);
  write();
  emit described(QString::fromStdString(scenario.about));  // the tool bar has its title
}

void ScenarioLine::leave() {
  hide();
  emit described({});
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
  if (expected < 0) return m_expectations.wanted().empty() ? QString() : tr("All seen");
  const auto i = static_cast<std::size_t>(expected);
  const QString name = expectedWords(m_expectations.wanted()[i]);
  return m_expectations.occurrences()[i].seen
             ? tr("Next: %1, step %2").arg(name).arg(m_expectations.occurrences()[i].step)
             : tr("Next: %1").arg(name);
}

// Also where the room is the same: the letters may have grown.
void ScenarioLine::setRoom(int pixels) {
  m_room = pixels;
  fitWords();
}

void ScenarioLine::fitWords() {
  if (m_words.isEmpty()) return;
  const int room = m_room - m_about->sizeHint().width() - kSpacing;
  const auto fitting =
      std::ranges::find_if(m_words, [&](const QString& words) { return m_next->widthWith(words) <= room; });
  m_next->setText(fitting == m_words.end() ? m_words.back() : *fitting);
}

void ScenarioLine::write() {
  m_sheet->write(m_expectations);
  const int expected = next();
  const QString words = nextText();
  m_next->setAccessibleName(words);
  m_next->setKey(expected < 0 ? QString() : tr("N"));
  m_words = {words};
  if (expected >= 0) {
    const auto& wanted = m_expectations.wanted()[static_cast<std::size_t>(expected)];
    m_words += {tr("Next: %1").arg(expectedWords(wanted)), tr("Next")};
    for (QString& form : m_words) form += QStringLiteral(" ▸");
  }
  fitWords();
  m_next->setVisible(!words.isEmpty());  // also when all is seen: it keeps the focus, and opens the sheet
  m_next->setToolTip(
      expected < 0 ? tr("Things that there were to see, with their steps")
                   : tr("%1: run to it at full speed and stop there (N). %2")
                         .arg(words, QString::fromStdString(
                                         m_expectations.wanted()[static_cast<std::size_t>(expected)].words)));
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

void ScenarioLine::proceed() { next() < 0 ? openSheet() : goToNext(); }

void ScenarioLine::openSheet() {
  m_sheet->write(m_expectations);
  m_sheet->openBelow(this);
}

}  // namespace vitrine

#include "moc_scenario_line.cpp"
