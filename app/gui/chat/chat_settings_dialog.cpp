#include "gui/chat/chat_settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTextCursor>
#include <algorithm>

#include "gui/chat/answer_form_box.h"
#include "gui/chat/template_line.h"
#include "gui/parts/escaped_lines.h"
#include "gui/parts/focus_ring.h"
#include "gui/parts/small_parts.h"
#include "vitrine/error.h"
#include "vitrine/tool_set.h"
#include "widgets/message/lit_label.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kLetters = 104, kLines = 28, kPromptLines = 6, kStopLines = 3,
              kToolLines = 5;  // kLines: of the whole dialog

constexpr const char* kExampleTools = R"([
  {"type": "function", "function": {
    "name": "get_weather",
    "description": "The weather in a city, now",
    "parameters": {"type": "object",
      "properties": {"city": {"type": "string"}},
      "required": ["city"]}}},
  {"type": "function", "function": {
    "name": "search",
    "description": "Pages about some words",
    "parameters": {"type": "object",
      "properties": {"words": {"type": "string"}, "most": {"type": "integer"}},
      "required": ["words"]}}}
])";

QPlainTextEdit* textBox(QWidget* parent, const QString& name, int lines) {
  auto* box = new QPlainTextEdit(parent);
  box->setAccessibleName(name);
  box->setTabChangesFocus(true);
  box->setMinimumHeight((lines + 1) * box->fontMetrics().lineSpacing());
  return box;
}

}  // namespace

ChatSettingsDialog::ChatSettingsDialog(const ChatSettings& settings, EngineHost& host, QWidget* parent)
    : QDialog(parent), m_host(host), m_counter(host) {
  setWindowTitle(tr("This chat"));
  setFont(readable(font()));
  // Two pages of two columns, which a small screen has room for. The parts are made in the order of the Tab
  // key.
  auto* pages = new QTabWidget(this);
  pages->setAccessibleName(windowTitle());
  auto* prompt = new QWidget(pages);
  addParts(new QHBoxLayout(prompt),
           {{makeInstructions(), 1}, {addParts(new QVBoxLayout, {{makeTools(), 1}, makeAsking()}), 1}});
  pages->addTab(prompt, tr("&Prompt"));
  auto* answer = new QWidget(pages);
  m_form = new AnswerFormBox(answer);
  addParts(new QHBoxLayout(answer),
           {{m_form, 1}, {addParts(new QVBoxLayout, {{makeStops(), 1}, makeSampling()}), 1}});
  pages->addTab(answer, tr("&Answer"));
  m_whyNot = namedLabel(tr("Before it can be used"), this);
  m_buttons = new QDialogButtonBox(
      QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
  connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
          [this] { show(m_defaults); });
  addParts(new QVBoxLayout(this), {{pages, 1}, m_whyNot, m_buttons});
  connect(m_tools, &QPlainTextEdit::textChanged, this, &ChatSettingsDialog::checkTools);
  connect(&host, &EngineHost::loaded, this, &ChatSettingsDialog::checkTools);
  connect(m_form, &AnswerFormBox::changed, this, &ChatSettingsDialog::checkAll);
  connect(&m_counter, &TokenCounter::changed, this, &ChatSettingsDialog::showTokens);
  show(settings);
  const int width = kLetters * fontMetrics().averageCharWidth();
  resize(width, std::max(kLines * fontMetrics().lineSpacing(), layout()->totalHeightForWidth(width)));
  new FocusRing(this);
  m_instructions->setFocus();
}

QWidget* ChatSettingsDialog::makeInstructions() {
  auto* group = new QGroupBox(tr("System prompt"), this);
  m_instructions = textBox(group, tr("System prompt"), kPromptLines);
  m_instructions->setPlaceholderText(tr("For example: Answer in one sentence."));
  m_tokens = wrappedLabel({}, group);
  addParts(new QVBoxLayout(group), {{m_instructions, 1}, m_tokens});
  connect(m_instructions, &QPlainTextEdit::textChanged, this, [this] {
    m_counter.setText(m_instructions->toPlainText());
    showTokens();
  });
  return group;
}

