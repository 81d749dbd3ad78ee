#include "chat_settings_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QGroupBox>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "escaped_lines.h"
#include "focus_ring.h"
#include "widgets/support/field_style.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kLetters = 64, kLines = 29, kPromptLines = 7, kStopLines = 3;  // kLines: of the whole dialog

QPlainTextEdit* textBox(QWidget* parent, const QString& name, int lines) {
  auto* box = new QPlainTextEdit(parent);
  box->setAccessibleName(name);
  box->setTabChangesFocus(true);
  FieldStyle::outline(*box);
  box->setMinimumHeight((lines + 1) * box->fontMetrics().lineSpacing());
  return box;
}

QLabel* quietLabel(QWidget* parent, const QString& text = {}) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

}  // namespace

ChatSettingsDialog::ChatSettingsDialog(const ChatSettings& settings, EngineHost& host, QWidget* parent)
    : QDialog(parent), m_counter(host) {
  setWindowTitle(tr("This chat"));
  setFont(readable(font()));
  auto* rows = new QVBoxLayout(this);
  rows->addWidget(makeInstructions(), 2);
  rows->addWidget(makeStops(), 1);
  rows->addWidget(makeSampling());
  auto* buttons = new QDialogButtonBox(
      QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
          [this] { show(m_defaults); });
  rows->addWidget(buttons);
  connect(&m_counter, &TokenCounter::changed, this, &ChatSettingsDialog::showTokens);
  show(settings);
  const int width = kLetters * fontMetrics().averageCharWidth();
  resize(width, std::max(kLines * fontMetrics().lineSpacing(), layout()->totalHeightForWidth(width)));
  new FocusRing(this);
  m_instructions->setFocus();
}

QWidget* ChatSettingsDialog::makeInstructions() {
  auto* group = new QGroupBox(tr("System prompt"), this);
  auto* rows = new QVBoxLayout(group);
  m_instructions = textBox(group, tr("System prompt"), kPromptLines);
  m_instructions->setPlaceholderText(tr("For example: Answer in one sentence."));
  m_tokens = quietLabel(group);
  rows->addWidget(m_instructions, 1);
  rows->addWidget(m_tokens);
  connect(m_instructions, &QPlainTextEdit::textChanged, this, [this] {
    m_counter.setText(m_instructions->toPlainText());
    showTokens();
  });
  return group;
}

QWidget* ChatSettingsDialog::makeStops() {
  auto* group = new QGroupBox(tr("Stop strings"), this);
  auto* rows = new QVBoxLayout(group);
  m_stops = textBox(group, tr("Stop strings"), kStopLines);
  m_stops->setLineWrapMode(QPlainTextEdit::NoWrap);
  rows->addWidget(m_stops, 1);
  rows->addWidget(quietLabel(
      group, tr("One a line. An answer ends before the first of them. \\n is a new line, \\t a tab, \\s a "
                "blank at an end, \\\\ a backslash.")));
  return group;
}

QWidget* ChatSettingsDialog::makeSampling() {
  auto* group = new QGroupBox(tr("Sampling"), this);
  auto* rows = new QVBoxLayout(group);
  m_preset = new QComboBox(group);
  m_preset->setAccessibleName(tr("Sampling"));
  m_preset->addItem(tr("As set in the window"), QString());
  m_preset->addItem(modelPresetName(), QString(kModelPreset));
  for (const SamplingPreset& preset : samplingPresets()) m_preset->addItem(preset.name, preset.key);
  m_tip = quietLabel(group);
  rows->addWidget(m_preset);
  rows->addWidget(m_tip);
  connect(m_preset, &QComboBox::currentIndexChanged, this, &ChatSettingsDialog::showTip);
  return group;
}

// A preset that this program does not know, from an imported chat, stays what it is until another is chosen.
void ChatSettingsDialog::show(const ChatSettings& settings) {
  m_instructions->setPlainText(settings.instructions);
  m_stops->setPlainText(toEscapedLines(settings.stops));
  if (m_preset->findData(settings.preset) < 0)
    m_preset->addItem(tr("%1 (not known here)").arg(settings.preset), settings.preset);
  m_preset->setCurrentIndex(m_preset->findData(settings.preset));
  showTokens();
  showTip();
}

void ChatSettingsDialog::showTokens() {
  const int tokens = m_counter.tokens();
  if (m_instructions->toPlainText().isEmpty())
    m_tokens->setText(tr("Without one, the model is asked as it was made."));
  else if (tokens == EngineHost::kUnknownTokens)
    m_tokens->setText(tr("It goes before each question of this chat."));
  else
    m_tokens->setText(tr("%Ln token(s), before each question of this chat.", nullptr, tokens));
}

void ChatSettingsDialog::showTip() {
  const QString key = m_preset->currentData().toString();
  QString tip = tr("The sampling panel says how tokens are chosen.");
  for (const SamplingPreset& preset : samplingPresets())
    if (preset.key == key) tip = preset.tip;
  m_tip->setText(key == kModelPreset ? modelPresetTip(m_recommended) : tip);
}

void ChatSettingsDialog::setRecommended(const std::optional<SamplingOptions>& recommended) {
  m_recommended = recommended;
  showTip();
}

ChatSettings ChatSettingsDialog::settings() const {
  ChatSettings settings;
  const QString instructions = m_instructions->toPlainText();
  if (!instructions.trimmed().isEmpty()) settings.instructions = instructions;
  settings.stops = fromEscapedLines(m_stops->toPlainText());
  settings.preset = m_preset->currentData().toString();
  return settings;
}

}  // namespace vitrine
