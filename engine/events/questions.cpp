#include "vitrine/questions.h"

#include <algorithm>

namespace vitrine {
namespace {

constexpr std::size_t kTokenChoices = 4;

int blocksOf(int tokens, int blockSize) { return (tokens + blockSize - 1) / blockSize; }

// Whether the next tokens of all running sequences might not find room.
bool isMemoryTight(const MachineState& state) {
  int needed = 0;
  for (const SequenceId id : state.running) {
    const SequenceState& sequence = state.sequences.at(id);
    const int tokens = static_cast<int>(sequence.tokens.size()) - sequence.evictedTokens;
    needed += std::max(0, blocksOf(tokens, state.blockSize) - static_cast<int>(sequence.blockTable.size()));
  }
  return needed + static_cast<int>(state.running.size()) > static_cast<int>(state.freeQueue.size());
}

// Whether a running sequence is at its last token, or the one before.
bool isOneAlmostDone(const MachineState& state) {
  return std::ranges::any_of(state.running, [&](SequenceId id) {
    const SequenceState& sequence = state.sequences.at(id);
    const int written = static_cast<int>(sequence.tokens.size()) - sequence.promptTokens;
    return state.requests.at(sequence.request).maxTokens - written <= 2;
  });
}

// What a step's events say, in one pass.
struct StepAccount {
  std::vector<SequenceId> admitted, preempted, finished;
  int blocks = 0, tokens = 0;
  bool isWhole = false, isDisturbed = false;  // disturbed: a person came in between
  bool hasPrefill = false, hasChunk = false;  // chunk: the prompt goes on in a later step
  bool hasDrafts = false, hasHits = false, hasCopies = false, hasSwaps = false;
  bool hasOddWait = false;  // for another reason than blocks, slots or the queue's order
  bool hasOddEnd = false;   // not at the length limit

  // From the step's beginning on: before it the machine is as it was asked about.
  explicit StepAccount(std::span<const Event> events) {
    const auto begins = [](const Event& event) { return isA<StepStarted>(event); };
    for (auto at = std::ranges::find_if(events, begins); at != events.end(); ++at) note(*at);
  }

