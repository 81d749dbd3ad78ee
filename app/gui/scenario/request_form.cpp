#include "gui/scenario/request_form.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <string_view>

#include "widgets/support/option_text.h"

namespace vitrine {
namespace {

constexpr int kNever = -1, kMostSteps = 1'000'000;

QSpinBox* stepBox(QWidget* parent, int least) {
  auto* box = new QSpinBox(parent);
  box->setRange(least, kMostSteps);
  box->setGroupSeparatorShown(true);
  return box;
}

bool isChat(const auto& info) { return info.key == std::string_view(kChatInfo.key); }

}  // namespace

RequestForm::RequestForm(QWidget* parent)
    : QTabWidget(parent),
      m_knobs([this] { emit changed(); }),
      m_name(new QLineEdit),
      m_prompt(new QPlainTextEdit),
      m_arrival(stepBox(nullptr, 0)),
      m_cancel(stepBox(nullptr, kNever)) {
  setAccessibleName(tr("The chosen request"));
  addRequestPage();
  addOptionPage(OptionPage::kAnswers);
  addOptionPage(OptionPage::kSampling);
  // A name that is being typed may be that of another request for a moment.
  connect(m_name, &QLineEdit::editingFinished, this, &RequestForm::changed);
  connect(m_prompt, &QPlainTextEdit::textChanged, this, &RequestForm::changed);
  connect(m_arrival, &QSpinBox::valueChanged, this, &RequestForm::changed);
  connect(m_cancel, &QSpinBox::valueChanged, this, &RequestForm::changed);
}

// Without letters to jump with: the options of the other pages have theirs.
void RequestForm::addRequestPage() {
  auto* form = new QFormLayout(new QWidget);
  const auto add = [form](const char* key, const QString& label, QWidget* field, const QString& tip) {
    field->setObjectName(QLatin1String(key));
    field->setAccessibleName(label);
    field->setAccessibleDescription(tip);
    field->setToolTip(tip);
    form->addRow(label, field);
  };
  add("id", tr("Name"), m_name, tr("Answers, events and commands call the request by this name."));
  m_prompt->setTabChangesFocus(true);
  m_prompt->setMaximumHeight(m_prompt->fontMetrics().lineSpacing() * 5);
  add("prompt", tr("Prompt"), m_prompt, tr("The text that the model continues."));
  forEachRequestArgument([&](const auto& info, const auto& access) {
    if (isChat(info)) m_knobs.add(form, info, access);
  });
  add("arrival_step", tr("Arrives after step"), m_arrival,
      tr("The request joins the queue after so many steps of the machine; 0: before the first."));
  m_cancel->setSpecialValueText(tr("never"));
  add("cancel_step", tr("Cancelled after step"), m_cancel,
      tr("The request is cancelled after so many steps, if it has not finished."));
  addTab(scrolledPage(form->parentWidget()), tr("Request"));
}

void RequestForm::addOptionPage(OptionPage page) {
  auto* form = new QFormLayout(new QWidget);
  forEachRequestArgument([&](const auto& info, const auto& access) {
    if (info.page == page && info.offered && !isChat(info)) m_knobs.add(form, info, access);
  });
  addTab(scrolledPage(form->parentWidget()),
         plainLabel(kOptionPageLabels.at(static_cast<std::size_t>(page))));
}

void RequestForm::edit(const RequestLine& line, std::optional<int> cancelStep) {
  const QSignalBlocker quiet(this);
  m_shown = line;
  m_knobs.show(line.arguments);
  m_name->setText(QString::fromStdString(line.arguments.request.name));
  m_prompt->setPlainText(QString::fromStdString(line.arguments.request.prompt));
  m_shownPrompt = m_prompt->toPlainText();
  m_arrival->setValue(line.arrivalStep);
  m_cancel->setValue(cancelStep.value_or(kNever));
}

RequestLine RequestForm::line() const {
  RequestLine line = m_shown;
  line.arguments = m_knobs.options();
  Request& request = line.arguments.request;
  request.name = m_name->text().trimmed().toStdString();
  if (m_prompt->toPlainText() != m_shownPrompt) {
    request.prompt = m_prompt->toPlainText().toStdString();
    request.tokenIds.clear();
  }
  if (m_arrival->value() != std::min(m_shown.arrivalStep, kMostSteps)) line.arrivalStep = m_arrival->value();
  return line;
}

std::optional<int> RequestForm::cancelStep() const {
  return m_cancel->value() == kNever ? std::nullopt : std::optional(m_cancel->value());
}

void RequestForm::focusPrompt() {
  setCurrentIndex(0);
  m_prompt->setFocus();
  m_prompt->selectAll();
}

}  // namespace vitrine

#include "moc_request_form.cpp"
