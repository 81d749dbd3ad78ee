#include "gui/scenario/scenario_editor.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QGuiApplication>
#include <QListWidget>
#include <QStandardPaths>
#include <algorithm>
#include <optional>

#include "gui/parts/file_name.h"
#include "gui/parts/first_size.h"
#include "gui/parts/small_parts.h"
#include "gui/scenario/request_form.h"
#include "gui/settings/engine_options_dialog.h"
#include "gui/settings/settings.h"
#include "scenarios/scenario_edits.h"
#include "scenarios/scenario_text.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/window_words.h"

namespace vitrine {
namespace {

constexpr QSize kEditorRoomy(900, 600);

QString rowText(const RequestLine& line, std::optional<int> cancelStep) {
  const Request& request = line.arguments.request;
  QStringList parts{QString::fromStdString(request.name),
                    ScenarioEditor::tr("step %1").arg(line.arrivalStep)};
  if (request.priority != 0) parts << ScenarioEditor::tr("priority %1").arg(request.priority);
  if (cancelStep) parts << ScenarioEditor::tr("cancelled after step %1").arg(*cancelStep);
  parts << QString::fromStdString(request.prompt).simplified().left(60);
  return parts.join(QStringLiteral(" · "));
}

QString rowText(const Scenario& scenario, std::size_t request) {
  return rowText(scenario.requests[request], cancelStepOf(scenario, request));
}

QLabel* wordsLabel(const QString& name, QWidget* parent) {
  QLabel* label = namedLabel(name, parent);
  label->hide();
  return label;
}

}  // namespace

ScenarioEditor::ScenarioEditor(const Scenario& original, int presentStep, QWidget* parent)
    : QDialog(parent),
      m_original(original),
      m_presentStep(presentStep),
      m_title(new QLineEdit(this)),
      m_about(new QLineEdit(this)),
      m_list(new QListWidget(this)),
      m_form(new RequestForm(this)),
      m_runOn(new QCheckBox(tr("Run on to step %1, where the machine is now").arg(presentStep), this)),
      m_complaint(wordsLabel(tr("Why it cannot be played"), this)),
      m_note(wordsLabel(tr("Result of the last command"), this)) {
  setWindowTitle(tr("Edit the scenario"));
  m_runOn->setChecked(presentStep > 0);
  m_runOn->setVisible(presentStep > 0);
  auto* middle = addParts(new QHBoxLayout, {{makeList(), 2}, {m_form, 3}});
  addParts(new QVBoxLayout(this), {makeHead(), {middle, 1}, m_complaint, m_note, m_runOn, makeButtons()});
  connect(m_form, &RequestForm::changed, this, &ScenarioEditor::takeForm);
  connect(m_list, &QListWidget::currentRowChanged, this, &ScenarioEditor::choose);
  openInside(this, kEditorRoomy);
  show(original, 0);
  if (original.requests.empty()) addRequest();
}

QWidget* ScenarioEditor::makeHead() {
  auto* head = new QWidget(this);
  auto* form = withoutMargins(new QFormLayout(head));
  form->addRow(tr("Title"), m_title);
  form->addRow(tr("What it shows"), m_about);
  connect(m_title, &QLineEdit::textEdited, this,
          [this](const QString& text) { m_scenario.title = text.toStdString(); });
  connect(m_about, &QLineEdit::textEdited, this,
          [this](const QString& text) { m_scenario.about = text.toStdString(); });
  return head;
}

QWidget* ScenarioEditor::makeList() {
  auto* side = new QWidget(this);
  auto* column = withoutMargins(new QVBoxLayout(side));
  m_list->setAccessibleName(tr("Requests"));
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setTextElideMode(Qt::ElideRight);
  column->addWidget(m_list, 1);
  addButton(column, tr("Add a request"), &ScenarioEditor::addRequest);
  m_duplicate = addButton(column, tr("Duplicate"), &ScenarioEditor::duplicateRequest);
  m_remove = addButton(column, tr("Remove"), &ScenarioEditor::removeRequest);
  addButton(column, tr("Machine options…"), &ScenarioEditor::chooseMachineOptions);
  return side;
}

QPushButton* ScenarioEditor::addButton(QVBoxLayout* column, const QString& text,
                                       void (ScenarioEditor::*press)()) {
  QPushButton* button = plainButton(text, {}, this);
  connect(button, &QPushButton::clicked, this, press);
  column->addWidget(button);
  return button;
}

QWidget* ScenarioEditor::makeButtons() {
  auto* buttons =
      new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::Reset, this);
  m_play = buttons->button(QDialogButtonBox::Ok);
  m_play->setText(tr("Play"));
  QPushButton* revert = buttons->button(QDialogButtonBox::Reset);
  revert->setText(tr("Revert"));
  revert->setToolTip(tr("Drops all changes."));
  QPushButton* copy = buttons->addButton(tr("Copy as command"), QDialogButtonBox::ActionRole);
  copy->setToolTip(tr("A command line of vitrine-cli that gives each request the same tokens."));
  QPushButton* save = buttons->addButton(tr("Save as…"), QDialogButtonBox::ActionRole);
  for (QPushButton* button : {revert, copy, save}) button->setAutoDefault(false);
  connect(buttons, &QDialogButtonBox::accepted, this, &ScenarioEditor::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(revert, &QPushButton::clicked, this, [this] { show(m_original, 0); });
  connect(copy, &QPushButton::clicked, this, &ScenarioEditor::copyCommand);
  connect(save, &QPushButton::clicked, this, &ScenarioEditor::chooseFile);
  return buttons;
}

void ScenarioEditor::showDraft(const Scenario& draft) {
  show(draft, 0);
  m_note->setText(tr("These are your changes from before. “Revert” drops them."));
  m_note->show();
}

void ScenarioEditor::show(const Scenario& scenario, int row) {
  m_scenario = scenario;
  m_title->setText(QString::fromStdString(scenario.title));
  m_about->setText(QString::fromStdString(scenario.about));
  m_about->setCursorPosition(0);
  m_note->hide();
  const QSignalBlocker quiet(m_list);
  m_list->clear();
  for (std::size_t i = 0; i < scenario.requests.size(); ++i) m_list->addItem(rowText(scenario, i));
  m_list->setCurrentRow(std::min(row, m_list->count() - 1));
  choose(m_list->currentRow());
}

void ScenarioEditor::choose(int row) {
  m_row = row;
  if (row >= 0) {
    const auto request = static_cast<std::size_t>(row);
    m_form->edit(m_scenario.requests[request], cancelStepOf(m_scenario, request));
  }
  for (QWidget* part : std::initializer_list<QWidget*>{m_form, m_duplicate, m_remove})
    part->setEnabled(row >= 0);
  refresh();
}

// A name that is empty or taken is not taken over.
void ScenarioEditor::takeForm() {
  if (m_row < 0) return;
  const auto request = static_cast<std::size_t>(m_row);
  RequestLine line = m_form->line();
  std::string& name = line.arguments.request.name;
  const std::string& before = m_scenario.requests[request].arguments.request.name;
  if (name != before && (name.empty() || hasRequest(m_scenario, name))) {
    name = before;
    m_form->edit(line, m_form->cancelStep());
  }
  replaceRequest(m_scenario, request, std::move(line));
  setCancelStep(m_scenario, request, m_form->cancelStep());
  m_list->item(m_row)->setText(rowText(m_scenario, request));
  refresh();
}

void ScenarioEditor::addRequest() {
  RequestLine line;
  line.arguments.request.name = freeRequestName(m_scenario);
  line.arguments.request.prompt = tr("Once upon a time").toStdString();
  line.arguments.request.maxTokens = 32;
  line.arrivalStep = m_presentStep;
  insert(std::move(line));
}

void ScenarioEditor::duplicateRequest() {
  if (m_row < 0) return;
  RequestLine line = m_scenario.requests[static_cast<std::size_t>(m_row)];
  line.arguments.request.name = freeRequestName(m_scenario);
  insert(std::move(line));
}

void ScenarioEditor::insert(RequestLine line) {
  const int row = m_row + 1;
  m_list->insertItem(row, rowText(line, std::nullopt));
  m_scenario.requests.insert(m_scenario.requests.begin() + row, std::move(line));
  m_list->setCurrentRow(row);
  choose(row);
  m_form->focusPrompt();
}

void ScenarioEditor::removeRequest() {
  if (m_row < 0) return;
  Scenario rest = m_scenario;
  vitrine::removeRequest(rest, static_cast<std::size_t>(m_row));
  show(rest, m_row);
}

void ScenarioEditor::chooseMachineOptions() {
  EngineOptionsDialog dialog(m_scenario.engine.options, this);
  dialog.setForEditing(m_title->text(), m_original.engine.options);
  if (dialog.exec() != QDialog::Accepted) return;
  m_scenario.engine.options = dialog.options();
  refresh();
}

void ScenarioEditor::copyCommand() {
  QGuiApplication::clipboard()->setText(QString::fromStdString(commandOf(m_scenario)));
  m_note->setText(tr("The command is on the clipboard. Paste it into a terminal."));
  m_note->show();
}

void ScenarioEditor::chooseFile() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  const QString name = fileNameFor(m_title->text(), tr("scenario"));
  const QString file = QFileDialog::getSaveFileName(
      this, tr("Save the scenario"), QDir(folder).filePath(name + ".json"), tr("Scenarios (*.json)"));
  if (!file.isEmpty()) saveTo(file);
}

