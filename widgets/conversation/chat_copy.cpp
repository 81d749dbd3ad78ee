#include "widgets/conversation/chat_copy.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QStringList>
#include <QTextDocument>

#include "widgets/conversation/answer_calls.h"
#include "widgets/markdown/markdown_text.h"

namespace vitrine {
namespace {

void copy(const QString& text, CopyForm form) {
  auto* copied = new QMimeData;
  copied->setText(text);
  if (form == CopyForm::kMarkdown) copied->setData(QStringLiteral("text/markdown"), text.toUtf8());
  QGuiApplication::clipboard()->setMimeData(copied);
}

}  // namespace

QString plainTextOf(const QString& markdown) {
  QTextDocument document;
  MarkdownText text(&document);
  text.append(markdown.toStdString());
  text.finish();
  return text.plainText();
}

QString conversationText(const ChatModel& model, CopyForm form) {
  QStringList parts;
  for (int row = 0; row < model.rowCount(); ++row) {
    const ChatEntry& entry = model.at(row);
    if (entry.text.isEmpty()) continue;
    const QString author = entry.role == ChatRole::kUser   ? ChatModel::tr("You")
                           : entry.role == ChatRole::kTool ? toolTitle(entry)
                                                           : ChatModel::tr("Model");
    const QString text = markdownWithCalls(entry);
    if (form == CopyForm::kMarkdown)
      parts << QStringLiteral("## ") + author + QStringLiteral("\n\n") + text;
    else
      parts << author + QStringLiteral(": ") + (isMarkdown(entry) ? plainTextOf(text) : text);
  }
  return parts.isEmpty() ? QString() : parts.join(QStringLiteral("\n\n")) + u'\n';
}

void copyAnswer(const QString& markdown, CopyForm form) {
  copy(form == CopyForm::kMarkdown ? markdown : plainTextOf(markdown), form);
}

void copyConversation(const ChatModel& model, CopyForm form) { copy(conversationText(model, form), form); }

}  // namespace vitrine
