// Questions: what a class guesses before a step, and what the step then says.
//
// "Which of the waiting sequences are admitted?" A question follows from the machine as it stands before the
// step, its answer and its difficulty from the step's events; so any run has its questions, and nothing is
// scripted. A class that has guessed before it looks remembers what it sees (peer instruction: Crouch and
// Mazur, American Journal of Physics 69, 970, 2001).
//
// A machine that is seen from outside has no questions, since what they ask for is not told. Thread: values
// and pure functions. Read next: prose/question_words.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine {

enum class QuestionKind : std::uint8_t {
  kAdmitted,   // which of the waiting sequences are admitted
  kPreempted,  // which of the running sequences are preempted
  kFinished,   // which of the running sequences end
  kBlocks,     // how many free KV blocks are taken: for new tokens, for copies, for what is swapped in
  kTokens,     // how many tokens are computed
  kNextToken,  // which token a sequence gets
};
VITRINE_NAMES(QuestionKind, "admitted", "preempted", "finished", "blocks", "tokens", "next_token");
inline constexpr int kQuestionKindCount = 6;

// How much of the scheduler one has to have in mind: kEasy asks for one rule, kMedium for a count over all
// sequences, kHard for rules that work against each other. Of a token: how sure the model was.
enum class Difficulty : std::uint8_t { kEasy, kMedium, kHard };
VITRINE_NAMES(Difficulty, "easy", "medium", "hard");

struct AskedToken {
  TokenId token = 0;
  std::string text;
  double probability = 0;  // of the model's own distribution

  bool operator==(const AskedToken&) const = default;
};

// What is guessed, or what is right.
struct Guess {
  std::vector<int> chosen;  // places among the choices, ascending; kNextToken has one. Empty: none of them
  std::int64_t number = 0;  // of kBlocks and kTokens, which have no choices

  bool operator==(const Guess&) const = default;
};

struct QuizQuestion {
  QuestionKind kind = QuestionKind::kAdmitted;
  int step = 0;                            // that is asked about
  SequenceId sequence = 0;                 // kNextToken: which gets the token
  std::vector<SequenceId> sequences = {};  // to choose any of, in the scheduler's order
  std::vector<AskedToken> tokens = {};     // to choose one of, in the order of their texts
  Difficulty difficulty = Difficulty::kEasy;
  Guess answer = {};

  bool asksForNumber() const { return kind == QuestionKind::kBlocks || kind == QuestionKind::kTokens; }
  std::size_t choices() const { return kind == QuestionKind::kNextToken ? tokens.size() : sequences.size(); }
  bool operator==(const QuizQuestion&) const = default;
};

// The most choices of a question: letters a to h.
inline constexpr std::size_t kMostChoices = 8;

// What may be asked about the next step of a machine that stands at the gate before it. Answers and
// difficulties are yet to come. kNextToken is not among them: its choices come with the answer.
std::vector<QuizQuestion> questionsBefore(const MachineState& state);

// Fills in answer and difficulty. `events`: all of the step; those before its beginning do not count. False
// where they do not answer it: the step has not finished, or a person changed what was asked about in the
// middle of it.
bool answerQuestion(QuizQuestion& question, std::span<const Event> events);

// kNextToken, answered: one for each token of the step whose candidates were recorded.
std::vector<QuizQuestion> tokenQuestions(int step, std::span<const Event> events);

// Of a guess, between 0 and 1: 1 for the right one and 0 for any other; of a token the probability that the
// model gave to it. A place that is no choice counts as wrong.
double pointsOf(const QuizQuestion& question, const Guess& guess);
double mostPoints(const QuizQuestion& question);  // that a guess can earn

inline constexpr std::size_t kLastWords = 160;

// A sequence as the class sees it before a step.
struct SequenceFacts {
  SequenceId sequence = 0;
  SequenceStatus status = SequenceStatus::kWaiting;
  int promptTokens = 0, tokens = 0, computedTokens = 0;  // tokens: of the prompt and written
  int mostTokens = 0;                                    // that may be written
  int blocks = 0;                                        // in its block table
  int priority = 0;
  // The ends of both texts: at most kLastWords bytes each, with "…" before what is cut.
  std::string prompt = {}, answer = {};

  bool operator==(const SequenceFacts&) const = default;
};
// From which the answers follow.
struct StepFacts {
  int step = 0;
  int freeBlocks = 0, blockSize = 0;
  int tokenBudget = 0, mostSequences = 0;     // options in force; 0: not told
  std::vector<SequenceFacts> sequences = {};  // those that run, then those that wait
};
StepFacts factsBefore(const MachineState& state);

struct AskedStep {
  StepFacts facts;
  std::vector<QuizQuestion> questions;  // answered; at least one
};

// The questions of a run, step by step.
class QuestionMaker {
 public:
  // The events of one run in order. Returns a step when its last event answers something. Throws what
  // MachineState::apply() throws.
  std::optional<AskedStep> add(const Event& event);

 private:
  MachineState m_state;
  int m_tokenBudget = 0, m_mostSequences = 0;
  StepFacts m_facts;
  std::vector<QuizQuestion> m_open;  // of the step in flight
  std::vector<Event> m_events;       // of it; none between two steps
};

}  // namespace vitrine
