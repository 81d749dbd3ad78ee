#include "widgets/conversation/chat_words.h"

#include <QStringList>

#include "vitrine/statistics.h"
#include "vitrine/thought.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/support/formats.h"

namespace vitrine {
namespace {

// Many vocabularies begin a text with a space, which would indent the first line.
QString withoutLeadingSpace(QString text) {
  while (!text.isEmpty() && text.front().isSpace()) text.remove(0, 1);
  return text;
}

// A limit counts the whole answer, so an answer that goes on says both.
QString tokensText(int written, int given) {
  return given == 0 ? ChatModel::tr("%n token(s)", nullptr, written)
                    : ChatModel::tr("%n token(s) more, %1 in all", nullptr, written)
                          .arg(formatCount(given + written));
}

}  // namespace

AnswerWords answerWords(const AnswerParts& parts) {
  const auto words = [](std::string_view part) {
    return QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size()));
  };
  return {words(parts.thinking), withoutLeadingSpace(words(parts.answer)), parts.thinks};
}

AnswerWords answerWords(std::string_view text, std::string_view prompt, bool ended) {
  return answerWords(answerParts(text, openedThought(prompt), ended));
}

QString readingNote(const AnswerFigures& figures) {
  QStringList parts{ChatModel::tr("Reading the prompt: %1 of %2 tokens")
                        .arg(formatCount(figures.computedTokens), formatCount(figures.promptTokens))};
  if (figures.cachedTokens > 0)
    parts << ChatModel::tr("%1 from the cache").arg(formatCount(figures.cachedTokens));
  if (figures.tokensPerSecond > 0) parts << formatRate(figures.tokensPerSecond);
  return parts.join(QStringLiteral(" · "));
}

QString writingNote(const AnswerFigures& figures, bool thinks) {
  QStringList parts{thinks ? ChatModel::tr("Thinking…") : ChatModel::tr("Writing…"),
                    tokensText(figures.writtenTokens, figures.givenTokens)};
  if (figures.tokensPerSecond > 0) parts << formatRate(figures.tokensPerSecond);
  return parts.join(QStringLiteral(" · "));
}

QString finishedNote(const RequestFinished& finished) {
  QStringList parts{tokensText(finished.completionTokens - finished.givenTokens, finished.givenTokens)};
  if (const double rate = RequestTimes::of(finished).decodeRate(); rate > 0) parts << formatRate(rate);
  if (finished.ttftNs > 0) parts << ChatModel::tr("first after %1").arg(formatDuration(finished.ttftNs));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace vitrine