 private:
  void note(const Event& event) {
    if (const auto* admittedOne = bodyOf<SequenceAdmitted>(event)) {
      admitted.push_back(admittedOne->sequence);
    } else if (const auto* preemptedOne = bodyOf<SequencePreempted>(event)) {
      preempted.push_back(preemptedOne->sequence);
    } else if (const auto* ended = bodyOf<SequenceFinished>(event)) {
      finished.push_back(ended->sequence);
      hasOddEnd |= ended->reason != FinishReason::kLength;
    } else if (const auto* waiting = bodyOf<SequenceWaiting>(event)) {
      hasOddWait |= waiting->reason != WaitReason::kBlocks && waiting->reason != WaitReason::kSequences &&
                    waiting->reason != WaitReason::kBehind;
    } else if (const auto* scheduled = bodyOf<SequenceScheduled>(event)) {
      hasPrefill |= scheduled->kind == WorkKind::kPrefill;
      hasChunk |= scheduled->firstPosition + scheduled->tokens < scheduled->totalTokens;
      hasDrafts |= scheduled->draftTokens > 0;
    } else if (const auto* step = bodyOf<StepFinished>(event)) {
      isWhole = true;
      tokens = step->tokens;
    } else {
      noteBlocks(event);
      isDisturbed |= isA<RequestCancelled>(event) || isA<OptionsChanged>(event);
    }
  }
  void noteBlocks(const Event& event) {
    const bool isCopy = isA<BlockCopied>(event), isSwap = isA<BlockSwappedIn>(event);
    hasHits |= isA<BlockHit>(event);
    hasCopies |= isCopy;
    hasSwaps |= isSwap;
    // A block that is swapped in was allocated for it.
    if (isCopy || isA<BlockAllocated>(event)) ++blocks;
  }
};

// The places, ascending, at which those of `some` stand in `all`.
std::vector<int> placesOf(const std::vector<SequenceId>& some, const std::vector<SequenceId>& all) {
  std::vector<int> places;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::ranges::count(some, all[i]) > 0) places.push_back(static_cast<int>(i));
  return places;
}

bool areFirst(const std::vector<int>& places) {
  return places.empty() || places.back() + 1 == static_cast<int>(places.size());
}

Difficulty difficultyOfAdmitted(const QuizQuestion& question, const StepAccount& step) {
  if (!areFirst(question.answer.chosen) || step.hasOddWait) return Difficulty::kHard;
  return question.answer.chosen.size() == question.sequences.size() ? Difficulty::kEasy : Difficulty::kMedium;
}

// The rule is that the last one goes.
Difficulty difficultyOfPreempted(const QuizQuestion& question) {
  const std::vector<int>& chosen = question.answer.chosen;
  if (chosen.empty()) return Difficulty::kEasy;
  const bool isTheLast = chosen.size() == 1 && chosen[0] + 1 == static_cast<int>(question.sequences.size());
  return isTheLast ? Difficulty::kMedium : Difficulty::kHard;
}

Difficulty difficultyOfBlocks(const StepAccount& step) {
  if (step.hasHits || step.hasCopies || step.hasSwaps || !step.preempted.empty()) return Difficulty::kHard;
  return step.hasPrefill || step.blocks > 1 ? Difficulty::kMedium : Difficulty::kEasy;
}

Difficulty difficultyOfTokens(const StepAccount& step) {
  if (step.hasDrafts || step.hasChunk || step.hasHits || !step.preempted.empty()) return Difficulty::kHard;
  return step.hasPrefill ? Difficulty::kMedium : Difficulty::kEasy;
}

Difficulty difficultyOfToken(double probability) {
  if (probability >= 0.8) return Difficulty::kEasy;
  return probability >= 0.3 ? Difficulty::kMedium : Difficulty::kHard;
}

QuizQuestion askOf(QuestionKind kind, int step, std::vector<SequenceId> sequences = {}) {
  QuizQuestion question;
  question.kind = kind;
  question.step = step;
  question.sequences = std::move(sequences);
  return question;
}

bool areChoices(const std::vector<SequenceId>& sequences) {
  return !sequences.empty() && sequences.size() <= kMostChoices;
}

// As answerQuestion().
bool answerFrom(const StepAccount& step, QuizQuestion& question) {
  if (!step.isWhole || step.isDisturbed) return false;
  Guess& answer = question.answer;
  switch (question.kind) {
    case QuestionKind::kAdmitted:
      for (const SequenceId id : step.admitted)
        if (!std::ranges::count(question.sequences, id)) return false;
      answer.chosen = placesOf(step.admitted, question.sequences);
      question.difficulty = difficultyOfAdmitted(question, step);
      return true;
    // A sequence that was admitted in this very step may be preempted in it, or finish, and is no choice.
    case QuestionKind::kPreempted:
      answer.chosen = placesOf(step.preempted, question.sequences);
      question.difficulty = difficultyOfPreempted(question);
      return true;
    case QuestionKind::kFinished:
      answer.chosen = placesOf(step.finished, question.sequences);
      question.difficulty = step.hasOddEnd          ? Difficulty::kHard
                            : answer.chosen.empty() ? Difficulty::kMedium
                                                    : Difficulty::kEasy;
      return true;
    case QuestionKind::kBlocks:
      answer.number = step.blocks;
      question.difficulty = difficultyOfBlocks(step);
      return true;
    case QuestionKind::kTokens:
      answer.number = step.tokens;
      question.difficulty = difficultyOfTokens(step);
      return true;
    case QuestionKind::kNextToken:
      break;
  }
  return false;
}

std::string lastWordsOf(const std::string& text) {
  const std::string mark = "\xE2\x80\xA6";
  if (text.size() <= kLastWords) return text;
  std::size_t first = text.size() - (kLastWords - mark.size());
  while (first < text.size() && (static_cast<unsigned char>(text[first]) & 0xC0) == 0x80) ++first;
  return mark + text.substr(first);
}

}  // namespace

std::vector<QuizQuestion> questionsBefore(const MachineState& state) {
  std::vector<QuizQuestion> questions;
  if (state.isFromOutside() || (state.running.empty() && state.waiting.empty())) return questions;
  const int step = state.step + 1;
  if (areChoices(state.waiting)) questions.push_back(askOf(QuestionKind::kAdmitted, step, state.waiting));
  if (areChoices(state.running)) {
    if (isMemoryTight(state)) questions.push_back(askOf(QuestionKind::kPreempted, step, state.running));
    if (isOneAlmostDone(state)) questions.push_back(askOf(QuestionKind::kFinished, step, state.running));
  }
  questions.push_back(askOf(QuestionKind::kBlocks, step));
  questions.push_back(askOf(QuestionKind::kTokens, step));
  return questions;
}

