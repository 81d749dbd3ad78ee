// Questions about random runs, with each answer found again from the trace's lines in another way.
#include "vitrine/questions.h"

#include "events/trace_bytes.h"
#include "quiz/question_choice.h"
#include "vitrine/prose/quiz_sheet.h"

#include <QTest>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace vitrine;
using namespace vitrine::test;
using Json = nlohmann::json;

namespace {

// Its tokens are drawn from eight, in the order of their ids; those that it gives are the first to the fifth.
class UnsureModel : public InventedModel {
  std::vector<SamplingStage> stages(TokenId chosen) const override {
    std::vector<Candidate> top;
    const float first = chosen % 2 == 0 ? 0.9f : 0.4f;
    for (TokenId token = 0; token < 8; ++token)
      top.push_back({token, token == 0 ? first : token == 1 ? std::min(0.35f, 0.95f - first) : 0.01f});
    return {{"logits", 8, std::move(top)}};
  }
};

class WordyModel : public InventedModel {
  std::string piece(TokenId token) const override { return " wörd" + std::to_string(token); }
};

std::vector<Event> eventsOfRun(std::uint64_t seed, int hostSwapSlots) {
  EventLog log;
  ScriptedMachine machine(traceOptions(), log,
                          {.model = std::make_shared<UnsureModel>(), .hostSwapSlots = hostSwapSlots});
  runRandomly(machine, seed, 60, [] {});
  return log.events;
}

// What the lines of a step say, without any code of the questions.
struct LinesOfStep {
  std::set<SequenceId> admitted, preempted, finished;
  std::map<SequenceId, TokenId> sampled;
  std::map<SequenceId, int> scheduled;
  int blocksTaken = 0;

  int tokens() const {
    int all = 0;
    for (const auto& [sequence, count] : scheduled) all += count;
    return all;
  }
};

std::map<int, LinesOfStep> linesOf(const std::vector<Event>& events) {
  std::map<int, LinesOfStep> steps;
  MachineState state;
  bool isInStep = false;
  for (const Event& event : events) {
    const std::size_t freeBefore = state.freeQueue.size();
    state.apply(event);
    const Json line = Json::parse(eventToJson(event));
    const std::string& kind = line.at("event").get_ref<const std::string&>();
    const Json& data = line.at("data");
    if (kind == "step_started") isInStep = true;
    LinesOfStep& step = steps[event.step];
    if (kind == "sequence_admitted") step.admitted.insert(data.at("sequence").get<SequenceId>());
    if (kind == "sequence_scheduled") step.scheduled[data.at("sequence")] = data.at("tokens");
    if (kind == "sequence_preempted") {
      step.preempted.insert(data.at("sequence").get<SequenceId>());
      step.scheduled.erase(data.at("sequence").get<SequenceId>());
    }
    if (kind == "sequence_finished" && isInStep) step.finished.insert(data.at("sequence").get<SequenceId>());
    if (kind == "token_sampled") step.sampled[data.at("sequence")] = data.at("token");
    // A block leaves the free queue when it is taken, or when its content is found.
    if (state.freeQueue.size() < freeBefore && kind != "block_hit" && kind != "engine_loaded")
      step.blocksTaken += static_cast<int>(freeBefore - state.freeQueue.size());
    if (kind == "step_finished") isInStep = false;
  }
  return steps;
}

std::set<SequenceId> chosenOf(const QuizQuestion& question) {
  std::set<SequenceId> chosen;
  for (const int place : question.answer.chosen)
    chosen.insert(question.sequences.at(static_cast<std::size_t>(place)));
  return chosen;
}

// Of those that may be chosen.
std::set<SequenceId> among(const std::set<SequenceId>& all, const QuizQuestion& question) {
  std::set<SequenceId> some;
  for (const SequenceId id : question.sequences)
    if (all.contains(id)) some.insert(id);
  return some;
}

bool isRight(const QuizQuestion& question, const LinesOfStep& step) {
  switch (question.kind) {
    case QuestionKind::kAdmitted:
      return chosenOf(question) == step.admitted;
    case QuestionKind::kPreempted:
      return chosenOf(question) == among(step.preempted, question);
    case QuestionKind::kFinished:
      return chosenOf(question) == among(step.finished, question);
    case QuestionKind::kBlocks:
      return question.answer.number == step.blocksTaken;
    case QuestionKind::kTokens:
      return question.answer.number == step.tokens();
    case QuestionKind::kNextToken:
      break;
  }
  const auto place = static_cast<std::size_t>(question.answer.chosen.at(0));
  return question.tokens.at(place).token == step.sampled.at(question.sequence);
}

std::vector<AskedStep> quizOf(const std::vector<Event>& events, quiz::QuizWish wish) {
  quiz::QuestionChoice choice(std::move(wish));
  for (const Event& event : events) choice.add(event);
  return choice.items();
}

}  // namespace

class TestQuestions : public QObject {
  Q_OBJECT

