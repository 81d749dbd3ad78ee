#include "gui/settings/setting_row.h"

#include <QAccessible>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "widgets/conversation/sought_text.h"
#include "widgets/support/theme.h"
#include "widgets/support/wheel_guard.h"

namespace vitrine {
namespace {

constexpr int kFieldLetters = 32;  // at most

// As HTML, with what is sought marked.
QString lit(const QString& text, const QStringList& sought, const Theme& theme, const QColor& ink) {
  const QColor ground = mix(theme.base(), theme.accent(), 0.3);
  const QString mark = QStringLiteral("<span style=\"background-color:%1;color:%2\">%3</span>")
                           .arg(ground.name(), theme.text().name());
  QString html = QStringLiteral("<span style=\"color:%1\">").arg(ink.name());
  int at = 0;
  for (const FoundRange& range : occurrences(text, {sought})) {
    html += text.mid(at, range.begin - at).toHtmlEscaped();
    html += mark.arg(text.mid(range.begin, range.length).toHtmlEscaped());
    at = range.begin + range.length;
  }
  return html + text.mid(at).toHtmlEscaped() + QStringLiteral("</span>");
}

bool has(const QString& text, const QString& word) { return text.contains(word, Qt::CaseInsensitive); }

QLabel* wrapped(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  return label;
}

}  // namespace

SettingRow::SettingRow(Setting setting, QWidget* parent)
    : QWidget(parent),
      m_setting(std::move(setting)),
      m_name(wrapped(this)),
      m_help(wrapped(this)),
      m_editor(m_setting.makeEditor(this, [this] { changeByHand(m_editor.value()); })),
      m_reset(new QToolButton(this)),
      m_complaint(wrapped(this)) {
  nameParts();
  m_editor.widget->setMaximumWidth(kFieldLetters * fontMetrics().averageCharWidth());
  QSizePolicy keepsPlace = m_reset->sizePolicy();
  keepsPlace.setRetainSizeWhenHidden(true);
  m_reset->setSizePolicy(keepsPlace);
  m_complaint->hide();
  QSizePolicy fills = m_editor.widget->sizePolicy();  // so that the fields of all rows stand below each other
  fills.setHorizontalPolicy(QSizePolicy::Expanding);
  m_editor.widget->setSizePolicy(fills);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 4, 0, 4);
  grid->setVerticalSpacing(2);
  grid->addWidget(m_name, 0, 0);
  grid->addWidget(m_help, 1, 0);
  grid->addWidget(m_complaint, 2, 0, 1, 3);
  grid->addWidget(m_editor.widget, 0, 1, 2, 1);
  grid->addWidget(m_reset, 0, 2, 2, 1, Qt::AlignVCenter);
  grid->setColumnStretch(0, 3);
  grid->setColumnStretch(1, 2);
  connect(m_reset, &QToolButton::clicked, this, [this] {
    m_editor.field->setFocus();  // the button goes
    changeByHand(m_setting.fallback);
  });
  follow();
  render();
}

void SettingRow::nameParts() {
  QWidget* const field = m_editor.field;
  field->setObjectName(m_setting.key);
  field->setAccessibleName(m_setting.name);
  field->setAccessibleDescription(m_setting.help);
  field->setToolTip(m_setting.help);
  WheelGuard::guard(field);
  m_name->setBuddy(field);
  m_name->setAccessibleName(m_setting.name);
  m_help->setAccessibleName(m_setting.help);
  m_complaint->setTextFormat(Qt::PlainText);
  m_reset->setText(tr("Reset"));
  m_reset->setToolTip(tr("Back to the default"));
  m_reset->setAccessibleName(tr("%1: back to the default").arg(m_setting.name));
  m_reset->setFocusPolicy(Qt::StrongFocus);
}

void SettingRow::follow() {
  m_reset->setVisible(!m_setting.isDefault() || m_refused.isValid());
  if (!m_setting.hasValue() || m_refused.isValid()) return;
  if (m_editor.value() != m_setting.value()) m_editor.show(m_setting.value());
}

void SettingRow::changeByHand(const QVariant& value) {
  if (change(value)) emit changed();
}

bool SettingRow::change(const QVariant& value) {
  if (value == m_setting.value() && !m_refused.isValid()) return false;
  const QString problem = m_setting.change(value);
  m_refused = problem.isEmpty() ? QVariant() : value;
  const bool isNew = problem != m_complaint->text();
  m_complaint->setText(problem);
  m_complaint->setVisible(!problem.isEmpty());
  m_editor.field->setAccessibleDescription(problem.isEmpty() ? m_setting.help : problem);
  if (isNew && !problem.isEmpty()) {
    QAccessibleEvent alert(m_complaint, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
  }
  follow();
  return true;
}

bool SettingRow::find(const QStringList& words) {
  m_sought = words;
  render();
  const QString around = m_setting.name + u'\n' + m_setting.help + u'\n' + groupTitle(m_setting.group) +
                         u'\n' + m_setting.also.join(u'\n');
  return std::ranges::all_of(words, [&](const QString& word) { return has(around, word); });
}

// Of the words behind a setting those that were sought are shown.
void SettingRow::render() {
  const Theme theme = Theme::of(this);
  QStringList behind;
  for (const QString& one : m_setting.also)
    if (std::ranges::any_of(m_sought, [&](const QString& word) { return has(one, word); })) behind << one;
  const QString help = behind.isEmpty()
                           ? m_setting.help
                           : tr("%1 Found in it: %2").arg(m_setting.help, behind.join(QStringLiteral(", ")));
  m_name->setText(lit(m_setting.name, m_sought, theme, theme.text()));
  m_help->setText(lit(help, m_sought, theme, theme.dimText()));
  QPalette loud = palette();
  loud.setColor(QPalette::WindowText, theme.warning());
  m_complaint->setPalette(loud);
}

void SettingRow::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_complaint) render();
  if (event->type() == QEvent::FontChange && m_editor.widget)
    m_editor.widget->setMaximumWidth(kFieldLetters * fontMetrics().averageCharWidth());
}

}  // namespace vitrine

#include "moc_setting_row.cpp"