bool answerQuestion(QuizQuestion& question, std::span<const Event> events) {
  return answerFrom(StepAccount(events), question);
}

std::vector<QuizQuestion> tokenQuestions(int step, std::span<const Event> events) {
  std::vector<QuizQuestion> questions;
  for (const Event& event : events) {
    const auto* candidates = bodyOf<TokenCandidates>(event);
    if (candidates == nullptr || candidates->stages.empty()) continue;
    const std::vector<Candidate>& top = candidates->stages.front().top;
    QuizQuestion question = askOf(QuestionKind::kNextToken, step);
    question.sequence = candidates->sequence;
    const std::size_t known = std::min(top.size(), candidates->pieces.size());
    // The most likely ones, and in the place of the last of them the token that came, where it is not there.
    for (std::size_t i = 0; i < known; ++i) {
      const bool isChosen = top[i].token == candidates->chosen;
      if (question.tokens.size() == kTokenChoices && !isChosen) continue;
      if (question.tokens.size() == kTokenChoices) question.tokens.pop_back();
      question.tokens.push_back({top[i].token, candidates->pieces[i], top[i].probability});
    }
    std::ranges::sort(question.tokens, {},
                      [](const AskedToken& choice) { return std::pair(choice.text, choice.token); });
    const auto came = std::ranges::find(question.tokens, candidates->chosen, &AskedToken::token);
    if (came == question.tokens.end() || question.tokens.size() < 2) continue;
    question.answer.chosen = {static_cast<int>(came - question.tokens.begin())};
    question.difficulty = difficultyOfToken(came->probability);
    questions.push_back(std::move(question));
  }
  return questions;
}

double pointsOf(const QuizQuestion& question, const Guess& guess) {
  if (question.asksForNumber()) return guess.number == question.answer.number ? 1 : 0;
  if (question.kind != QuestionKind::kNextToken) return guess.chosen == question.answer.chosen ? 1 : 0;
  if (guess.chosen.size() != 1) return 0;
  const auto place = static_cast<std::size_t>(guess.chosen[0]);
  return guess.chosen[0] >= 0 && place < question.tokens.size() ? question.tokens[place].probability : 0;
}

double mostPoints(const QuizQuestion& question) {
  if (question.kind != QuestionKind::kNextToken) return 1;
  double most = 0;
  for (const AskedToken& choice : question.tokens) most = std::max(most, choice.probability);
  return most;
}

StepFacts factsBefore(const MachineState& state) {
  StepFacts facts;
  facts.step = state.step + 1;
  facts.freeBlocks = static_cast<int>(state.freeQueue.size());
  facts.blockSize = state.blockSize;
  for (const auto* list : {&state.running, &state.waiting})
    for (const SequenceId id : *list) {
      const SequenceState& sequence = state.sequences.at(id);
      const RequestState& request = state.requests.at(sequence.request);
      facts.sequences.push_back({id, sequence.status, sequence.promptTokens,
                                 static_cast<int>(sequence.tokens.size()), sequence.computedTokens,
                                 request.maxTokens, static_cast<int>(sequence.blockTable.size()),
                                 request.priority, lastWordsOf(request.prompt), lastWordsOf(sequence.text)});
    }
  return facts;
}

std::optional<AskedStep> QuestionMaker::add(const Event& event) {
  const bool starts = isA<StepStarted>(event);
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    m_tokenBudget = loaded->options.tokenBudget;
    m_mostSequences = loaded->options.maxSequences;
  } else if (const auto* changed = bodyOf<OptionsChanged>(event)) {
    m_tokenBudget = changed->options.tokenBudget;
    m_mostSequences = changed->options.maxSequences;
  } else if (starts) {
    m_facts = factsBefore(m_state);
    m_facts.tokenBudget = m_tokenBudget;
    m_facts.mostSequences = m_mostSequences;
    m_open = questionsBefore(m_state);
    m_events.clear();
  }
  m_state.apply(event);
  if (m_events.empty() && !starts) return std::nullopt;  // between two steps
  m_events.push_back(event);
  if (!isA<StepFinished>(event)) return std::nullopt;

  const StepAccount account(m_events);
  std::erase_if(m_open, [&](QuizQuestion& question) { return !answerFrom(account, question); });
  for (QuizQuestion& question : tokenQuestions(event.step, m_events)) m_open.push_back(std::move(question));
  m_events.clear();
  if (m_open.empty()) return std::nullopt;
  return AskedStep{std::move(m_facts), std::move(m_open)};
}

}  // namespace vitrine