bool ScenarioEditor::saveTo(const QString& file) {
  bool saved = true;
  try {
    writeScenario(m_scenario, file.toStdString());
    Settings().addRecentScenario(file);
    m_note->setText(tr("Saved as %1. The menu Scenario lists it.").arg(QDir::toNativeSeparators(file)));
  } catch (const EngineError& error) {
    saved = false;
    m_note->setText(QString::fromUtf8(error.what()));
  }
  m_note->show();
  return saved;
}

QString ScenarioEditor::complaint() const {
  try {
    Scenario scenario = m_scenario;
    checkScenario(scenario);
    scenario.engine.toOptions();
    for (const RequestLine& line : scenario.requests) {
      try {
        line.arguments.validate();
      } catch (const UsageError& error) {
        throw error.at(line.arguments.request.name + ": ");
      }
    }
  } catch (const std::exception& error) {
    return inWindowWords(QString::fromUtf8(error.what()));
  }
  return {};
}

void ScenarioEditor::refresh() {
  m_form->enableFor(m_scenario.engine.options);
  const QString words = complaint();
  m_complaint->setText(tr("This cannot be played: %1.").arg(words));
  m_complaint->setVisible(!words.isEmpty());
  m_play->setEnabled(words.isEmpty());
  m_play->setToolTip(words.isEmpty() ? tr("Loads the machine anew and plays the scenario from its beginning.")
                                     : m_complaint->text());
}

bool ScenarioEditor::isChanged() const { return scenarioToText(m_scenario) != scenarioToText(m_original); }

int ScenarioEditor::runsOnTo() const { return m_runOn->isChecked() ? m_presentStep : 0; }

void ScenarioEditor::accept() {
  if (complaint().isEmpty()) QDialog::accept();
}

}  // namespace vitrine

#include "moc_scenario_editor.cpp"