 private slots:
  void everyAnswerIsTheTraces() {
    std::map<QuestionKind, int> asked;
    std::map<std::pair<QuestionKind, Difficulty>, int> difficulties;
    int all = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const std::vector<Event> events = eventsOfRun(seed, seed % 2 == 0 ? 6 : 0);
      const auto steps = linesOf(events);
      QuestionMaker maker;
      for (const Event& event : events) {
        const auto step = maker.add(event);
        if (!step) continue;
        QVERIFY(!step->questions.empty());
        for (const QuizQuestion& question : step->questions) {
          QCOMPARE(question.step, event.step);
          QCOMPARE(step->facts.step, event.step);
          QVERIFY2(
              isRight(question, steps.at(event.step)),
              (prose::questionText(question) + " " + prose::guessText(question, question.answer)).c_str());
          QCOMPARE(pointsOf(question, question.answer) == 1 || question.kind == QuestionKind::kNextToken,
                   true);
          QVERIFY(pointsOf(question, question.answer) <= mostPoints(question));
          ++all;
          ++asked[question.kind];
          ++difficulties[{question.kind, question.difficulty}];
        }
      }
    }
    QVERIFY2(all >= 1000, std::to_string(all).c_str());
    for (int kind = 0; kind < kQuestionKindCount; ++kind)
      QVERIFY2(asked[QuestionKind(kind)] >= 20, nameOf(QuestionKind(kind)));
    for (const QuestionKind kind : {QuestionKind::kAdmitted, QuestionKind::kPreempted, QuestionKind::kBlocks,
                                    QuestionKind::kTokens, QuestionKind::kNextToken})
      for (const Difficulty difficulty : {Difficulty::kEasy, Difficulty::kMedium, Difficulty::kHard})
        QVERIFY2((difficulties[{kind, difficulty}] > 0),
                 (std::string(nameOf(kind)) + " " + nameOf(difficulty)).c_str());
  }

  // What is asked does not depend on what the step does.
  void questionsLookNotAhead() {
    const std::vector<Event> events = eventsOfRun(3, 0);
    MachineState state;
    QuestionMaker maker;
    std::vector<QuizQuestion> before;
    int steps = 0;
    for (const Event& event : events) {
      if (isA<StepStarted>(event)) before = questionsBefore(state);
      state.apply(event);
      const auto step = maker.add(event);
      if (!step) continue;
      ++steps;
      for (QuizQuestion question : step->questions) {
        if (question.kind == QuestionKind::kNextToken) continue;
        question.answer = {};
        question.difficulty = {};
        QVERIFY(std::ranges::count(before, question) == 1);
      }
    }
    QVERIFY(steps > 50);
  }

  // A, of six tokens, and B, of two: the budget of six tokens goes to A, and B's turn is the next step.
  void aFirstStep() {
    EventLog log;
    ScriptedMachine machine(traceOptions(), log);
    machine.submit({1, 2, 3, 4, 5, 6}, 4, 1, 0, 0, "A");
    machine.submit({1, 2}, 1, 1, 0, 0, "B");
    QuestionMaker maker;
    std::optional<AskedStep> step;
    const auto next = [&] {
      const std::size_t before = log.events.size();
      machine.step();
      for (std::size_t i = before; i < log.events.size(); ++i)
        if (auto asked = maker.add(log.events[i])) step = std::move(asked);
    };
    for (const Event& event : log.events) QVERIFY(!maker.add(event));
    next();
    QVERIFY(step);
    QCOMPARE(step->facts.sequences.size(), std::size_t(2));
    QCOMPARE(step->facts.freeBlocks, 9);
    QCOMPARE(step->facts.sequences[0].promptTokens, 6);
    QCOMPARE(step->questions[0].kind, QuestionKind::kAdmitted);
    QCOMPARE(step->questions[0].sequences, (std::vector<SequenceId>{1, 2}));
    QCOMPARE(step->questions[0].answer.chosen, std::vector<int>{0});
    QCOMPARE(step->questions[1].kind, QuestionKind::kBlocks);
    QCOMPARE(step->questions[1].answer.number, 2);
    QCOMPARE(step->questions[2].kind, QuestionKind::kTokens);
    QCOMPARE(step->questions[2].answer.number, 6);
    next();
    const auto ofKind = [&](QuestionKind kind) {
      return *std::ranges::find(step->questions, kind, &QuizQuestion::kind);
    };
    QCOMPARE(ofKind(QuestionKind::kAdmitted).sequences, std::vector<SequenceId>{2});
    QCOMPARE(ofKind(QuestionKind::kAdmitted).answer.chosen, std::vector<int>{0});
    QCOMPARE(ofKind(QuestionKind::kTokens).answer.number, 3);  // B's prompt, and A's next token
  }

  void lastWords() {
    EventLog log;
    ScriptedMachine machine(traceOptions(), log, {.model = std::make_shared<WordyModel>()});
    machine.submit({1, 2}, 30, 1, 0, 0, "A");
    std::string text;
    MachineState state;
    std::size_t told = 0;
    for (int step = 0; step < 29; ++step) {
      machine.step();
      for (; told < log.events.size(); ++told) {
        state.apply(log.events[told]);
        if (const auto* token = bodyOf<TokenSampled>(log.events[told])) text += token->text;
      }
      const std::string words = factsBefore(state).sequences.at(0).answer;
      QVERIFY(words.size() <= kLastWords);
      if (text.size() <= kLastWords) {
        QCOMPARE(words, text);
      } else {
        QVERIFY(words.starts_with("…") && text.ends_with(words.substr(3)));
        QVERIFY(words.size() + 3 > kLastWords);
        QVERIFY(QString::fromStdString(words).toStdString() == words);  // whole characters
      }
    }
    QVERIFY(text.size() > kLastWords);
  }

  void pointsOfAToken() {
    QuizQuestion question;
    question.kind = QuestionKind::kNextToken;
    question.tokens = {{1, " a", 0.3}, {2, " the", 0.6}};
    question.answer = {{0}};
    QCOMPARE(pointsOf(question, {{0}}), 0.3);
    QCOMPARE(pointsOf(question, {{1}}), 0.6);
    QCOMPARE(pointsOf(question, {{2}}), 0.0);
    QCOMPARE(pointsOf(question, {{-1}}), 0.0);
    QCOMPARE(pointsOf(question, {{0, 1}}), 0.0);
    QCOMPARE(pointsOf(question, {}), 0.0);
    QCOMPARE(mostPoints(question), 0.6);
  }

  // A machine of which a step is cut, or in which a person cancels a request.
  void whatIsNotAnswered() {
    std::vector<Event> events = eventsOfRun(1, 0);
    const auto start = std::ranges::find_if(
        events, [](const Event& event) { return isA<StepStarted>(event) && event.step == 5; });
    const auto end = std::find_if(start, events.end(), [](const Event& e) { return isA<StepFinished>(e); });
    std::vector<Event> step(start, end);
    QuizQuestion question;
    question.kind = QuestionKind::kTokens;
    QVERIFY(!answerQuestion(question, step));
    step.push_back(*end);
    QVERIFY(answerQuestion(question, step));
    Event cancelled = step.front();
    cancelled.body = RequestCancelled{1};
    step.insert(step.begin() + 1, cancelled);
    QVERIFY(!answerQuestion(question, step));
  }

  void aQuizIsSpreadAndTheSame() {
    const std::vector<Event> events = eventsOfRun(7, 0);
    const auto quiz = quizOf(events, {.questions = 12, .seed = 4});
    QCOMPARE(quiz.size(), std::size_t(12));
    std::set<int> steps;
    std::map<QuestionKind, int> kinds;
    for (const AskedStep& item : quiz) {
      QCOMPARE(item.questions.size(), std::size_t(1));
      steps.insert(item.facts.step);
      ++kinds[item.questions[0].kind];
    }
    QCOMPARE(steps.size(), std::size_t(12));
    QCOMPARE(static_cast<int>(kinds.size()), kQuestionKindCount);
    QVERIFY(std::ranges::all_of(kinds, [](const auto& kind) { return kind.second == 2; }));
    QVERIFY(std::ranges::is_sorted(quiz, {}, [](const AskedStep& item) { return item.facts.step; }));
    const auto textOf = [](const auto& items) { return prose::quizSheet(items); };
    QCOMPARE(textOf(quizOf(events, {.questions = 12, .seed = 4})), textOf(quiz));
    QVERIFY(textOf(quizOf(events, {.questions = 12, .seed = 5})) != textOf(quiz));
    for (const AskedStep& item : quizOf(
             events, {.questions = 5, .kinds = {QuestionKind::kBlocks}, .difficulty = Difficulty::kHard})) {
      QCOMPARE(item.questions[0].kind, QuestionKind::kBlocks);
      QCOMPARE(item.questions[0].difficulty, Difficulty::kHard);
    }
    // More than there are: all of them, each once.
    const auto all = quizOf(eventsOfRun(7, 0), {.questions = quiz::kMostQuestions});
    std::set<std::tuple<int, QuestionKind>> seen;
    for (const AskedStep& item : all) QVERIFY(seen.emplace(item.facts.step, item.questions[0].kind).second);
  }

  void aSheet() {
    const auto quiz = quizOf(eventsOfRun(7, 0), {.questions = 6, .seed = 4});
    const std::string sheet = prose::quizSheet(quiz);
    QVERIFY(sheet.starts_with("# Predict, then step\n"));
    const std::string answers = sheet.substr(sheet.find("## Answers"));
    for (std::size_t i = 0; i < quiz.size(); ++i) {
      const QuizQuestion& question = quiz[i].questions[0];
      QVERIFY(sheet.find("## " + std::to_string(i + 1) + ". Before step " + std::to_string(question.step)) !=
              std::string::npos);
      QVERIFY(answers.find("\n" + std::to_string(i + 1) + ". ") != std::string::npos);
      if (question.asksForNumber())
        QVERIFY(answers.find(". " + std::to_string(question.answer.number) + "\n") != std::string::npos);
    }
  }
};

QTEST_APPLESS_MAIN(TestQuestions)
#include "tst_questions.moc"
