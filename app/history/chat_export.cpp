#include "chat_export.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include "chat_calls.h"
#include "foreign_message.h"

namespace vitrine {

namespace {

struct ChatExportWords {
  Q_DECLARE_TR_FUNCTIONS(vitrine::ChatExport)

 public:
  static QString role(MessageRole role) {
    switch (role) {
      case MessageRole::kSystem:
        return tr("Instructions");
      case MessageRole::kUser:
        return tr("You");
      case MessageRole::kAssistant:
        return tr("Answer");
      case MessageRole::kTool:
        return tr("Tool");
    }
    return {};
  }
  // `call`: the one whose result a tool's message is; null: of none.
  static QString author(const MessageRecord& message, const ToolCall* call) {
    return call != nullptr ? tr("Result of %1").arg(QString::fromStdString(call->name)) : role(message.role);
  }
  static QString state(const MessageRecord& message) {
    switch (message.state) {
      case MessageState::kComplete:
        return {};
      case MessageState::kStreaming:
      case MessageState::kStopped:
        return tr("stopped");
      case MessageState::kFailed:
        return message.failure.isEmpty() ? tr("failed") : tr("failed: %1").arg(message.failure);
    }
    return {};
  }
  static QString title(const ChatRecord& chat) {
    return chat.summary.title.isEmpty() ? tr("Chat") : chat.summary.title.simplified();
  }
  static QString branch(std::size_t shown, std::size_t all) {
    return tr("The shown branch: %1 of %2 messages.").arg(shown).arg(all);
  }
  static QString thinking() { return tr("Thinking"); }
  static QString callState(CallState state) {
    switch (state) {
      case CallState::kWhole:
        return {};
      case CallState::kCut:
        return tr("The answer ended within this call.");
      case CallState::kUnreadable:
        return tr("This call has a mistake, so it has no result.");
    }
    return {};
  }
};

QString timeOf(std::int64_t ms) {
  return QDateTime::fromMSecsSinceEpoch(ms).toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"));
}

// "qwen3-0.6b, seed 42, exact, avx2, stopped"
QString noteOf(const MessageRecord& message) {
  QStringList parts;
  const Provenance& from = message.provenance;
  if (!from.model.isEmpty()) parts += from.model;
  if (from.seed != 0) parts += QStringLiteral("seed %1").arg(from.seed);
  for (const QString& part : {from.computeMode, from.instructionSet, ChatExportWords::state(message)})
    if (!part.isEmpty()) parts += part;
  return parts.join(QStringLiteral(", ")).simplified();
}

// Control characters other than line breaks and tabs are not allowed in HTML.
QString escaped(const QString& text) {
  QString clean;
  clean.reserve(text.size());
  for (const QChar c : text.toHtmlEscaped()) {
    const bool control = c.category() == QChar::Other_Control && c != '\n' && c != '\t';
    clean += control ? QChar(QChar::ReplacementCharacter) : c;
  }
  return clean;
}

// The characters that would begin something in a heading or in emphasis.
QString escapedMarkdown(const QString& line) {
  QString text;
  for (const QChar c : line) {
    if (QStringLiteral("\\`*_[]<>#").contains(c)) text += '\\';
    text += c;
  }
  return text;
}

QString quotedMarkdown(const QString& text) {
  return "> " + QString(text).replace('\n', QStringLiteral("\n> ")) + "\n\n";
}

constexpr const char* kPageHead =
    "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%1</title>\n<style>\n"
    "body { font: 16px/1.55 system-ui, sans-serif; max-width: 46em; margin: 0 auto; padding: 2em 1em 4em;"
    " color: var(--text); background: var(--page); -webkit-text-size-adjust: none }\n"
    "h1 { font-size: 1.6em; line-height: 1.25; margin: 0; overflow-wrap: anywhere }\n"
    "h1 + .note { margin: 0.3em 0 2em } article { margin: 1.5em 0 }\n"
    "h2 { font-size: 0.9em; margin: 0 0 0.3em; color: var(--dim) }\n"
    ".note { color: var(--dim); font-size: 0.85em; overflow-wrap: anywhere }\n"
    ".text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }\n"
    ".call { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line);"
    " padding: 0.5em 1em; border-radius: 10px }\n"
    ".user { background: var(--bubble); padding: 0.6em 1em; border-radius: 10px }\n"
    ".user h2 { color: var(--text) } summary { cursor: pointer }\n"
    "details { border: 1px solid var(--line); border-radius: 6px; padding: 0.3em 0.8em; margin: 0.5em 0 }\n"
    "details > .file { max-height: 24em; overflow: auto; font: 0.9em/1.45 ui-monospace, monospace;"
    " margin: 0.5em 0; white-space: pre; unicode-bidi: isolate }\n"
    "%3</style>\n</head>\n<body>\n<h1 dir=\"auto\">%1</h1>\n<p class=\"note\">%2</p>\n";

// An answer's text in pieces: what it says, and each call of a tool as it was written.
struct Piece {
  QString text;
  bool isCall = false;
  QString remark = {};  // on a broken call
};
std::vector<Piece> piecesOf(const MessageRecord& message, const AnswerCalls& read) {
  if (read.calls.empty()) return {{message.text}};
  const std::string text = message.text.toStdString();
  std::vector<Piece> pieces;
  const auto add = [&](std::size_t begin, std::size_t end, bool isCall, const QString& remark = {}) {
    const QString part = QString::fromStdString(text.substr(begin, end - begin)).trimmed();
    if (!part.isEmpty()) pieces.push_back({part, isCall, remark});
  };
  std::size_t end = 0;
  for (const PlacedCall& placed : read.calls) {
    add(end, placed.range.begin, false);
    add(placed.range.begin, placed.range.end, true, ChatExportWords::callState(placed.state));
    end = placed.range.end;
  }
  add(end, text.size(), false);
  return pieces;
}

QString questionOf(const PageQuestion& question) {
  QString html;
  for (const PageQuestion::File& file : question.files)
    html += "<details><summary>" + escaped(file.title) + "</summary><pre class=\"file\" dir=\"auto\">" +
            escaped(file.text) + "</pre></details>\n";
  return html + "<div class=\"text\" dir=\"auto\">" + escaped(question.words) + "</div>\n";
}

QString textOf(const MessageRecord& message, const QString& text, const AnswerHtml& answers,
               const QString& anchors) {
  if (message.role == MessageRole::kUser && answers.question) return questionOf(answers.question(text));
  if (message.role != MessageRole::kAssistant)
    return "<div class=\"text\" dir=\"auto\">" + escaped(text) + "</div>\n";
  return "<div class=\"answer\" dir=\"auto\">\n" + answers.body(text, anchors) + "</div>\n";
}

QString articleOf(const MessageRecord& message, const AnswerCalls& read, const ToolCall* answered,
                  const AnswerHtml& answers) {
  QString html =
      QStringLiteral("<article class=\"%1\">\n<h2>%2</h2>\n")
          .arg(QLatin1String(nameOf(message.role)), escaped(ChatExportWords::author(message, answered)));
  if (!message.thinking.isEmpty())
    html += "<details><summary>" + escaped(ChatExportWords::thinking()) +
            "</summary><div class=\"text\" dir=\"auto\">" + escaped(message.thinking) + "</div></details>\n";
  int pieces = 0;
  for (const Piece& piece : piecesOf(message, read)) {
    const QString anchors = QStringLiteral("m%1p%2").arg(message.id).arg(++pieces);
    html += piece.isCall ? "<pre class=\"call\">" + escaped(piece.text) + "</pre>\n"
                         : textOf(message, piece.text, answers, anchors);
    if (!piece.remark.isEmpty()) html += "<p class=\"note\">" + escaped(piece.remark) + "</p>\n";
  }
  if (const QString note = noteOf(message); !note.isEmpty())
    html += "<p class=\"note\">" + escaped(note) + "</p>\n";
  return html + "</article>\n";
}

// The branch, with the instructions before it.
std::vector<MessageRecord> shownMessages(const ChatRecord& chat) {
  std::vector<MessageRecord> shown;
  if (!chat.settings.instructions.isEmpty()) {
    shown.emplace_back();
    shown.back().role = MessageRole::kSystem;
    shown.back().text = chat.settings.instructions;
  }
  for (const MessageId id : chat.shownPath()) shown.push_back(*chat.find(id));
  return shown;
}

QString aboutOf(const ChatRecord& chat) {
  return timeOf(chat.summary.createdMs) + ". " +
         ChatExportWords::branch(chat.shownPath().size(), chat.messages.size());
}

}  // namespace

QString chatToMarkdown(const ChatRecord& chat) {
  QString text =
      "# " + escapedMarkdown(ChatExportWords::title(chat)) + "\n\n" + escapedMarkdown(aboutOf(chat)) + "\n\n";
  const std::vector<MessageRecord> shown = shownMessages(chat);
  const PathCalls calls(chat.settings, shown);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const MessageRecord& message = shown[i];
    text += "## " + ChatExportWords::author(message, calls.answeredBy(i)) + "\n\n";
    if (!message.thinking.isEmpty()) text += quotedMarkdown(message.thinking);
    for (const Piece& piece : piecesOf(message, calls.of(i))) {
      text += (piece.isCall ? fenced(piece.text) : piece.text) + "\n\n";
      if (!piece.remark.isEmpty()) text += '*' + escapedMarkdown(piece.remark) + "*\n\n";
    }
    if (const QString note = noteOf(message); !note.isEmpty()) text += '*' + escapedMarkdown(note) + "*\n\n";
  }
  text.chop(1);
  return text;
}

QString chatToHtml(const ChatRecord& chat, const AnswerHtml& answers) {
  QString html = QString::fromLatin1(kPageHead).arg(escaped(ChatExportWords::title(chat)),
                                                    escaped(aboutOf(chat)), answers.style);
  const std::vector<MessageRecord> shown = shownMessages(chat);
  const PathCalls calls(chat.settings, shown);
  for (std::size_t i = 0; i < shown.size(); ++i)
    html += articleOf(shown[i], calls.of(i), calls.answeredBy(i), answers);
  return html + "</body>\n</html>\n";
}

// Signs that a file system may refuse are one stroke within the name, and nothing at its ends.
QString exportName(const ChatRecord& chat) {
  QString name;
  bool parts = false;
  for (const QChar c : ChatExportWords::title(chat).left(60)) {
    const bool fit = c.isLetterOrNumber() || c.isSurrogate() || QStringLiteral(" -_").contains(c);
    if (fit && parts && !name.isEmpty()) name += u'_';
    if (fit) name += c;
    parts = !fit;
  }
  if (!name.isEmpty() && name.back().isHighSurrogate()) name.chop(1);
  return name.trimmed().isEmpty() ? QStringLiteral("chat") : name.trimmed();
}

}  // namespace vitrine
