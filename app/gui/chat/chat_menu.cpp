#include "gui/chat/chat_menu.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTextDocument>
#include <QTextEdit>

#include "desk/chat_actions.h"
#include "history/chat_export.h"
#include "history/chat_json.h"
#include "history/chat_source.h"
#include "vitrine/output_file.h"
#include "widgets/conversation/question_files.h"
#include "widgets/markdown/markdown_page.h"
#include "widgets/message/file_chips.h"

namespace vitrine {
namespace {

constexpr QLatin1String kMarkdown(".md");

// Of the files of a kind that a dialog offers: "html" of "Web page (*.html)".
QString endingOf(const QString& kind) {
  static const QRegularExpression ending(QStringLiteral("\\(\\*\\.(\\w+)\\)"));
  return ending.match(kind).captured(1);
}

bool isTrace(const QString& file) { return file.endsWith(QStringLiteral(".vitrine"), Qt::CaseInsensitive); }

// A name without an ending gets that of the chosen kind, before the dialog asks about a file that is there.
class ExportDialog : public QFileDialog {
 public:
  ExportDialog(QWidget* parent, const QString& title, const QString& folder, const QString& kinds)
      : QFileDialog(parent, title, folder, kinds) {
    setAcceptMode(AcceptSave);
    connect(this, &QFileDialog::filterSelected, this, [this] { follow(); });  // a desktop's own dialog
    follow();
  }

 protected:
  void accept() override {  // letters typed on the list of kinds choose one without a signal
    follow();
    QFileDialog::accept();
  }

 private:
  void follow() { setDefaultSuffix(endingOf(selectedNameFilter())); }
};

PageQuestion pageQuestion(const QString& text) {
  const QuestionParts parts = questionParts(text);
  PageQuestion question{{}, parts.question};
  for (const QuestionFile& file : parts.files)
    question.files.push_back(
        {QStringLiteral("%1 · %2").arg(file.name, fileSize(fileBytes(file))), file.text});
  return question;
}

bool hasNothingToUndo(const QWidget* field) {
  if (const auto* line = qobject_cast<const QLineEdit*>(field)) return !line->isUndoAvailable();
  if (const auto* plain = qobject_cast<const QPlainTextEdit*>(field))
    return !plain->document()->isUndoAvailable();
  if (const auto* text = qobject_cast<const QTextEdit*>(field)) return !text->document()->isUndoAvailable();
  return false;
}

// Lets Ctrl+Z reach an action of the window from a text field that has nothing to undo itself. A field that
// has something keeps the key. Where the focus is in no text field, the action's shortcut needs no help.
class UndoKey : public QObject {
 public:
  UndoKey(QAction& action, QWidget* window) : QObject(&action), m_action(action), m_window(window) {
    qApp->installEventFilter(this);
  }

 protected:
  // A text field claims the key with this event in any case; a key that is not claimed is the action's.
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::ShortcutOverride || !m_action.isEnabled()) return false;
    const auto* field = qobject_cast<QWidget*>(watched);
    if (field == nullptr || field->window() != m_window || !field->hasFocus()) return false;
    if (!static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo) || !hasNothingToUndo(field))
      return false;
    event->ignore();
    return true;
  }

 private:
  QAction& m_action;
  QWidget* m_window;
};

}  // namespace

ChatMenu::ChatMenu(Desk& desk, QWidget* window) : QMenu(tr("&Chat"), window), m_desk(desk) {
  addAction(tr("&New chat"), QKeySequence(Qt::CTRL | Qt::Key_N), this, &ChatMenu::newChatRequested);
  addAction(tr("&Search all chats"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), this,
            &ChatMenu::searchRequested);
  addAction(tr("&Find in this chat"), QKeySequence(Qt::CTRL | Qt::Key_F), this, &ChatMenu::findRequested);
  attach = addAction(tr("&Attach a file…"), this, [this] {
    const QStringList files = QFileDialog::getOpenFileNames(parentWidget(), tr("Attach text files"));
    if (!files.isEmpty()) emit filesChosen(files);
  });
  attach->setToolTip(tr("The text of a file goes in front of the question"));
  settings = addAction(tr("&This chat…"));
  settings->setToolTip(tr("Its system prompt, its stop strings, its sampling, and how the model is asked"));
  prompt = addAction(tr("The prompt as to&kens"));
  prompt->setCheckable(true);
  prompt->setToolTip(tr("This chat as the model reads it, and the template that makes it so"));
  listShown = addAction(tr("Show the &list of chats"));
  listShown->setCheckable(true);
  listShown->setChecked(true);
  naming = addAction(tr("Let the model name new chats"));
  naming->setCheckable(true);
  naming->setToolTip(tr("One short request after the first answer; any other request goes before it"));
  m_listed = addMenu(tr("&Rename, archive, delete"));
  lastAnswer = addMenu(tr("The last ans&wer"));
  m_copyMarkdown =
      addAction(tr("Copy the chat as &Markdown"), this, [this] { emit copyRequested(CopyForm::kMarkdown); });
  m_copyText = addAction(tr("Copy the chat as &plain text"), this,
                         [this] { emit copyRequested(CopyForm::kPlainText); });
  addSeparator();
  addAction(tr("&Import chats…"), this, &ChatMenu::chooseImport)
      ->setToolTip(
          tr("From the export of ChatGPT, Claude, Jan, llama.cpp, LM Studio or Open WebUI, or from ours"));
  m_export = addAction(tr("&Export this chat…"), this, [this] { chooseExport({m_desk.shown()}); });
  addSeparator();
  m_undo = addAction(u'&' + m_desk.undoWords(), QKeySequence(QKeySequence::Undo), &m_desk, &Desk::undoRemove);
  m_undo->setToolTip(tr("Undo what was deleted, or brought back, last"));
  new UndoKey(*m_undo, window);
  addAction(tr("&Deleted chats…"), this, &ChatMenu::deletedRequested)
      ->setToolTip(tr("Look at them, and bring them back"));
  m_messages = addAction(tr("Deleted messa&ges…"), this, &ChatMenu::deletedMessagesRequested);
  m_messages->setToolTip(tr("Look at what was deleted in this chat, and bring it back"));
  const auto followMessages = [this] {
    m_messages->setEnabled(m_desk.shown() != 0 && m_desk.history().hasRemovedMessages(m_desk.shown()));
  };
  connect(&desk, &Desk::opened, this, followMessages);
  connect(&desk, &Desk::removedChanged, this, followMessages);
  connect(this, &QMenu::aboutToShow, this, followMessages);  // another program may have deleted some
  followMessages();
  const auto follow = [this] {
    m_undo->setText(u'&' + m_desk.undoWords());
    m_undo->setEnabled(m_desk.canUndoRemove());
  };
  connect(&desk, &Desk::removedChanged, this, follow);
  follow();
  setToolTipsVisible(true);
  connect(this, &QMenu::aboutToShow, this, [this] {
    for (QAction* action :
         {m_export, m_copyMarkdown, m_copyText, m_listed->menuAction(), lastAnswer->menuAction()})
      action->setEnabled(m_desk.shown() != 0);
  });
  connect(m_listed, &QMenu::aboutToShow, this, &ChatMenu::fillListed);
}