QWidget* ChatSettingsDialog::makeStops() {
  auto* group = new QGroupBox(tr("Stop strings"), this);
  m_stops = textBox(group, tr("Stop strings"), kStopLines);
  m_stops->setLineWrapMode(QPlainTextEdit::NoWrap);
  addParts(new QVBoxLayout(group),
           {{m_stops, 1},
            wrappedLabel(
                tr("One a line. An answer ends before the first of them. \\n is a new line, \\t a tab, \\s a "
                   "blank at an end, \\\\ a backslash."),
                group)});
  return group;
}

QWidget* ChatSettingsDialog::makeTools() {
  auto* group = new QGroupBox(tr("Tools"), this);
  m_tools = textBox(group, tr("Tools"), kToolLines);
  m_tools->setFont(fixedFont(font()));
  m_tools->setPlaceholderText(tr("Functions that the model may call, as JSON"));
  m_toolWords = wrappedLabel({}, group);
  auto* example =
      plainButton(tr("Example"), tr("Write two example tools here, in place of the present text"), group);
  connect(example, &QPushButton::clicked, this, [this] {
    QTextCursor all(m_tools->document());  // so that Undo brings back what stood here
    all.select(QTextCursor::Document);
    all.insertText(QString::fromLatin1(kExampleTools));
  });
  auto* below = addParts(new QHBoxLayout, {{m_toolWords, 1}, {example, 0, Qt::AlignTop}});
  addParts(new QVBoxLayout(group), {{m_tools, 1}, below});
  return group;
}

// The words of an error name the place in the text.
void ChatSettingsDialog::checkTools() {
  QString words = tr("Without tools, an answer is text alone. Nothing is ever run.");
  m_toolsAreRead = true;
  try {
    const QString text = m_tools->toPlainText().trimmed();
    const ToolSet tools(text.toStdString());
    if (!text.isEmpty())
      words = tr("%n tool(s): %1", nullptr, static_cast<int>(tools.names().size())).arg(namesOf(tools));
    m_form->setTools(!tools.empty());
    if (!tools.empty() && !m_host.takesTools()) words += u'\n' + noToolsWords();
  } catch (const EngineError& error) {
    words = QString::fromUtf8(error.what());
    m_toolsAreRead = false;
  }
  m_toolWords->setText(words);
  checkAll();
}

// The mistake may be on the page that is not in sight.
void ChatSettingsDialog::checkAll() {
  QStringList why;
  if (!m_toolsAreRead) why << tr("The tools on the page Prompt have a mistake.");
  if (m_form->isWrong()) why << tr("The form on the page Answer has a mistake, or is empty.");
  m_whyNot->setText(why.join(u' '));
  m_buttons->button(QDialogButtonBox::Ok)->setEnabled(m_toolsAreRead && m_form->isRight());
}

QWidget* ChatSettingsDialog::makeAsking() {
  auto* group = new QGroupBox(tr("How the model is asked"), this);
  auto* rows = new QFormLayout(group);
  m_thinking = new QComboBox(group);
  m_thinking->setAccessibleName(tr("Thinking"));
  m_thinking->addItem(tr("As set in the window"));
  m_thinking->addItem(tr("Think before the answer"), true);
  m_thinking->addItem(tr("Answer at once"), false);
  m_thinking->setToolTip(tr("For models whose chat template can turn thinking on and off, such as Qwen3"));
  rows->addRow(tr("Thinking:"), m_thinking);
  m_effort = new QComboBox(group);
  m_effort->setAccessibleName(tr("Effort"));
  m_effort->addItem(tr("As the template has it"), QString());
  const QStringList names = {tr("Minimal"), tr("Low"), tr("Medium"), tr("High")};
  for (std::size_t i = 0; i < reasoningEfforts().size(); ++i)
    m_effort->addItem(names.at(static_cast<int>(i)), QString::fromStdString(reasoningEfforts()[i]));
  m_effort->setToolTip(tr("For models whose chat template can say how much they think, such as gpt-oss"));
  rows->addRow(tr("Effort:"), m_effort);
  for (const ChatMend mend : {ChatMend::kSystemInQuestion, ChatMend::kJoinedTurns}) {
    m_mends[mend] = new QCheckBox(mendName(mend), group);
    m_mends[mend]->setToolTip(tr("Where the model's chat template refuses the chat as it is"));
    rows->addRow(m_mends[mend]);
  }
  m_typedMarks = new QCheckBox(tr("Special tokens that I type count as such"), group);
  m_typedMarks->setToolTip(
      tr("Otherwise they are text to the model. With this, a typed token can end a message and begin another "
         "one: that is what prompt injection lives on."));
  rows->addRow(m_typedMarks);
  return group;
}

