#include "desk/chat_titles.h"

#include <QHash>
#include <algorithm>

#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr int kTailLetters = 24;   // of a question
constexpr int kAlikeLetters = 14;  // a narrow list shows about so many

// Its last words.
QString tailOf(const QString& question) {
  const QString words = question.simplified();
  if (words.size() <= kTailLetters) return words;
  const qsizetype from = words.size() - kTailLetters, blank = words.indexOf(u' ', from);
  return words.mid(blank < 0 ? from : blank + 1);
}

// The places of each text that stands more than once, the oldest chat first.
std::vector<std::vector<std::size_t>> equalOnes(const std::vector<ChatTitle>& titles,
                                                const std::vector<ChatSummary>& chats) {
  QHash<QString, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < titles.size(); ++i)
    if (!titles[i].text.isEmpty()) places[titles[i].text].push_back(i);
  std::vector<std::vector<std::size_t>> equal;
  for (std::vector<std::size_t>& same : places) {
    if (same.size() < 2) continue;
    std::ranges::sort(same, {}, [&](std::size_t i) { return std::pair(chats[i].createdMs, chats[i].id); });
    equal.push_back(std::move(same));
  }
  return equal;
}

}  // namespace

std::vector<ChatTitle> titlesApart(const std::vector<ChatSummary>& chats,
                                   const std::function<QString(ChatId)>& questionOf) {
  std::vector<ChatTitle> titles;
  for (const ChatSummary& chat : chats) titles.push_back({chat.title});
  for (const auto& same : equalOnes(titles, chats))
    for (const std::size_t i : same)
      if (!chats[i].titleGiven && titles[i].text.endsWith(QChar(0x2026)))
        titles[i].text += u' ' + tailOf(questionOf(chats[i].id));
  for (const auto& same : equalOnes(titles, chats))
    for (std::size_t i = 1; i < same.size(); ++i)
      titles[same[i]].text = Wording::tr("%1 (%2)").arg(titles[same[i]].text).arg(i + 1);
  QHash<QString, int> beginnings;
  for (const ChatTitle& title : titles) ++beginnings[title.text.left(kAlikeLetters)];
  for (ChatTitle& title : titles) title.beginsAlike = beginnings[title.text.left(kAlikeLetters)] > 1;
  return titles;
}

}  // namespace vitrine
