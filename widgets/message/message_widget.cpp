#include "widgets/message/message_widget.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QEvent>
#include <QLabel>
#include <QMessageBox>
#include <QPainter>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

#include "widgets/conversation/question_files.h"
#include "widgets/message/answer_progress.h"
#include "widgets/message/answer_text.h"
#include "widgets/message/call_cards.h"
#include "widgets/message/conversation_colours.h"
#include "widgets/message/fold_button.h"
#include "widgets/message/folded_files.h"
#include "widgets/message/fork_mark.h"
#include "widgets/message/lit_label.h"
#include "widgets/message/prompt_reuse_view.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {
constexpr int kToolMargin = 4;  // above and below the text of a button, within the margin of the message

}  // namespace

MessageWidget::MessageWidget(const ChatEntry& entry, QWidget* parent) : QFrame(parent), m_role(entry.role) {
  auto* layout = new QVBoxLayout(this);
  // Close together, since some fonts have wide line spacing of their own.
  layout->setContentsMargins(16, 6 - kToolMargin, 16, 7);
  layout->setSpacing(2);
  addHead();
  addThinking();
  addText(isMarkdown(entry));
  if (m_role == ChatRole::kTool) addFold();
  addNote();
  m_who->setText(m_role == ChatRole::kUser ? tr("You") : tr("Model"));
  m_thinking->setAccessibleName(tr("The model thought"));
  applyTheme();
  display(entry);
}

void MessageWidget::addText(bool markdown) {
  if (m_role == ChatRole::kUser) layout()->addWidget(m_files = new FoldedFiles(this));
  if (!markdown) {
    m_question = addLabel(true);
    m_question->setAccessibleName(m_role == ChatRole::kUser ? tr("You wrote") : tr("The tool gave back"));
    return;
  }
  layout()->addWidget(m_answer = new AnswerText(this));
  connect(m_answer, &AnswerText::linkChosen, this, &MessageWidget::askToOpen);
  connect(m_answer, &AnswerText::wordClicked, this, [this](qint64 byte) { pointAt(byte, true); });
  connect(m_answer, &AnswerText::wordHovered, this, [this](qint64 byte) { pointAt(byte, false); });
}

// In the place of the author's name.
void MessageWidget::addFold() {
  m_who->hide();
  m_fold = new FoldButton(this);
  m_fold->setToolTip(tr("Results of the tools"));
  auto* const head = static_cast<QHBoxLayout*>(layout()->itemAt(0)->layout());
  head->insertWidget(0, m_fold);
  head->insertStretch(1, 1);
  connect(m_fold, &FoldButton::toggled, this, [this](bool open) {
    if (m_question != nullptr) m_question->setVisible(open);
    if (m_answer != nullptr) m_answer->setVisible(open);
  });
}

LitLabel* MessageWidget::addLabel(bool selectable) {
  LitLabel* const label = LitLabel::plain(this, selectable);
  layout()->addWidget(label);
  return label;
}

QToolButton* MessageWidget::addTool(const QString& text, const QString& tip) {
  auto* tool = new QToolButton(m_tools);
  tool->setText(text);
  tool->setToolTip(tip);
  tool->setAccessibleName(tip);
  tool->setAutoRaise(true);
  m_tools->layout()->addWidget(tool);
  return tool;
}

