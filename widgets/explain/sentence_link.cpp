#include "widgets/explain/sentence_link.h"

#include "widgets/session/session.h"

namespace vitrine {

std::vector<SentenceLink> sentenceLinks(std::string_view sentence, std::span<const prose::Link> links,
                                        const Session& session) {
  const auto letters = [&](std::size_t bytes) {
    return static_cast<int>(QString::fromUtf8(sentence.data(), static_cast<qsizetype>(bytes)).size());
  };
  std::vector<SentenceLink> made;
  for (const auto& [begin, length, target] : links) {
    SentenceLink link{letters(begin), letters(begin + length) - letters(begin), target};
    if (target.sequence != 0)
      link.target.request = session.names().requestOf(target.sequence, session.state());
    if (target.position >= 0) link.target.step = session.step();
    made.push_back(std::move(link));
  }
  return made;
}

}  // namespace vitrine
