#include "vitrine/prose/compare_words.h"

#include <algorithm>
#include <cmath>

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

class CompareWords : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  explicit CompareWords(const Language& language) : Speaker(kNoNames, language) {}

  String name(ContrastFigure figure) const {
    switch (figure) {
      case ContrastFigure::kSteps:
        return tr("steps to the end");
      case ContrastFigure::kTokensPerSecond:
        return tr("tokens per second");
      case ContrastFigure::kTtftP50:
        return tr("time to first token, p50");
      case ContrastFigure::kItlP50:
        return tr("between tokens, p50");
      case ContrastFigure::kItlP95:
        return tr("between tokens, p95");
      case ContrastFigure::kEndToEndP50:
        return tr("end to end, p50");
      case ContrastFigure::kRecomputed:
        return tr("tokens computed again");
      case ContrastFigure::kCached:
        return tr("tokens from the prefix cache");
      case ContrastFigure::kPreemptions:
        return tr("preemptions");
      case ContrastFigure::kSwappedBytes:
        return tr("bytes moved by swapping");
      case ContrastFigure::kWaitSteps:
        return tr("steps of waiting");
      case ContrastFigure::kBlocksAtMost:
        return tr("KV blocks at most");
      case ContrastFigure::kKvBytesAtMost:
        return tr("KV memory at most");
      case ContrastFigure::kAcceptance:
        break;
    }
    return tr("draft tokens accepted");
  }

  String help(ContrastFigure figure) const {
    switch (figure) {
      case ContrastFigure::kSteps:
        return tr("Steps of the engine until every request had finished.");
      case ContrastFigure::kTokensPerSecond:
        return tr("Tokens of all answers over the time from the first request to the last token.");
      case ContrastFigure::kTtftP50:
        return tr(
            "Time from a request's arrival to its first token, its wait included: half of the requests "
            "took longer.");
      case ContrastFigure::kItlP50:
        return tr("Time between two tokens of one answer: half of the pauses were longer.");
      case ContrastFigure::kItlP95:
        return tr("Time between two tokens of one answer: one pause of twenty was longer.");
      case ContrastFigure::kEndToEndP50:
        return tr("Time from a request's arrival to its last token: half of the requests took longer.");
      case ContrastFigure::kRecomputed:
        return tr("Tokens whose KV was computed a second time, since a preemption had thrown it away.");
      case ContrastFigure::kCached:
        return tr("Tokens of prompts whose KV was found in the prefix cache, so that it was not computed.");
      case ContrastFigure::kPreemptions:
        return tr("How often a running sequence lost its KV blocks to another one.");
      case ContrastFigure::kSwappedBytes:
        return tr("Bytes of KV that left the pool, moved on to a file, and came back.");
      case ContrastFigure::kWaitSteps:
        return tr("Steps at whose end a sequence waited, summed over all sequences.");
      case ContrastFigure::kBlocksAtMost:
        return tr("The most KV blocks that were in use at the end of a step.");
      case ContrastFigure::kKvBytesAtMost:
        return tr("The memory of the most KV blocks that were in use at the end of a step.");
      case ContrastFigure::kAcceptance:
        break;
    }
    return tr("Share of the draft tokens that the model judged and accepted.");
  }

  String value(ContrastFigure figure, double value) const {
    switch (figure) {
      case ContrastFigure::kTtftP50:
      case ContrastFigure::kItlP50:
      case ContrastFigure::kItlP95:
      case ContrastFigure::kEndToEndP50:
        return duration(std::llround(value * 1e6), m_language);
      case ContrastFigure::kSwappedBytes:
      case ContrastFigure::kKvBytesAtMost:
        return byteSize(std::llround(value), m_language);
      case ContrastFigure::kAcceptance:
        return percent(value, m_language);
      case ContrastFigure::kTokensPerSecond:
        if (value < 100) return decimal(value, 1);
        break;
      default:
        break;
    }
    return m_language.number(std::llround(value));
  }

  String ratio(double value) const { return decimal(value, value < 100 ? 2 : 0); }

  String verdict(const SameAnswers& answers) const {
    if (answers.first) return difference(*answers.first);
    const int tokens = static_cast<int>(answers.tokens);
    if (!answers.complete) return tr("Same so far: %n token(s).", nullptr, tokens);
    if (tokens == 0) return tr("No token was written.");
    return tokens == 1 ? tr("The only token is the same.")
                       : tr("All %n token(s) are the same.", nullptr, tokens);
  }

  String firstDifference(std::optional<int> at) const {
    return at ? tr("First difference: step %1").arg(*at) : tr("No step is scheduled differently.");
  }

  String changes(const std::vector<OptionChange>& all) const {
    String text;
    for (const OptionChange& change : all) {
      const String one =
          tr("%1: %2 → %3").arg(spelled(change.option), valueOf(change.one), valueOf(change.other));
      text = text.empty() ? one : tr("%1, %2").arg(text, one);
    }
    return text.empty() ? tr("no option differs") : text;
  }

 private:
  String difference(const AnswerDifference& at) const {
    const String answer = at.answer == 0 ? visibleText(at.request)
                                         : visibleText(at.request) + "/" + m_language.number(at.answer + 1);
    return at.token == 1 ? tr("%1 differs from its first token on.").arg(answer)
                         : tr("%1 differs from its token %2 on.").arg(answer, at.token);
  }
  static String spelled(const String& option) {
    String words = option;
    std::ranges::replace(words, '_', ' ');
    return words;
  }
  String valueOf(const String& value) const {
    if (value == "true") return tr("on");
    if (value == "false") return tr("off");
    return value.empty() ? tr("default") : visibleText(value);
  }
};

}  // namespace

std::string contrastName(ContrastFigure figure, const Language& language) {
  return CompareWords(language).name(figure);
}

std::string contrastHelp(ContrastFigure figure, const Language& language) {
  return CompareWords(language).help(figure);
}

std::string contrastValue(ContrastFigure figure, std::optional<double> value, const Language& language) {
  return value ? CompareWords(language).value(figure, *value) : "–";
}

std::string contrastRatio(std::optional<double> ratio, const Language& language) {
  return ratio ? CompareWords(language).ratio(*ratio) : "";
}

std::string answersVerdict(const SameAnswers& answers, const Language& language) {
  return CompareWords(language).verdict(answers);
}

std::string firstDifferenceText(std::optional<int> step, const Language& language) {
  return CompareWords(language).firstDifference(step);
}

std::string changesText(const std::vector<OptionChange>& changes, const Language& language) {
  return CompareWords(language).changes(changes);
}

}  // namespace vitrine::prose