// The author, and at the right what can be done: beside the text it would take lines from it.
void MessageWidget::addHead() {
  auto* head = new QHBoxLayout;
  head->setSpacing(8);
  static_cast<QVBoxLayout*>(layout())->addLayout(head);
  m_who = addLabel(false);
  layout()->removeWidget(m_who);
  head->addWidget(m_who, 1);
  m_tools = new QWidget(this);
  head->addWidget(m_tools);
  auto* line = withoutMargins(new QHBoxLayout(m_tools));
  line->setSpacing(2);
  m_previous = addTool(QStringLiteral("‹"), tr("The version before this one"));
  m_place = new QLabel(m_tools);
  line->addWidget(m_place);
  m_next = addTool(QStringLiteral("›"), tr("The version after this one"));
  m_copy = addTool(tr("Copy"), tr("Copy this message"));
  m_again = addTool(tr("Again"), tr("Another answer to the same question; this one stays"));
  m_edit = addTool(tr("Edit"), m_role == ChatRole::kTool
                                   ? tr("Change this result; the old one and its answers stay")
                                   : tr("Change this question; the old one and its answers stay"));
  m_more = addTool(QStringLiteral("⋯"), m_role == ChatRole::kAssistant
                                            ? tr("More: its tokens, to go on, to run it again, to delete it")
                                            : tr("More: to delete it"));
  connect(m_more, &QToolButton::clicked, this,
          [this] { emit menuRequested(m_message, m_more->mapToGlobal(QPoint(0, m_more->height()))); });
  connect(m_previous, &QToolButton::clicked, this, [this] { emit siblingRequested(m_message, -1); });
  connect(m_next, &QToolButton::clicked, this, [this] { emit siblingRequested(m_message, 1); });
  connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_source); });
  connect(m_again, &QToolButton::clicked, this, [this] { emit againRequested(m_message); });
  connect(m_edit, &QToolButton::clicked, this, [this] { emit editRequested(m_message, m_source); });
}

// The line under the text, and while the prompt is read a bar beside it.
void MessageWidget::addNote() {
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  static_cast<QVBoxLayout*>(layout())->addLayout(line);
  m_note = addLabel(false);
  layout()->removeWidget(m_note);
  m_progress = new AnswerProgress(this);
  line->addWidget(m_progress);
  line->addWidget(m_note, 1);
  addLimit();
  layout()->addWidget(m_reuse = new PromptReuseLine(this));
}

// That a limit ended the answer, and beside it the way on.
void MessageWidget::addLimit() {
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  static_cast<QVBoxLayout*>(layout())->addLayout(line);
  m_limit = addLabel(false);
  layout()->removeWidget(m_limit);
  m_limit->setWordWrap(false);
  line->addWidget(m_limit);
  m_goOn = new QToolButton(this);
  m_goOn->setText(tr("Continue"));
  m_goOn->setToolTip(tr("The model goes on where the answer ended; this one stays"));
  m_goOn->setAccessibleName(m_goOn->toolTip());
  line->addWidget(m_goOn);
  line->addStretch(1);
  connect(m_goOn, &QToolButton::clicked, this, [this] { emit goOnRequested(m_message); });
}

// What a model thought is seldom read, so it is folded when the answer begins; a click opens it.
void MessageWidget::addThinking() {
  m_thought = new FoldButton(this);
  m_thought->setToolTip(tr("The model's thoughts before its answer"));
  layout()->addWidget(m_thought);
  m_thinking = addLabel(true);
  connect(m_thought, &FoldButton::toggled, m_thinking, &QWidget::setVisible);
}

void MessageWidget::showFold(const ChatEntry& entry, bool isOther) {
  if (isOther) m_fold->setTitle(toolTitle(entry), shownParts(entry)[kTextPart]);
  const bool open = m_fold->isChecked() && !entry.text.isEmpty();
  if (m_question != nullptr) m_question->setVisible(open);
  if (m_answer != nullptr) m_answer->setVisible(open);
}

void MessageWidget::showThinking(const ChatEntry& entry) {
  const bool thinks = entry.status == AnswerStatus::kThinking;
  if (m_thinking->text() != entry.thinking) m_thinking->setText(entry.thinking);
  const auto words = static_cast<int>(entry.thinking.split(u' ', Qt::SkipEmptyParts).size());
  QString title =
      thinks ? tr("Thinking: %n word(s)", nullptr, words) : tr("Thought: %n word(s)", nullptr, words);
  if (entry.thought.tokens > 0 && entry.thought.ns > 0) {
    const QString time = formatDuration(entry.thought.ns),
                  tokens = ChatModel::tr("%n token(s)", nullptr, entry.thought.tokens);
    title = (thinks ? tr("Thinking for %1, %2") : tr("Thought for %1, %2")).arg(time, tokens);
  }
  if (m_thought->text() != title) m_thought->setText(title);
  m_thought->setVisible(!entry.thinking.isEmpty());
  // It opens and folds by itself when thinking begins and ends, not against a click between.
  if (thinks != (m_status == AnswerStatus::kThinking)) m_thought->setChecked(thinks);
  m_thinking->setVisible(!entry.thinking.isEmpty() && m_thought->isChecked());
}

