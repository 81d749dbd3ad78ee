#include "desk/asking.h"

#include "desk/desk.h"

namespace vitrine {
namespace {

const QString kTypedMarks = QStringLiteral("typed_marks");
const QString kThinking = QStringLiteral("thinking"), kNoThinking = QStringLiteral("no_thinking");

QString wordOf(const std::string& effort) {
  return QStringLiteral("effort_") + QString::fromStdString(effort);
}
QString nameIn(ChatMend mend) { return QString::fromLatin1(nameOf(mend)); }

}  // namespace

void Asking::tell(Dialogue& dialogue) const {
  dialogue.mends = mends;
  dialogue.typedMarks = typedMarks;
  dialogue.thinking = thinking.value_or(dialogue.thinking);
  dialogue.reasoningEffort = effort;
}

const std::vector<std::string>& reasoningEfforts() {
  static const std::vector<std::string> efforts = {"minimal", "low", "medium", "high"};
  return efforts;
}

Asking askingOf(const QStringList& words) {
  Asking asking;
  for (const ChatMend mend : {ChatMend::kSystemInQuestion, ChatMend::kJoinedTurns})
    if (words.contains(nameIn(mend))) asking.mends.push_back(mend);
  asking.typedMarks = words.contains(kTypedMarks);
  if (words.contains(kThinking) || words.contains(kNoThinking)) asking.thinking = words.contains(kThinking);
  for (const std::string& effort : reasoningEfforts())
    if (words.contains(wordOf(effort))) asking.effort = effort;
  return asking;
}

QStringList toWords(const Asking& asking) {
  QStringList words;
  for (const ChatMend mend : asking.mends) words << nameIn(mend);
  if (asking.typedMarks) words << kTypedMarks;
  if (asking.thinking) words << (*asking.thinking ? kThinking : kNoThinking);
  if (!asking.effort.empty()) words << wordOf(asking.effort);
  return words;
}

void changeAsking(Desk& desk, ChatId chat, const std::function<void(Asking&)>& change) {
  ChatSettings settings = desk.settings(chat);
  Asking asking = askingOf(settings.asking);
  change(asking);
  settings.asking = toWords(asking);
  desk.setSettings(chat, settings);
}

}  // namespace vitrine
