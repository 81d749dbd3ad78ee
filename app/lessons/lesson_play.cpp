// Plays what a lesson begins, and looks in the run for the moments that it promises.
#include <algorithm>
#include <chrono>
#include <thread>

#include "lessons/lesson_check.h"
#include "vitrine/breakpoints.h"
#include "vitrine/engine.h"

namespace vitrine {
namespace {

// All events of a run.
class EventList final : public EventSink {
 public:
  void publish(const Event& event) override { m_events.push_back(event); }
  std::vector<Event> take() { return std::move(m_events); }

 private:
  std::vector<Event> m_events;
};

struct LessonRun {
  std::vector<Event> events;
  std::string rejection;  // of the first request that the engine refused; empty: none
};

// Throws EngineError when the model cannot be loaded with these options.
LessonRun played(const Scenario& scenario, bool measuresEntropy) {
  EventList list;
  LessonRun run;
  const auto engine = Engine::load(scenario.engine.modelDirectory(), scenario.engine.toOptions(), list);
  engine->setDetail({.candidates = 0, .layers = {}, .entropy = measuresEntropy});
  Timetable timetable(scenario.requests, scenario.commands);
  const auto rejected = [&](std::size_t i, const EngineError& error) {
    if (run.rejection.empty())
      run.rejection = scenario.requests[i].arguments.request.name + ": " + error.what();
  };
  for (timetable.serve(*engine, rejected); engine->hasWork(); timetable.serve(*engine, rejected)) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(timetable.restNs(*engine)));
    engine->step();
    timetable.stepped();
  }
  run.events = list.take();
  return run;
}

// The place of the first event from `from` on that meets the moment; null: none does.
std::optional<std::size_t> findMoment(const std::vector<Event>& events, const Breakpoint& moment,
                                      std::size_t from) {
  Breakpoints breakpoints;
  breakpoints.set({moment});
  for (std::size_t i = 0; i < events.size(); ++i)
    if (breakpoints.check(events[i]) && i >= from) return i;
  return std::nullopt;
}

// The place behind a step's last event; null: the run has fewer steps.
std::optional<std::size_t> endOfStep(const std::vector<Event>& events, int step) {
  const auto ended = std::ranges::find_if(
      events, [step](const Event& event) { return isA<StepFinished>(event) && event.step == step; });
  if (ended == events.end()) return std::nullopt;
  return static_cast<std::size_t>(ended - events.begin()) + 1;
}

class LessonPlay {
 public:
  explicit LessonPlay(const Lesson& lesson) : m_lesson(lesson) {}

  std::vector<LessonProblem> problems() {
    for (const LessonPage& page : m_lesson.pages)
      for (const LessonAction& action : page.actions) {
        if (action.deed == LessonDeed::kScenario) {
          endEpisode();
          m_begin = &action;
        }
        if (action.deed == LessonDeed::kCompare) playBothSides(action);
        if (action.deed == LessonDeed::kUntil || action.deed == LessonDeed::kStep) m_moves.push_back(&action);
      }
    endEpisode();
    std::ranges::stable_sort(m_problems, {}, &LessonProblem::line);
    return std::move(m_problems);
  }

 private:
  void fault(int line, std::string words, std::string hint) {
    m_problems.push_back({line, std::move(words), std::move(hint)});
  }

  std::optional<LessonRun> runOf(const LessonAction& action, bool measuresEntropy) {
    std::optional<Scenario> scenario;
    try {
      scenario = scenarioOf(m_lesson, action);
    } catch (const std::exception&) {
      return std::nullopt;  // problemsOf() says it
    }
    try {
      return played(*scenario, measuresEntropy);
    } catch (const EngineError& error) {
      fault(action.line, "the scenario cannot be played: " + std::string(error.what()), error.hint());
    } catch (const UsageError& error) {
      fault(action.line, "the scenario cannot be played: " + std::string(error.what()), error.hint());
    }
    return std::nullopt;
  }

  // Plays the scenario that the lesson began last, and looks for the moments that followed.
  void endEpisode() {
    const LessonAction* const begin = std::exchange(m_begin, nullptr);
    const std::vector<const LessonAction*> moves = std::exchange(m_moves, {});
    if (begin == nullptr) return;
    const bool measuresEntropy =
        std::ranges::any_of(moves, [](const LessonAction* move) { return needsEntropyFor({move->moment}); });
    if (const auto run = runOf(*begin, measuresEntropy)) follow(run->events, moves);
  }

  // A move that fails moves nothing: the next one is looked for behind the one before.
  void follow(const std::vector<Event>& events, const std::vector<const LessonAction*>& moves) {
    std::size_t from = 0;  // the next moment lies there or behind
    int step = 0;
    const int last = events.empty() ? 0 : events.back().step;
    for (const LessonAction* move : moves) {
      if (move->deed == LessonDeed::kStep) {
        if (const auto end = endOfStep(events, step + move->steps)) {
          from = *end;
          step += move->steps;
        } else {
          fault(move->line,
                "the run ends at step " + std::to_string(last) + ", before step " +
                    std::to_string(step + move->steps),
                "make fewer steps");
        }
      } else if (const auto place = findMoment(events, move->moment, from)) {
        from = *place + 1;
        step = events[*place].step;
      } else {
        const bool earlier = findMoment(events, move->moment, 0).has_value();
        fault(move->line,
              "\"" + toText(move->moment) + "\" does not happen " +
                  (step > 0 ? "after step " + std::to_string(step) : "in this run"),
              earlier ? "it happens before: change the order of the actions"
                      : "vitrine-cli trace record and trace show list what happens");
      }
    }
  }

  void playBothSides(const LessonAction& action) {
    LessonAction plain = action;
    plain.options.clear();
    for (const LessonAction& side : {plain, action}) {
      const auto run = runOf(side, false);
      if (!run || run->rejection.empty()) continue;
      fault(action.line, "a side of the comparison refuses a request, " + run->rejection,
            "choose other values");
      return;
    }
  }

  const Lesson& m_lesson;
  std::vector<LessonProblem> m_problems;
  const LessonAction* m_begin = nullptr;
  std::vector<const LessonAction*> m_moves;  // since
};

}  // namespace

std::vector<LessonProblem> problemsInPlay(const Lesson& lesson) { return LessonPlay(lesson).problems(); }

}  // namespace vitrine
