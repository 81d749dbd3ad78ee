#include "widgets/chat/chat_view.h"

#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QShortcut>
#include <QTextCursor>
#include <QUrl>
#include <algorithm>

#include "widgets/chat/context_meter.h"
#include "widgets/chat/find_bar.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/conversation/conversation_search.h"
#include "widgets/conversation/question_files.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kMostInputLines = 7;

// Empty unless all of it are files of this computer.
QStringList filesIn(const QMimeData& data) {
  QStringList files;
  for (const QUrl& url : data.urls()) {
    if (!url.isLocalFile()) return {};
    files << url.toLocalFile();
  }
  return files;
}

// The newest first; one that was asked twice in a row once.
QStringList questionsOf(const ChatModel& model) {
  QStringList questions;
  for (int row = model.rowCount() - 1; row >= 0; --row) {
    const ChatEntry& entry = model.at(row);
    const QString question = entry.role == ChatRole::kUser ? questionParts(entry.text).question : QString();
    if (question.isEmpty() || (!questions.isEmpty() && questions.back() == question)) continue;
    questions << question;
  }
  return questions;
}

// The questions of a chat in its input, as a shell has its lines. Up in an empty input shows the newest,
// further Up and Down go through them, and Esc, or Down behind the newest, gives the empty input back. A
// question that is changed is a draft like any other.
class QuestionHistory final : public QObject {
 public:
  // Lives as long as the input, whose keys it hears before the filters that were installed earlier.
  QuestionHistory(QPlainTextEdit* input, const ChatModel* model)
      : QObject(input), m_input(input), m_model(model) {
    input->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::KeyPress) return QObject::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    return plain && takeKey(*key);
  }

 private:
  bool isShowing() const {
    return m_place >= 0 && m_place < m_questions.size() && m_input->toPlainText() == m_questions[m_place];
  }
  // Whether the cursor is in the first, or in the last, line as the input wraps it.
  bool isAtEdge(bool first) const {
    QTextCursor cursor = m_input->textCursor();
    return !cursor.movePosition(first ? QTextCursor::Up : QTextCursor::Down);
  }
  void show(qsizetype place) {
    m_place = place;
    m_input->setPlainText(place < 0 ? QString() : m_questions[place]);
    m_input->moveCursor(QTextCursor::End);
  }
  bool takeKey(const QKeyEvent& key) {
    const bool showing = isShowing();
    if (!showing) {
      m_place = -1;
      if (key.key() != Qt::Key_Up || !m_input->document()->isEmpty()) return false;
      m_questions = questionsOf(*m_model);
      if (!m_questions.isEmpty()) show(0);
      return !m_questions.isEmpty();
    }
    if (key.key() == Qt::Key_Escape) {
      show(-1);
    } else if (key.key() == Qt::Key_Up && isAtEdge(true)) {
      if (m_place + 1 < m_questions.size()) show(m_place + 1);
    } else if (key.key() == Qt::Key_Down && isAtEdge(false)) {
      show(m_place - 1);
    } else {
      return false;
    }
    return true;
  }

  QPlainTextEdit* m_input;
  const ChatModel* m_model;
  QStringList m_questions;  // while one of them is shown; the newest first
  qsizetype m_place = -1;
};

}  // namespace

