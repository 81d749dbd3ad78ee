#include "widgets/prompt/prompt_model.h"

#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {

PromptModel::PromptModel(Session* session, QObject* parent)
    : RowsModel(session, parent), m_prompt(std::make_shared<SeenPrompt>()) {}

void PromptModel::setPrompt(std::shared_ptr<const SeenPrompt> prompt) {
  m_prompt = prompt ? std::move(prompt) : std::make_shared<SeenPrompt>();
  std::ranges::fill(m_counts, 0);
  setRows(m_prompt->tokens);
  for (int row = 0; row < rowCount(); ++row) ++m_counts[static_cast<std::size_t>(owner(row))];
  emit refreshed();
}

PromptModel::Owner PromptModel::ownerOf(const std::string& role) {
  if (role == "system" || role == "developer") return Owner::kSystem;
  if (role == "user") return Owner::kUser;
  return role == "assistant" ? Owner::kModel : Owner::kOther;
}

PromptModel::Owner PromptModel::owner(int row) const {
  const SeenToken& token = at(row);
  if (!token.isWritten) return Owner::kTemplate;
  const bool known = token.message >= 0 && token.message < std::ssize(m_prompt->roles);
  return known ? ownerOf(m_prompt->roles[static_cast<std::size_t>(token.message)]) : Owner::kOther;
}

// Text between two messages, which belongs to none, goes on with the first.
bool PromptModel::opensGroup(int row) const {
  if (row == 0 || row == m_prompt->answerBegins) return true;
  if (isOfAnswer(row) || at(row).message < 0) return false;
  for (int before = row - 1; before >= 0; --before)
    if (at(before).message >= 0 || before == 0) return at(before).message != at(row).message;
  return false;
}

QString PromptModel::heading(int row) const {
  if (!opensGroup(row)) return {};
  if (isOfAnswer(row)) return tr("answer");
  const int message = at(row).message;
  if (message < 0) return tr("template");
  const bool known = message < std::ssize(m_prompt->roles);
  const QString role = known ? windowText(m_prompt->roles[static_cast<std::size_t>(message)]) : QString();
  return QStringLiteral("%1 %2").arg(message + 1).arg(role);
}

int PromptModel::templateLine(int row) const {
  const int place = writer(row);
  return place < 0 ? 0 : m_prompt->writers[static_cast<std::size_t>(place)].line;
}

int PromptModel::firstThatDiffers() const {
  const PromptBefore& before = m_prompt->before;
  return before.shared < before.tokens && before.shared < rowCount() ? before.shared : -1;
}

std::set<int> PromptModel::writersIn(int line) const {
  std::set<int> found;
  for (std::size_t i = 0; i < m_prompt->writers.size(); ++i)
    if (m_prompt->writers[i].line == line) found.insert(static_cast<int>(i));
  return found;
}

QString PromptModel::messageName(int message) const {
  const bool known = message < std::ssize(m_prompt->roles);
  const QString role = known ? windowText(m_prompt->roles[static_cast<std::size_t>(message)]) : QString();
  return role.isEmpty() ? tr("message %1").arg(message + 1)
                        : tr("message %1 (%2)").arg(message + 1).arg(role);
}

QString PromptModel::describe(int row) const {
  if (row < 0 || row >= rowCount()) return {};
  const SeenToken& token = at(row);
  const QString place = tr("Token %1 of %2").arg(row + 1).arg(rowCount());
  const QString what = token.isMark      ? tr("special token %1").arg(windowText(token.text))
                       : token.continues ? tr("more of the same letter")
                                         : tr("“%1”").arg(visibleToken(token.text));
  QString whose;
  if (token.writer < 0)
    whose = tr("put there by the tokenizer");
  else if (token.isWritten)
    whose = tr("words of %1").arg(messageName(token.message));
  else if (isOfAnswer(row))
    whose = tr("the template's, to begin the answer");
  else
    whose = token.message < 0 ? tr("the template's")
                              : tr("the template's, around %1").arg(messageName(token.message));
  if (token.isTyped) whose += tr(", the name of a special token that was typed");
  if (row == firstThatDiffers()) whose += tr(", the first that differs from the last prompt");
  const int line = templateLine(row);
  const QString by = line > 0 ? tr(", from line %1").arg(line) : QString();
  return tr("%1: %2, id %3; %4%5").arg(place, what, QString::number(token.id), whose, by);
}

QString PromptModel::whatWrote(int row) const {
  if (row < 0 || row >= rowCount()) return {};
  const SeenToken& token = at(row);
  const int line = templateLine(row);
  if (line == 0) return tr("No line wrote this: the tokenizer puts this token there.");
  if (isOfAnswer(row)) return tr("Line %1 wrote this: the beginning of the answer.").arg(line);
  if (token.message < 0) return tr("Line %1 wrote this: text of its own, for no message.").arg(line);
  bool words = false, own = false;
  std::string around;
  const bool known = token.message < std::ssize(m_prompt->roles);
  const std::string name = known ? m_prompt->roles[static_cast<std::size_t>(token.message)] : std::string();
  for (int other = 0; other < rowCount(); ++other) {
    const SeenToken& one = at(other);
    if (one.message != token.message || one.writer != token.writer) continue;
    words = words || one.isWritten;
    own = own || one.isMark;
    if (!one.isWritten && !one.isMark) around += one.text;
  }
  const bool role = !name.empty() && around.find(name) != std::string::npos;
  const QString of = messageName(token.message);
  if (words && role && own)
    return tr("Line %1 wrote this: the role and the words of %2, between special tokens.").arg(line).arg(of);
  if (words && role) return tr("Line %1 wrote this: the role and the words of %2.").arg(line).arg(of);
  if (words && own)
    return tr("Line %1 wrote this: the words of %2, beside special tokens.").arg(line).arg(of);
  if (words) return tr("Line %1 wrote this: the words of %2.").arg(line).arg(of);
  return tr("Line %1 wrote this: text of its own, for %2.").arg(line).arg(of);
}

