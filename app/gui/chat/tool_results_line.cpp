#include "gui/chat/tool_results_line.h"

#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <algorithm>

#include "gui/parts/small_parts.h"
#include "history/chat_calls.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr int kFieldLines = 2, kMostLines = 9;  // kMostLines: of all fields; the others are scrolled to

// Two calls of one tool are told apart by what they are asked.
QString nameOf(const ToolCall& call, const std::vector<ToolCall>& calls) {
  const QString name = QString::fromStdString(call.name);
  const bool alone = std::ranges::count(calls, call.name, &ToolCall::name) == 1;
  return alone ? name : name + u' ' + QString::fromStdString(call.arguments);
}

}  // namespace

ToolResultsLine::ToolResultsLine(Desk& desk, EngineHost& host, ChatController& controller, QWidget* parent)
    : QFrame(parent),
      m_desk(desk),
      m_host(host),
      m_controller(controller),
      m_area(new QScrollArea(this)),
      m_send(new QPushButton(tr("Send the result"), this)) {
  setAccessibleName(tr("Results of tools"));
  m_area->setWidgetResizable(true);
  m_area->setFrameShape(QFrame::NoFrame);
  m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_area->setFocusPolicy(Qt::NoFocus);
  m_area->viewport()->setAutoFillBackground(false);
  addParts(withoutMargins(new QHBoxLayout(this)), {{m_area, 1}, {m_send, 0, Qt::AlignBottom}});
  connect(m_send, &QPushButton::clicked, this, &ToolResultsLine::send);
  const AnswerWriter& writer = controller.answers();
  connect(&desk, &Desk::opened, this, &ToolResultsLine::follow);
  connect(&desk, &Desk::settingsChanged, this, &ToolResultsLine::follow);
  connect(&writer, &AnswerWriter::answeringChanged, this, &ToolResultsLine::follow);
  connect(&host, &EngineHost::modeChanged, this, &ToolResultsLine::updateSend);
  connect(&controller, &ChatController::sent, this, &ToolResultsLine::follow);
  connect(&controller, &ChatController::notSent, this, &ToolResultsLine::follow);
  connect(&writer, &AnswerWriter::begun, this, [this](const PendingTurn& taken) {
    if (!taken.turn.results.isEmpty()) m_drafts.erase(taken.turn.parent);
  });
  follow();
}

void ToolResultsLine::follow() {
  const ChatId chat = m_desk.shown();
  const AnswerWriter& writer = m_controller.answers();
  const bool busy = writer.isAnswering(chat) || writer.pending().has(chat);
  std::vector<ToolCall> calls;
  MessageId after = 0;
  if (chat != 0 && !busy) {
    const std::vector<MessageRecord> path = recordsOf(m_desk.branch());
    calls = PathCalls(m_desk.settings(chat), path).awaited();
    if (!calls.empty()) after = path.back().id;
  }
  setVisible(!calls.empty());
  if (after == m_after && calls == m_calls) return;
  m_after = after;
  m_calls = std::move(calls);
  makeFields(m_calls);
}

void ToolResultsLine::makeFields(const std::vector<ToolCall>& calls) {
  m_fields.clear();
  auto* content = new QWidget;
  content->setAutoFillBackground(false);
  auto* rows = new QVBoxLayout(content);
  rows->setContentsMargins(1, 1, 1, 1);
  rows->setSpacing(2);
  const auto kept = m_drafts.find(m_after);
  const QStringList draft = kept == m_drafts.end() ? QStringList() : kept->second;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const QString words =
        tr("Result of %1 (nothing is run: type the result here)").arg(nameOf(calls[i], calls));
    QLabel* label = wrappedLabel(words, content);
    auto* field = new QPlainTextEdit(content);
    field->setAccessibleName(words);
    field->setToolTip(QString::fromStdString(calls[i].name + ' ' + calls[i].arguments).toHtmlEscaped());
    field->setTabChangesFocus(true);
    field->setPlainText(draft.value(static_cast<qsizetype>(i)));
    label->setBuddy(field);
    field->installEventFilter(this);
    connect(field, &QPlainTextEdit::textChanged, this, &ToolResultsLine::keep);
    rows->addWidget(label);
    rows->addWidget(field);
    m_fields.push_back(field);
  }
  m_send->setText(calls.size() > 1 ? tr("Send the results") : tr("Send the result"));
  // Later, since one of its fields may be what sent the results.
  if (QWidget* const before = m_area->takeWidget()) {
    before->hide();
    before->deleteLater();
  }
  m_area->setWidget(content);
  updateSend();
  fit();
}

void ToolResultsLine::fit() {
  const int line = fontMetrics().lineSpacing();
  for (QPlainTextEdit* field : m_fields) field->setFixedHeight(kFieldLines * line + line / 2);
  if (m_area->widget() == nullptr) return;
  QLayout* const rows = m_area->widget()->layout();
  rows->activate();
  // Before the rows have a width they have no height.
  const int wanted = std::max(0, rows->totalHeightForWidth(m_area->viewport()->width()));
  m_area->setFixedHeight(std::min(wanted, kMostLines * line));
}

void ToolResultsLine::keep() {
  QStringList texts;
  for (const QPlainTextEdit* field : m_fields) texts << field->toPlainText();
  m_drafts[m_after] = texts;
  updateSend();
}

void ToolResultsLine::updateSend() {
  const MachineMode mode = m_host.mode();
  const bool ready = mode != MachineMode::kEmpty && mode != MachineMode::kLoading;
  m_send->setEnabled(isWhole() && ready);
  m_send->setToolTip(ready ? tr("The model answers to it (Ctrl+Enter)") : tr("Open a model first."));
}

bool ToolResultsLine::isWhole() const {
  return !m_fields.empty() && std::ranges::none_of(m_fields, [](const QPlainTextEdit* field) {
    return field->toPlainText().trimmed().isEmpty();
  });
}

void ToolResultsLine::send() {
  if (isHidden() || !isWhole()) return;
  keep();
  m_controller.sendResults(m_drafts[m_after]);
}

bool ToolResultsLine::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
  if (!enter || !(key->modifiers() & Qt::ControlModifier)) return QFrame::eventFilter(watched, event);
  send();
  return true;
}

void ToolResultsLine::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fit();
}

void ToolResultsLine::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  fit();
}

void ToolResultsLine::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::FontChange) fit();
}

}  // namespace vitrine

#include "moc_tool_results_line.cpp"