void MessageWidget::updateTools(const ChatEntry& entry) {
  m_message = entry.message;
  const bool kept = entry.message != 0 && !entry.readOnly, several = kept && entry.variants > 1;
  const bool ended = !isOpen(entry.status);
  m_reuse->display(ended ? entry.reuse : nullptr);
  const QString limit = ended ? entry.limit.words : QString();
  if (m_limit->text() != limit) m_limit->setText(limit);
  m_limit->setVisible(!limit.isEmpty());
  m_goOn->setVisible(ended && kept && entry.limit.canGoOn);
  for (QWidget* part :
       {static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_place), static_cast<QWidget*>(m_next)})
    part->setVisible(several);
  m_place->setText(tr("%1 of %2").arg(entry.variant + 1).arg(entry.variants));
  m_previous->setEnabled(entry.variant > 0);
  m_next->setEnabled(entry.variant + 1 < entry.variants);
  m_copy->setVisible(ended && !entry.text.isEmpty());
  m_again->setVisible(kept && ended && m_role == ChatRole::kAssistant);
  m_edit->setVisible(kept && (m_role == ChatRole::kUser || !entry.tool.isEmpty()));
  m_more->setVisible(kept && ended);
  m_tools->setVisible(ended && (kept || !entry.text.isEmpty()));
}

void MessageWidget::pointAt(qint64 byte, bool clicked) {
  if (m_message != 0) emit wordPointed(m_message, byte, clicked);
}

void MessageWidget::display(const ChatEntry& entry) {
  updateTools(entry);
  const auto put = [](QLabel* label, const QString& text) {
    if (label->text() != text) label->setText(text);
    label->setVisible(!text.isEmpty());
  };
  showThinking(entry);
  if (m_role == ChatRole::kTool) {
    if (m_question != nullptr && m_question->text() != entry.text) m_question->setText(entry.text);
  } else if (m_question != nullptr) {
    const QuestionParts parts = questionParts(entry.text);
    m_files->setFiles(parts.files);
    put(m_question, parts.question);
  }
  const bool isOther =
      m_source != entry.text || m_source.isEmpty() || isOpen(m_status) != isOpen(entry.status);
  if (m_answer != nullptr && isOther) showAnswer(entry);
  m_source = entry.text;
  if (m_fold != nullptr) showFold(entry, isOther);
  m_progress->display(entry);
  put(m_note, entry.note);
  if (entry.status == m_status) return;
  m_status = entry.status;
  applyTheme();
  update();
}

// An answer that is all calls keeps its empty text: what is shown of its tokens stands there.
void MessageWidget::showAnswer(const ChatEntry& entry) {
  const ShownAnswer shown = shownAnswer(entry);
  const bool grows = isOpen(entry.status);
  m_answer->setSource(shown.text, grows);
  m_answer->setVisible(!entry.text.isEmpty());
  if (m_calls == nullptr && !shown.calls.empty()) addCalls();
  if (m_calls != nullptr) m_calls->setCalls(shown.calls, grows);
}

void MessageWidget::addCalls() {
  m_calls = new CallCards(this);
  auto* const rows = static_cast<QVBoxLayout*>(layout());
  rows->insertWidget(rows->indexOf(m_answer) + 1, m_calls);
  m_calls->applyTheme(m_answer->font());
  connect(m_calls, &CallCards::linkChosen, this, &MessageWidget::askToOpen);
  connect(m_calls, &CallCards::wordPointed, this, &MessageWidget::pointAt);
}

void MessageWidget::setMark(const QString& words) {
  if ((m_mark ? m_mark->text() : QString()) == words) return;
  delete std::exchange(m_mark, words.isEmpty() ? nullptr : new ForkMark(words, this));
  if (m_mark == nullptr) return;
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_mark);
  m_mark->show();
}