ChatView::ChatView(ChatModel* model, Session* session, QWidget* parent) : QWidget(parent), m_model(model) {
  setFont(readable(font()));
  setAccessibleName(tr("Chat"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_meter = new ContextMeter(session, this);
  auto* layout = withoutMargins(new QVBoxLayout(this));
  layout->setSpacing(0);
  m_transcript = new TranscriptView(model, this);
  connect(m_transcript, &TranscriptView::suggestionClicked, this, [this](const QString& suggestion) {
    m_input->setPlainText(suggestion);
    send();
  });
  connect(m_transcript, &TranscriptView::siblingRequested, this, &ChatView::siblingRequested);
  connect(m_transcript, &TranscriptView::againRequested, this, &ChatView::askAgain);
  connect(m_transcript, &TranscriptView::goOnRequested, this, [this](qint64 message) {
    if (m_ready && !m_model->isAnswering()) emit goOnRequested(message);
  });
  connect(m_transcript, &TranscriptView::editRequested, this, &ChatView::edit);
  connect(m_transcript, &TranscriptView::menuRequested, this, &ChatView::menuRequested);
  connect(m_transcript, &TranscriptView::answerShown, this, &ChatView::answerShown);
  connect(m_transcript, &TranscriptView::wordPointed, this, &ChatView::wordPointed);
  makeFindBar();
  layout->addWidget(m_find);
  layout->addWidget(m_transcript, 1);
  layout->addWidget(makeComposer());
  new QuestionHistory(m_input, model);
  connect(model, &ChatModel::answeringChanged, this, &ChatView::updateButtons);
  connect(model, &ChatModel::dataChanged, this, &ChatView::updateMeter);
  connect(model, &ChatModel::rowsInserted, this, &ChatView::updateMeter);
  connect(model, &ChatModel::rowsRemoved, this, &ChatView::updateMeter);
  connect(model, &ChatModel::modelReset, this, &ChatView::updateMeter);
  updateButtons();
  fitInput();
}

void ChatView::makeFindBar() {
  auto* search = new ConversationSearch(m_model, this);
  m_find = new FindBar(search, this);
  m_transcript->setSearch(search);
  connect(m_find, &FindBar::closed, this, &ChatView::focusInput);
  for (const int by : {1, -1})
    new QShortcut(
        by > 0 ? QKeySequence(Qt::Key_F3) : QKeySequence(Qt::SHIFT | Qt::Key_F3), this,
        [this, by] { m_find->step(by); }, Qt::WidgetWithChildrenShortcut);
}

void ChatView::updateMeter() { m_meter->setSequence(m_model->newestSequence()); }

void ChatView::find() { m_find->open(m_transcript->rowInSight()); }

void ChatView::findAt(const QString& text, const QStringList& words, qint64 message) {
  for (int row = 0; row < m_model->rowCount(); ++row) {
    if (m_model->at(row).message != message) continue;
    m_find->openWith(text, words, row);
    return m_transcript->reveal(row);
  }
}

QWidget* ChatView::makeComposer() {
  auto* composer = new QWidget(this);
  composer->setBackgroundRole(QPalette::Window);
  composer->setAutoFillBackground(true);
  auto* rows = new QVBoxLayout(composer);
  rows->setContentsMargins(12, 6, 12, 10);
  rows->setSpacing(6);
  rows->addLayout(m_over = new QVBoxLayout);
  m_over->setSpacing(6);
  rows->addWidget(m_editLine = makeEditLine(composer));
  rows->addLayout(makeInputLine(composer));
  rows->addLayout(makeMeterLine(composer));
  return composer;
}

QLayout* ChatView::makeInputLine(QWidget* composer) {
  auto* line = m_line = new QHBoxLayout;
  line->setSpacing(8);
  auto* input = new MessageInput(composer);
  connect(input, &MessageInput::filesPasted, this, &ChatView::filesPasted);
  m_input = input;
  m_input->setAccessibleName(tr("Your message"));
  m_input->setAccessibleDescription(
      tr("Enter sends, Shift and Enter start a new line, Escape stops the answer"));
  m_input->setTabChangesFocus(true);
  m_input->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  m_input->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  m_input->installEventFilter(this);
  connect(m_input, &QPlainTextEdit::textChanged, this, [this] {
    fitInput();
    updateButtons();
    if (m_edited == 0) emit draftChanged(m_input->toPlainText());
  });
  line->addWidget(m_input, 1);
  m_send = new QPushButton(tr("Send"), composer);
  connect(m_send, &QPushButton::clicked, this, &ChatView::send);
  m_later = new QPushButton(tr("Send next"), composer);
  m_later->setToolTip(tr("Send the message when the answer ends (Enter)"));
  connect(m_later, &QPushButton::clicked, this, &ChatView::send);
  m_stop = new QPushButton(tr("Stop"), composer);
  m_stop->setToolTip(tr("Stop the answer (Esc)"));
  connect(m_stop, &QPushButton::clicked, this, &ChatView::stopRequested);
  // Both have the same position and size: the button under the mouse must not move.
  m_later->setMinimumHeight(inputHeight(1));
  line->addWidget(m_later, 0, Qt::AlignBottom);
  const int width = std::max(m_send->sizeHint().width(), m_stop->sizeHint().width()) + 12;
  for (QPushButton* button : {m_send, m_stop}) {
    button->setMinimumWidth(width);
    button->setMinimumHeight(inputHeight(1));
    line->addWidget(button, 0, Qt::AlignBottom);
  }
  return line;
}

void ChatView::addBeforeInput(QWidget* part) {
  part->setMinimumHeight(inputHeight(1));
  m_line->insertWidget(0, part, 0, Qt::AlignBottom);
}

QWidget* ChatView::makeEditLine(QWidget* composer) {
  auto* line = new QWidget(composer);
  auto* row = withoutMargins(new QHBoxLayout(line));
  m_editWords = new QLabel(line);
  m_editWords->setWordWrap(true);
  row->addWidget(m_editWords, 1);
  auto* cancel = new QPushButton(tr("Cancel"), line);
  cancel->setToolTip(tr("Leave the message as it is (Esc)"));
  connect(cancel, &QPushButton::clicked, this, &ChatView::endEdit);
  row->addWidget(cancel);
  line->hide();
  return line;
}

void ChatView::edit(qint64 message, const QString& text) {
  if (m_edited == 0) m_aside = m_input->toPlainText();
  m_edited = message;
  const ChatEntry* const entry = entryOf(message);
  const ChatRole role = entry == nullptr ? ChatRole::kUser : entry->role;
  m_isSaving = role == ChatRole::kAssistant;
  m_editWords->setText(role == ChatRole::kAssistant
                           ? tr("You are changing an answer of the model. The old one stays.")
                       : role == ChatRole::kTool
                           ? tr("You are changing the result of a tool. The old one and its answers stay.")
                           : tr("You are changing an earlier question. The old one and its answers stay."));
  const QString question = role == ChatRole::kUser ? questionParts(text).question : text;
  m_editedFiles = text.chopped(question.size());
  m_input->setPlainText(question);
  m_input->moveCursor(QTextCursor::End);
  m_editLine->show();
  focusInput();
}

void ChatView::askAgain(qint64 message) {
  if (m_ready && !m_model->isAnswering()) emit againRequested(message);
}

void ChatView::endEdit() {
  if (m_edited == 0) return;
  m_editLine->hide();
  m_edited = 0;
  m_input->setPlainText(std::exchange(m_aside, {}));
  focusInput();
}

void ChatView::setDraft(const QString& text) {
  m_editLine->hide();
  m_edited = 0;
  m_aside.clear();
  updateButtons();
  // What was written in another chat does not come back in this one.
  m_input->document()->clearUndoRedoStacks();
  if (m_input->toPlainText() == text) return;
  m_input->setPlainText(text);
  m_input->moveCursor(QTextCursor::End);
}

QLayout* ChatView::makeMeterLine(QWidget* composer) {
  auto* below = m_meterLine = new QHBoxLayout;
  below->setSpacing(12);
  below->addWidget(m_meter, 1);
  m_branches = new QPushButton(tr("Branches"), composer);
  m_branches->setFlat(true);
  m_branches->setCheckable(true);
  m_branches->setToolTip(tr("Show the branches of this chat as a tree"));
  m_branches->hide();
  below->addWidget(m_branches);
  auto* fresh = new QPushButton(tr("New chat"), composer);
  fresh->setFlat(true);
  fresh->setToolTip(tr("Start a new conversation"));
  connect(fresh, &QPushButton::clicked, this, &ChatView::newChatRequested);
  below->addWidget(fresh);
  return below;
}

void ChatView::addStrip(QWidget* strip) {
  auto* rows = static_cast<QVBoxLayout*>(layout());
  rows->insertWidget(rows->count() - 1, strip);
}

const ChatEntry* ChatView::entryOf(qint64 message) const {
  for (int row = 0; row < m_model->rowCount(); ++row)
    if (m_model->at(row).message == message) return &m_model->at(row);
  return nullptr;
}

AnswerText* ChatView::answer(qint64 message) const { return m_transcript->answer(message); }

void ChatView::setSuggestions(const QStringList& suggestions) { m_transcript->setSuggestions(suggestions); }

void ChatView::setReady(bool ready, const QString& why) {
  m_ready = ready;
  m_whyNot = why;
  updateButtons();
}

void ChatView::setAttached(int files) {
  m_attached = files;
  updateButtons();
}

// Files of an earlier question stay with it when it is changed.
QString ChatView::ownQuestion() const {
  const auto files = m_edited == 0 ? m_attached : static_cast<int>(questionParts(m_editedFiles).files.size());
  if (files == 0) return {};
  return files == 1 ? tr("What is in this file?") : tr("What is in these files?");
}

QString ChatView::message() const {
  const QString written = m_input->toPlainText().trimmed();
  return written.isEmpty() ? ownQuestion() : written;
}

void ChatView::updateButtons() {
  const bool answering = m_model->isAnswering();
  m_send->setVisible(!answering);
  m_stop->setVisible(answering);
  const bool written = m_ready && !message().isEmpty();
  m_send->setEnabled(written);
  const bool saves = m_edited != 0 && m_isSaving;
  m_send->setText(saves ? tr("Save") : tr("Send"));
  m_send->setToolTip(saves ? tr("Keep the answer as you have changed it (Enter); the model is not asked")
                           : tr("Send the message (Enter)"));
  m_later->setVisible(answering && written && m_edited == 0);
  // What goes where nothing is written is seen before it goes.
  const QString own = ownQuestion();
  const QString wanted = !m_ready && !m_whyNot.isEmpty() ? m_whyNot
                         : own.isEmpty()                 ? tr("Write a message")
                                                         : own;
  if (m_input->placeholderText() != wanted) {
    m_input->setPlaceholderText(wanted);
    m_input->viewport()->update();  // Qt leaves the old text below the new one
  }
  m_transcript->setSuggestionsEnabled(m_ready);
}

void ChatView::send() {
  const QString text = message();
  if (text.isEmpty() || !m_ready || (m_edited != 0 && m_model->isAnswering())) return;
  m_transcript->followEnd();
  if (const qint64 message = m_edited; message != 0) {
    endEdit();
    emit editSent(message, m_editedFiles + text);
    return;
  }
  m_input->clear();
  emit sendRequested(text);
}

void ChatView::fitInput() {
  // A third of the view at most, so that the conversation stays visible and the window does not grow.
  const int room = height() / 3 / m_input->fontMetrics().lineSpacing();
  const int lines = std::clamp(static_cast<int>(m_input->document()->size().height()), 1,
                               std::clamp(room, 1, kMostInputLines));
  if (m_input->height() != inputHeight(lines)) m_input->setFixedHeight(inputHeight(lines));
}

int ChatView::inputHeight(int lines) const {
  const int frame =
      2 * m_input->frameWidth() + static_cast<int>(2 * m_input->document()->documentMargin()) + 4;
  return lines * m_input->fontMetrics().lineSpacing() + frame;
}

void ChatView::giveBack(const QString& text) {
  const QString since = m_input->toPlainText();
  m_input->setPlainText(since.isEmpty() ? text : text + u'\n' + since);
  m_input->moveCursor(QTextCursor::End);
}

bool ChatView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_input && event->type() == QEvent::Resize) fitInput();
  if (watched != m_input || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
  if (enter && !(key->modifiers() & Qt::ShiftModifier)) {
    send();
    return true;
  }
  if (key->key() == Qt::Key_Escape && (m_model->isAnswering() || m_edited != 0)) {
    if (m_edited != 0)
      endEdit();
    else
      emit stopRequested();
    return true;
  }
  if (key->key() == Qt::Key_F2) {
    emit renameRequested();
    return true;
  }
  // A key that is held would first clear a long message, and then go on.
  const bool empty = m_input->toPlainText().isEmpty() && m_edited == 0;
  if (key->key() == Qt::Key_Delete && empty && !key->isAutoRepeat()) {
    emit removeRequested();
    return true;
  }
  // Presenters' clickers send these keys: they step the machine and do not scroll the text.
  if (key->key() == Qt::Key_PageUp || key->key() == Qt::Key_PageDown) {
    event->ignore();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void ChatView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && m_model->isAnswering())
    emit stopRequested();
  else if (event->key() == Qt::Key_Escape && m_find->isVisible())
    m_find->close();
  else
    QWidget::keyPressEvent(event);
}

void ChatView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fitInput();
}

void ChatView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitInput();
}

void ChatView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && font() != readable(font())) setFont(readable(font()));
}

bool MessageInput::canInsertFromMimeData(const QMimeData* source) const {
  return QPlainTextEdit::canInsertFromMimeData(source) || !filesIn(*source).isEmpty();
}

void MessageInput::insertFromMimeData(const QMimeData* source) {
  if (const QStringList files = filesIn(*source); !files.isEmpty()) return void(emit filesPasted(files));
  QPlainTextEdit::insertFromMimeData(source);
}

// An event that is ignored goes to the widget around this one.
void MessageInput::dragEnterEvent(QDragEnterEvent* event) {
  if (!filesIn(*event->mimeData()).isEmpty()) return event->ignore();
  QPlainTextEdit::dragEnterEvent(event);
}

void MessageInput::dragMoveEvent(QDragMoveEvent* event) {
  if (!filesIn(*event->mimeData()).isEmpty()) return event->ignore();
  QPlainTextEdit::dragMoveEvent(event);
}

}  // namespace vitrine

#include "moc_chat_view.cpp"
