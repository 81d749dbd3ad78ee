#include "vitrine/prose/question_words.h"

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

class QuestionWords : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using Speaker::Speaker;

  String text(const QuizQuestion& asked) const {
    const String about = step(asked.step);
    switch (asked.kind) {
      case QuestionKind::kAdmitted:
        return tr("Which of the waiting sequences does step %1 admit?").arg(about);
      case QuestionKind::kPreempted:
        return tr("Which of the running sequences does step %1 preempt?").arg(about);
      case QuestionKind::kFinished:
        return tr("Which of the running sequences end in step %1?").arg(about);
      case QuestionKind::kBlocks:
        return tr("How many free KV blocks does step %1 take?").arg(about);
      case QuestionKind::kTokens:
        return tr("How many tokens does step %1 compute?").arg(about);
      case QuestionKind::kNextToken:
        break;
    }
    return tr("Which token does %1 get in step %2?").arg(sequence(asked.sequence), about);
  }

  String choice(const QuizQuestion& asked, int place) const {
    const auto at = static_cast<std::size_t>(place);
    if (asked.kind != QuestionKind::kNextToken) return sequence(asked.sequences.at(at));
    return tr("“%1”").arg(visibleText(asked.tokens.at(at).text));
  }

  String guess(const QuizQuestion& asked, const Guess& said) const {
    if (asked.asksForNumber()) return m_language.number(said.number);
    if (said.chosen.empty()) return tr("none of them");
    if (asked.kind == QuestionKind::kNextToken) {
      const int place = said.chosen.front();
      const double likely = asked.tokens.at(static_cast<std::size_t>(place)).probability;
      return tr("%1, %2 likely").arg(choice(asked, place), percent(likely, m_language));
    }
    std::vector<String> names;
    for (const int place : said.chosen) names.push_back(choice(asked, place));
    return enumerated(names);
  }

  String difficulty(Difficulty value) const {
    switch (value) {
      case Difficulty::kEasy:
        return tr("easy");
      case Difficulty::kMedium:
        return tr("medium");
      case Difficulty::kHard:
        break;
    }
    return tr("hard");
  }

  String soFar(const QuizQuestion& asked, const StepFacts& before) const {
    if (asked.kind != QuestionKind::kNextToken) return "";
    for (const SequenceFacts& one : before.sequences)
      if (one.sequence == asked.sequence)
        return tr("%1 so far: “%2” → “%3”")
            .arg(sequence(one.sequence), readable(one.prompt), readable(one.answer));
    return "";
  }

  String facts(const StepFacts& before) const {
    String all = tr("Free KV blocks: %1, of %2 tokens each.").arg(before.freeBlocks, before.blockSize);
    if (before.tokenBudget > 0)
      all += " " + String(tr("A step computes at most %1 tokens, and %2 sequences run at most.")
                              .arg(before.tokenBudget, before.mostSequences));
    return all;
  }

  std::vector<std::vector<String>> table(const StepFacts& before) const {
    std::vector<std::vector<String>> rows = {{tr("Sequence"), tr("State"), tr("Prompt"), tr("Written"),
                                              tr("May write"), tr("Computed"), tr("KV blocks"),
                                              tr("Priority")}};
    for (const SequenceFacts& one : before.sequences)
      rows.push_back({sequence(one.sequence), state(one.status), number(one.promptTokens),
                      number(one.tokens - one.promptTokens), number(one.mostTokens),
                      number(one.computedTokens), number(one.blocks), number(one.priority)});
    return rows;
  }

 private:
  // Whole sentences: their blanks are no news, all else that is not seen is shown.
  static String readable(const std::string& text) {
    const String blank = "\xE2\x90\xA3";
    String shown = visibleText(text);
    for (std::size_t at = 0; (at = shown.find(blank, at)) != String::npos; ++at)
      shown.replace(at, blank.size(), " ");
    return shown;
  }
  String number(int value) const { return m_language.number(value); }
  String state(SequenceStatus status) const {
    switch (status) {
      case SequenceStatus::kWaiting:
        return tr("waits");
      case SequenceStatus::kRunning:
        return tr("runs");
      case SequenceStatus::kPreempted:
        return tr("preempted");
      case SequenceStatus::kSwapped:
        return tr("swapped out");
      case SequenceStatus::kFinished:
        break;
    }
    return tr("finished");
  }
};

}  // namespace

std::string questionText(const QuizQuestion& question, const Names& names, const Language& language) {
  return QuestionWords(names, language).text(question);
}

std::string choiceText(const QuizQuestion& question, int place, const Names& names,
                       const Language& language) {
  return QuestionWords(names, language).choice(question, place);
}

std::string guessText(const QuizQuestion& question, const Guess& guess, const Names& names,
                      const Language& language) {
  return QuestionWords(names, language).guess(question, guess);
}

std::string difficultyName(Difficulty difficulty, const Language& language) {
  return QuestionWords(kNoNames, language).difficulty(difficulty);
}

std::string textSoFar(const QuizQuestion& question, const StepFacts& facts, const Names& names,
                      const Language& language) {
  return QuestionWords(names, language).soFar(question, facts);
}

std::string factsText(const StepFacts& facts, const Language& language) {
  return QuestionWords(kNoNames, language).facts(facts);
}

std::vector<std::vector<std::string>> factTable(const StepFacts& facts, const Names& names,
                                                const Language& language) {
  return QuestionWords(names, language).table(facts);
}

}  // namespace vitrine::prose