void ChatSettingsDialog::show(const Asking& asking) {
  m_thinking->setCurrentIndex(asking.thinking ? m_thinking->findData(*asking.thinking) : 0);
  for (const auto& [mend, box] : m_mends) box->setChecked(std::ranges::count(asking.mends, mend) > 0);
  m_typedMarks->setChecked(asking.typedMarks);
  m_effort->setCurrentIndex(m_effort->findData(QString::fromStdString(asking.effort)));
}

Asking ChatSettingsDialog::asking() const {
  Asking asking;
  for (const auto& [mend, box] : m_mends)
    if (box->isChecked()) asking.mends.push_back(mend);
  asking.typedMarks = m_typedMarks->isChecked();
  asking.effort = m_effort->currentData().toString().toStdString();
  if (const QVariant thinking = m_thinking->currentData(); thinking.isValid())
    asking.thinking = thinking.toBool();
  return asking;
}

QWidget* ChatSettingsDialog::makeSampling() {
  auto* group = new QGroupBox(tr("Sampling"), this);
  m_preset = new QComboBox(group);
  m_preset->setAccessibleName(tr("Sampling"));
  m_preset->addItem(tr("As set in the window"), QString());
  m_preset->addItem(modelPresetName(), QString(kModelPreset));
  for (const SamplingPreset& preset : samplingPresets()) m_preset->addItem(preset.name, preset.key);
  m_tip = wrappedLabel({}, group);
  addParts(new QVBoxLayout(group), {m_preset, m_tip});
  connect(m_preset, &QComboBox::currentIndexChanged, this, &ChatSettingsDialog::showTip);
  return group;
}

// A preset that this program does not know, from an imported chat, stays what it is until another is chosen.
void ChatSettingsDialog::show(const ChatSettings& settings) {
  m_instructions->setPlainText(settings.instructions);
  m_stops->setPlainText(toEscapedLines(settings.stops));
  m_tools->setPlainText(settings.tools);
  m_form->show(settings.form);
  checkTools();
  show(askingOf(settings.asking));
  if (m_preset->findData(settings.preset) < 0)
    m_preset->addItem(tr("%1 (not known here)").arg(settings.preset), settings.preset);
  m_preset->setCurrentIndex(m_preset->findData(settings.preset));
  showTokens();
  showTip();
}

void ChatSettingsDialog::showTokens() {
  const int tokens = m_counter.tokens();
  if (m_instructions->toPlainText().isEmpty())
    m_tokens->setText(tr("Empty: no system prompt is sent."));
  else if (tokens == kUnknownTokens)
    m_tokens->setText(tr("It goes before each question of this chat."));
  else
    m_tokens->setText(tr("%Ln token(s), before each question of this chat.", nullptr, tokens));
}

void ChatSettingsDialog::showTip() {
  const QString key = m_preset->currentData().toString();
  QString tip = tr("The sampler says how tokens are chosen.");
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
  settings.asking = toWords(asking());
  if (const QString tools = m_tools->toPlainText(); !tools.trimmed().isEmpty()) settings.tools = tools;
  settings.form = m_form->form();
  return settings;
}

}  // namespace vitrine

#include "moc_chat_settings_dialog.cpp"
