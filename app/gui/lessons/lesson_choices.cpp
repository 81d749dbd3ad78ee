#include "gui/lessons/lesson_choices.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "gui/parts/small_parts.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kChoiceGap = 6;

QString letterOf(std::size_t choice) { return QString(QChar(static_cast<char16_t>(u'A' + choice))); }

}  // namespace

LessonChoices::LessonChoices(QWidget* parent) : QWidget(parent) {
  auto* grid = withoutMargins(new QGridLayout(this));
  grid->setSpacing(kChoiceGap);
  grid->setColumnStretch(1, 1);
}

void LessonChoices::makeRows(const std::vector<LessonChoice>& choices) {
  for (QWidget* part : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) delete part;
  m_buttons.clear();
  m_rows.clear();
  m_choices = choices;
  auto* const grid = static_cast<QGridLayout*>(layout());
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const QString text = QString::fromStdString(choices[i].text);
    auto* const button = new QToolButton(this);
    button->setText(letterOf(i));
    button->setAccessibleName(tr("%1: %2").arg(letterOf(i), text));
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, [this, i] { emit chosen(static_cast<int>(i)); });
    const Row row{wrappedLabel(text, this), wrappedLabel(QString::fromStdString(choices[i].because), this)};
    row.because->hide();
    const int line = static_cast<int>(2 * i);
    grid->addWidget(button, line, 0, Qt::AlignTop);
    grid->addWidget(row.text, line, 1, Qt::AlignVCenter);
    grid->addWidget(row.because, line + 1, 1);
    m_buttons.push_back(button);
    m_rows.push_back(row);
  }
}

// A button that was pressed stays a button: the focus would go elsewhere with it.
void LessonChoices::show(const LessonModel& model) {
  if (m_choices != model.shown().choices) makeRows(model.shown().choices);
  setVisible(!m_choices.empty());
  const Theme theme = Theme::of(this);
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    const LessonChoice& choice = m_choices[i];
    const bool isTaken = model.chosen() == static_cast<int>(i), tells = model.isRevealed();
    QString text = QString::fromStdString(choice.text);
    if (tells && choice.right) text.prepend(QStringLiteral("✓ "));
    if (tells && !choice.right && isTaken) text.prepend(QStringLiteral("✗ "));
    m_rows[i].text->setText(text);
    QFont font = this->font();
    font.setBold(tells && choice.right);
    m_rows[i].text->setFont(font);
    QPalette ink = palette();
    if (tells && isTaken && !choice.right) ink.setColor(QPalette::WindowText, theme.warning());
    m_rows[i].text->setPalette(ink);
    m_rows[i].because->setVisible(tells && !choice.because.empty() && (choice.right || isTaken));
  }
}

}  // namespace vitrine

#include "moc_lesson_choices.cpp"
