#include "gui/settings/settings_dialog.h"

#include <QDialogButtonBox>
#include <QGroupBox>
#include <QKeyEvent>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "gui/parts/focus_ring.h"
#include "gui/parts/screen_fit.h"
#include "gui/parts/scroll_page.h"
#include "gui/parts/small_parts.h"
#include "gui/settings/setting_row.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

SettingsDialog::SettingsDialog(const std::vector<Setting>& settings, QWidget* parent)
    : QDialog(parent),
      m_filter(findLine(tr("Find a setting: theme, proxy, temperature, …"), tr("Find a setting"), this)),
      m_nothing(wrappedLabel({}, this)),
      m_told(new QLabel(this)),
      m_resetAll(plainButton(tr("&Reset all"),
                             tr("Every setting of this window, also those that the search leaves out"),
                             this)) {
  setWindowTitle(tr("Settings"));
  setFont(readable(font()));
  m_filter->installEventFilter(this);
  m_nothing->setAlignment(Qt::AlignCenter);
  m_nothing->hide();
  addParts(new QVBoxLayout(this), {m_filter, m_nothing, {scrollable(makeRows(settings)), 1}, makeFoot()});
  connect(m_filter, &QLineEdit::textChanged, this, &SettingsDialog::narrow);
  resize(104 * fontMetrics().averageCharWidth(), 32 * fontMetrics().lineSpacing());
  setMinimumSize(320, 240);
  new ScreenFit(this);
  new FocusRing(this);
  follow();
  m_filter->setFocus();
}

QWidget* SettingsDialog::makeRows(const std::vector<Setting>& settings) {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  QFont bold, plain;  // of the size around them
  bold.setBold(true);
  plain.setBold(false);
  for (const Setting& setting : settings) {
    QGroupBox*& group = m_groups[setting.group];
    if (group == nullptr) {
      group = new QGroupBox(groupTitle(setting.group), page);
      group->setFont(bold);
      new QVBoxLayout(group);
      column->addWidget(group);
    }
    auto* row = new SettingRow(setting, group);
    row->setFont(plain);
    group->layout()->addWidget(row);
    m_rows.push_back(row);
    connect(row, &SettingRow::changed, this, [this] {
      forgetUndo();
      follow();
    });
  }
  column->addStretch(1);
  return page;
}

QWidget* SettingsDialog::makeFoot() {
  auto* foot = new QWidget(this);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, foot);
  for (QAbstractButton* button : buttons->buttons()) static_cast<QPushButton*>(button)->setAutoDefault(false);
  connect(m_resetAll, &QPushButton::clicked, this, &SettingsDialog::resetOrUndo);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  addParts(withoutMargins(new QHBoxLayout(foot)), {m_resetAll, {m_told, 1}, buttons});
  return foot;
}

void SettingsDialog::showAt(const QString& key) {
  m_filter->clear();
  for (const SettingRow* row : m_rows)
    if (row->setting().key == key) row->field()->setFocus(Qt::ShortcutFocusReason);
}

void SettingsDialog::follow() {
  bool isDefault = true;
  for (SettingRow* row : m_rows) {
    row->follow();
    isDefault = isDefault && row->setting().isDefault();
  }
  m_resetAll->setEnabled(!isDefault || !m_before.empty());
}

void SettingsDialog::narrow(const QString& typed) {
  static const QRegularExpression blanks(QStringLiteral("\\s+"));
  const QStringList words = typed.split(blanks, Qt::SkipEmptyParts);
  std::map<SettingGroup, bool> any;
  for (SettingRow* row : m_rows) {
    const bool found = row->find(words);
    row->setVisible(found);
    any[row->setting().group] |= found;
  }
  for (const auto& [group, box] : m_groups) box->setVisible(any[group]);
  const bool none = std::ranges::none_of(any, [](const auto& one) { return one.second; });
  m_nothing->setText(none ? tr("No setting has “%1”.").arg(typed.simplified()) : QString());
  m_nothing->setVisible(none);
  m_filter->setAccessibleDescription(m_nothing->text());
}

// Down and Enter lead from the search to what it found.
bool SettingsDialog::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_filter && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
      goToFirst();
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

void SettingsDialog::goToFirst() {
  const auto first = std::ranges::find_if(m_rows, [](const SettingRow* row) { return !row->isHidden(); });
  if (first != m_rows.end()) (*first)->field()->setFocus(Qt::TabFocusReason);
}

void SettingsDialog::resetOrUndo() {
  const auto undone = std::exchange(m_before, {});
  if (!undone.empty()) {
    for (const auto& [row, value] : undone) row->change(value);
    forgetUndo();
    m_told->setText(tr("The settings are as they were before."));
    return follow();
  }
  for (SettingRow* row : m_rows) {
    const Setting& one = row->setting();
    if (!one.isDefault()) m_before.emplace_back(row, one.value());
    if (one.hasValue()) row->change(one.fallback);
  }
  if (m_before.empty()) return follow();
  m_resetAll->setText(tr("&Undo the reset"));
  m_told->setText(tr("Every setting is at its default."));
  follow();
}

void SettingsDialog::forgetUndo() {
  m_before.clear();
  m_told->clear();
  m_resetAll->setText(tr("&Reset all"));
}

}  // namespace vitrine

#include "moc_settings_dialog.cpp"