void MessageWidget::light(const SoughtText& sought, const std::optional<FoundPlace>& present) {
  const auto indexIn = [&](int part) { return present && present->part == part ? present->index : -1; };
  if (indexIn(kThinkingPart) >= 0) m_thought->setChecked(true);
  m_thinking->light(sought, indexIn(kThinkingPart));
  const int index = indexIn(kTextPart);
  if (m_fold != nullptr && index >= 0) m_fold->setChecked(true);
  if (m_question != nullptr) m_question->light(sought, index);
  if (m_answer != nullptr) m_answer->light(sought, index);
  if (m_calls != nullptr) m_calls->light(sought, present);
}

QRect MessageWidget::hitRect(const FoundPlace& hit) const {
  if (hit.part == kThinkingPart) return m_thinking->hitRect(hit.index).translated(m_thinking->pos());
  if (hit.part != kTextPart)
    return m_calls == nullptr ? QRect() : m_calls->hitRect(hit).translated(m_calls->pos());
  if (m_question != nullptr) return m_question->hitRect(hit.index).translated(m_question->pos());
  return m_answer->hitRect(hit.index).translated(m_answer->pos());
}

void MessageWidget::applyTheme() {
  const Theme theme = Theme::of(this);  // its own palette; only the labels get other colours
  const auto dye = [](QLabel* label, const QColor& colour) {
    QPalette palette = label->palette();
    if (palette.color(QPalette::WindowText) == colour && palette.color(QPalette::Text) == colour) return;
    // A label on a Base ground writes in Text, on any other in WindowText.
    palette.setColor(QPalette::WindowText, colour);
    palette.setColor(QPalette::Text, colour);
    label->setPalette(palette);
  };
  const bool troubled = m_status == AnswerStatus::kFailed;
  dye(m_who, m_role == ChatRole::kUser ? ConversationColours::of(theme).authorInk : theme.dimText());
  dye(m_thinking, theme.dimText());
  if (m_question != nullptr) dye(m_question, theme.text());
  dye(m_note, troubled ? theme.warning() : theme.dimText());
  const QFont bold = boldened(font());
  m_who->setFont(bold);
  // No higher than the author's name: they shall take no room from the text.
  for (QToolButton* tool : {m_previous, m_next, m_copy, m_again, m_edit, m_more, m_goOn})
    tool->setMaximumHeight(QFontMetrics(bold).height() + kToolMargin);
  if (m_fold != nullptr) m_fold->setMaximumHeight(QFontMetrics(bold).height() + kToolMargin);
  QFont slanted = font();
  slanted.setItalic(true);
  m_thinking->setFont(slanted);
  QFont text = font();
  text.setPointSizeF(text.pointSizeF() * 1.06);
  if (m_question != nullptr) m_question->setFont(m_role == ChatRole::kTool ? fixedFont(font()) : text);
  if (m_answer != nullptr) {
    m_answer->setFont(text);
    m_answer->applyTheme();
  }
  if (m_calls != nullptr) m_calls->applyTheme(text);
}

// What a model writes is text from outside: an address is shown whole before anything opens it.
void MessageWidget::askToOpen(const QString& address) {
  QMessageBox box(QMessageBox::Question, tr("Open this address?"),
                  tr("The model wrote a link. Your browser would open:"),
                  QMessageBox::Open | QMessageBox::Cancel, this);
  box.setTextFormat(Qt::PlainText);
  box.setInformativeText(address);
  box.setDefaultButton(QMessageBox::Cancel);
  if (box.exec() == QMessageBox::Open) QDesktopServices::openUrl(QUrl(address));
}

void MessageWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  if (m_role == ChatRole::kUser) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(ConversationColours::of(theme).question);
    const int top = m_mark ? m_mark->geometry().bottom() : 0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, top + 1, -1, -1), 10, 10);
  }
  if (m_role == ChatRole::kTool) {
    painter.setPen(theme.line());
    painter.setBrush(Qt::NoBrush);
    const int top = m_mark ? m_mark->geometry().bottom() : 0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, top + 1.5, -1.5, -1.5), 10, 10);
  }
  const bool writing = m_status == AnswerStatus::kWriting || m_status == AnswerStatus::kThinking ||
                       m_status == AnswerStatus::kReading;
  if (writing) painter.fillRect(QRectF(2, 12, 3, height() - 24), theme.accent());
}

void MessageWidget::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  // Only changes from outside: setting the labels' palettes must not call this again.
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
}

}  // namespace vitrine

#include "moc_message_widget.cpp"