// What its row in the list offers, by the keyboard and without the list.
void ChatMenu::fillListed() {
  m_listed->clear();
  if (m_desk.shown() == 0) return;
  addRename(*m_listed, this, [this] { emit renameRequested(); });
  addChatActions(*m_listed, m_desk, {m_desk.shown()});
  m_listed->addSeparator();
  addDelete(*m_listed, m_desk, {m_desk.shown()});
}

void ChatMenu::chooseImport() {
  const QString kinds = tr("Chats (%1);;All files (*)").arg(QString::fromStdString(chatFilePatterns()));
  const QStringList files = QFileDialog::getOpenFileNames(parentWidget(), tr("Import chats"), {}, kinds);
  if (!files.isEmpty()) emit importRequested(files);
}

void ChatMenu::chooseExport(const std::vector<ChatId>& chats) {
  try {
    if (chats.size() == 1)
      chooseFile(chats.front());
    else
      chooseFolder(chats);
  } catch (const EngineError& error) {
    emit noticed(noticeOf(error));
  }
}

void ChatMenu::chooseFile(ChatId chat) {
  const auto record = m_desk.history().chat(chat);
  if (!record) return;
  ExportDialog dialog(
      parentWidget(), tr("Export this chat"),
      QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation),
      tr("Markdown (*.md);;Web page (*.html);;All branches, for this program (*.json);;Its run, computed "
         "again, as a trace (*.vitrine)"));
  dialog.selectFile(exportName(*record));
  if (dialog.exec() != QDialog::Accepted) return;
  const QString file = dialog.selectedFiles().constFirst();
  exportChat(chat, file);
  if (!isTrace(file))  // whose run is computed first
    emit noticed(Notice::note(tr("The chat is exported to %1").arg(QDir::toNativeSeparators(file))));
}

// No file that is there is written over.
void ChatMenu::chooseFolder(const std::vector<ChatId>& chats) {
  const QString chosen = QFileDialog::getExistingDirectory(
      parentWidget(), tr("A folder for %n Markdown file(s)", "", static_cast<int>(chats.size())),
      QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
  if (chosen.isEmpty()) return;
  const QDir folder(chosen);
  int written = 0;
  for (const ChatId chat : chats) {
    const auto record = m_desk.history().chat(chat);
    if (!record) continue;
    const QString name = exportName(*record);
    QString file = folder.filePath(name + kMarkdown);
    for (int i = 2; QFileInfo::exists(file); ++i)
      file = folder.filePath(QStringLiteral("%1 (%2)%3").arg(name).arg(i).arg(kMarkdown));
    exportChat(chat, file);
    ++written;
  }
  emit noticed(Notice::note(tr("%n chat(s) exported to %1", "", written).arg(folder.path())));
}

void ChatMenu::exportChat(ChatId chat, const QString& file) {
  if (isTrace(file)) return emit traceRequested(chat, file);
  const auto record = m_desk.history().chat(chat, ChatHistory::Tokens::kRead);
  if (!record) return;
  QByteArray bytes;
  if (file.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive))
    bytes = chatsToJson({*record});
  else if (file.endsWith(QStringLiteral(".html"), Qt::CaseInsensitive))
    bytes = chatToHtml(*record, {markdownPageStyle(), markdownToHtml, pageQuestion}).toUtf8();
  else
    bytes = chatToMarkdown(*record).toUtf8();
  OutputFile out(file.toStdString());
  out.write(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
  out.finish();
}

}  // namespace vitrine

#include "moc_chat_menu.cpp"