QString PromptModel::whatLineWrote(int line) const {
  std::set<int> messages;
  int tokens = 0;
  for (int row = 0; row < rowCount(); ++row) {
    if (templateLine(row) != line) continue;
    ++tokens;
    if (at(row).message >= 0) messages.insert(at(row).message);
  }
  if (tokens == 0) return tr("Line %1 wrote nothing of this prompt.").arg(line);
  if (messages.empty()) return tr("Line %1 wrote %n token(s).", nullptr, tokens).arg(line);
  const QString in = tr("%n message(s)", nullptr, static_cast<int>(messages.size()));
  return tr("Line %1 wrote %n token(s), in %2.", nullptr, tokens).arg(line).arg(in);
}

// The first ones with their words; of very many the number.
QString PromptModel::whatIsLeftOut() const {
  constexpr qsizetype kWithWords = 3, kNamed = 12;
  const std::vector<LeftOutMessage>& messages = m_prompt->messagesLeftOut;
  if (messages.empty()) return {};
  QStringList named;
  for (const auto& [message, text, part] : messages) {
    if (named.size() == kNamed) break;
    const QString words = named.size() < kWithWords ? u' ' + quotedBeginning(windowText(text)) : QString();
    const QString name = messageName(message);
    named << (part == LeftOutMessage::Part::kWords   ? tr("the words beside the calls of %1").arg(name)
              : part == LeftOutMessage::Part::kCalls ? tr("the calls of %1").arg(name)
                                                     : name) +
                 words;
  }
  if (const auto more = std::ssize(messages) - named.size(); more > 0)
    named << tr("%1 more").arg(formatCount(more));
  return tr("The template leaves out: %1").arg(named.join(QStringLiteral("; ")));
}

QString PromptModel::whatIsShared() const {
  const PromptBefore& before = m_prompt->before;
  if (before.tokens == 0 || rowCount() == 0) return {};
  if (before.shared == 0)
    return tr(
        "The first token differs from the last prompt's, so nothing of that can be taken from a cache.");
  const QString same =
      before.shared > before.promptTokens
          ? tr("The first %n token(s) are those of the last prompt and its answer", nullptr, before.shared)
          : tr("The first %n token(s) are those of the last prompt", nullptr, before.shared);
  const QString kv =
      before.isCached
          ? tr("%1: the KV can be taken from the prefix cache, in whole blocks.").arg(same)
          : tr("%1. The machine runs without the prefix cache, so all is computed again.").arg(same);
  const int row = firstThatDiffers();
  if (row < 0) return kv;
  const QString why =
      before.hasThought
          ? tr("Token %1 differs: the template drops earlier thoughts.").arg(row + 1)
          : tr("Token %1 differs: it is “%2”, and was “%3”.")
                .arg(QString::number(row + 1), visibleToken(at(row).text), visibleToken(before.theirs));
  return kv + u' ' + why;
}

const TableColumns& PromptModel::columns() const {
  using Model = PromptModel;
  using Row = SeenToken;
  static constexpr TableColumn::Look kNumber{.align = kAtRight};
  static const ColumnsOf<Model> kColumns = {
      {QT_TR_NOOP("Token"), [](const Model&, int row) { return row + 1; }, kNumber},
      {QT_TR_NOOP("Id"), &Row::id, kNumber},
      {QT_TR_NOOP("Text"),
       [](const Row& token) { return token.isMark ? windowText(token.text) : visibleToken(token.text); }},
      {QT_TR_NOOP("Message"),
       [](const Model& model, const Row& token) {
         return token.message < 0 ? QString() : model.messageName(token.message);
       }},
      {QT_TR_NOOP("Written by"),
       [](const Row& token) {
         return token.writer < 0 ? tr("tokenizer") : token.isWritten ? tr("conversation") : tr("template");
       }},
      {QT_TR_NOOP("Line"), &Model::templateLine, kNumber},
  };
  return kColumns;
}

QVariant PromptModel::otherData(const QModelIndex& index, int role) const {
  return role == Qt::AccessibleTextRole || role == Qt::ToolTipRole ? describe(index.row()) : QVariant();
}

QString ownerName(PromptModel::Owner owner) {
  switch (owner) {
    case PromptModel::Owner::kSystem:
      return PromptModel::tr("system");
    case PromptModel::Owner::kUser:
      return PromptModel::tr("user");
    case PromptModel::Owner::kModel:
      return PromptModel::tr("model");
    case PromptModel::Owner::kOther:
      return PromptModel::tr("other");
    case PromptModel::Owner::kTemplate:
      return PromptModel::tr("template");
  }
  return {};
}

}  // namespace vitrine

#include "moc_prompt_model.cpp"
