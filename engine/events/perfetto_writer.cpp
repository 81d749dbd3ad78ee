#include <algorithm>
#include <utility>

#include "events/json_line.h"
#include "vitrine/perfetto.h"

namespace vitrine {
namespace {

// Processes of the timeline, and the tracks of the first; a sequence's track has the sequence's number. The
// track of a process's own number is its main thread for Perfetto: the steps, and none of the sequences.
constexpr int kScheduler = 1, kSequences = 1'000'000;
constexpr std::int64_t kSteps = 1, kFirstPhase = 2;

std::string text(const std::string& value) {
  std::string json;
  appendJson(json, value);
  return json;
}

// The format counts in microseconds.
std::string microseconds(std::int64_t ns) {
  const std::string part = std::to_string(ns % 1000);
  return std::to_string(ns / 1000) + "." + std::string(3 - part.size(), '0') + part;
}

// {"name":value,...} of what is added.
class Arguments {
 public:
  Arguments& add(const char* name, std::int64_t value) { return put(name, std::to_string(value)); }
  Arguments& add(const char* name, const std::string& value) { return put(name, text(value)); }
  std::string json() const { return "{" + m_json + "}"; }

 private:
  Arguments& put(const char* name, const std::string& json) {
    m_json += (m_json.empty() ? "\"" : ",\"") + std::string(name) + "\":" + json;
    return *this;
  }
  std::string m_json;
};

std::int64_t trackOf(Phase phase) { return kFirstPhase + static_cast<int>(phase); }

}  // namespace

PerfettoWriter::PerfettoWriter(const std::filesystem::path& file) : m_file(file) {
  m_file.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
  nameTracks();
}

void PerfettoWriter::write(char kind, int process, std::int64_t track, const std::string& name,
                           const std::string& rest) {
  m_file.write(std::string(m_isFirst ? "\n" : ",\n") + "{\"ph\":\"" + kind +
               "\",\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(track) +
               ",\"name\":" + text(name) + "," + rest + "}");
  m_isFirst = false;
}

void PerfettoWriter::slice(int process, std::int64_t track, const std::string& name, std::int64_t beginNs,
                           std::int64_t durationNs, const std::string& arguments) {
  write(
      'X', process, track, name,
      "\"ts\":" + microseconds(beginNs) + ",\"dur\":" + microseconds(durationNs) + ",\"args\":" + arguments);
}

void PerfettoWriter::nameTracks() {
  const auto named = [&](const char* what, int process, std::int64_t track, const std::string& name) {
    write('M', process, track, what, "\"args\":" + Arguments().add("name", name).json());
  };
  named("process_name", kScheduler, 0, "scheduler");
  named("process_name", kSequences, 0, "sequences");
  named("thread_name", kScheduler, kSteps, "steps");
  for (int phase = 0; phase < kPhaseCount; ++phase)
    named("thread_name", kScheduler, trackOf(Phase(phase)), nameOf(Phase(phase)));
  for (std::int64_t track = kSteps; track < kFirstPhase + kPhaseCount; ++track)
    write('M', kScheduler, track, "thread_sort_index",
          "\"args\":" + Arguments().add("sort_index", track).json());
}

void PerfettoWriter::nameSequence(SequenceId sequence, const std::string& name) {
  m_names[sequence] = name;
  write('M', kSequences, sequence, "thread_name", "\"args\":" + Arguments().add("name", name).json());
  write('M', kSequences, sequence, "thread_sort_index",
        "\"args\":" + Arguments().add("sort_index", sequence).json());
}

void PerfettoWriter::count(const char* name, std::initializer_list<std::pair<const char*, int>> values) {
  Arguments arguments;
  for (const auto& [series, value] : values) arguments.add(series, value);
  write('C', kScheduler, 0, name, "\"ts\":" + microseconds(m_nowNs) + ",\"args\":" + arguments.json());
}

void PerfettoWriter::endWait(SequenceId sequence) {
  const auto wait = m_waits.find(sequence);
  if (wait == m_waits.end()) return;
  Arguments arguments;
  if (!wait->second.reason.empty())
    arguments.add("reason", wait->second.reason).add("steps", wait->second.steps);
  slice(kSequences, sequence, wait->second.isPreempted ? "preempted" : "waits", wait->second.sinceNs,
        m_nowNs - wait->second.sinceNs, arguments.json());
  m_waits.erase(wait);
}

void PerfettoWriter::beginStep() {
  m_stepNs = m_nowNs;
  m_plan = {};
  m_phaseNs.fill(-1);
  m_work.clear();
}

void PerfettoWriter::sliceOf(SequenceId sequence, const Work& work, std::int64_t forwardNs) {
  const bool isFork = work.forkedFrom != 0;
  Arguments arguments;
  arguments.add("step", m_step);
  if (isFork) {
    arguments.add("parent", m_names[work.forkedFrom]);
  } else {
    const SequenceScheduled& scheduled = work.scheduled;
    arguments.add("first_position", scheduled.firstPosition)
        .add("tokens", scheduled.tokens)
        .add("total_tokens", scheduled.totalTokens);
    if (scheduled.draftTokens > 0) arguments.add("draft_tokens", scheduled.draftTokens);
  }
  if (work.sampled > 0) arguments.add("sampled", work.sampled).add("text", work.text);
  const std::int64_t beganNs = isFork ? work.forkedNs : forwardNs;
  slice(kSequences, sequence, isFork ? "forked" : nameOf(work.scheduled.kind), beganNs, m_nowNs - beganNs,
        arguments.json());
}

// Of the open step.
void PerfettoWriter::endWork() {
  const std::int64_t forwardNs = m_phaseNs[static_cast<std::size_t>(Phase::kForward)];
  if (forwardNs >= 0)
    for (const auto& [sequence, work] : m_work) sliceOf(sequence, work, forwardNs);
  m_work.clear();
}

void PerfettoWriter::endStep(const StepFinished& finished) {
  if (m_stepNs < 0) return;  // a trace that begins within a step
  slice(kScheduler, kSteps, "step " + std::to_string(m_step), m_stepNs, m_nowNs - m_stepNs,
        Arguments()
            .add("step", m_step)
            .add("decode_tokens", m_plan.decodeTokens)
            .add("prefill_tokens", m_plan.prefillTokens)
            .add("token_budget", m_plan.tokenBudget)
            .add("sequences", m_plan.sequences)
            .add("tokens", finished.tokens)
            .add("sampled", finished.sampled)
            .json());
  for (int phase = 0; phase < kPhaseCount; ++phase) {
    const auto at = static_cast<std::size_t>(phase);
    if (m_phaseNs[at] >= 0)
      slice(kScheduler, trackOf(Phase(phase)), nameOf(Phase(phase)), m_phaseNs[at], finished.phaseNs[at],
            Arguments().add("step", m_step).json());
  }
  endWork();
  count("sequences", {{"running", finished.running}, {"waiting", finished.waiting}});
  count("KV blocks", {{"free", finished.freeBlocks}, {"cached", finished.cachedBlocks}});
  count("tokens", {{"computed", finished.tokens}, {"sampled", finished.sampled}});
  m_stepNs = -1;
}

void PerfettoWriter::add(const Event& event) {
  m_nowNs = std::max(m_nowNs, event.timeNs);
  m_step = event.step;
  follow(event);
}

void PerfettoWriter::follow(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    const std::string& name = submitted->asked.name;
    nameSequence(submitted->firstSequence,
                 name.empty() ? "request " + std::to_string(submitted->request) : name);
    m_waits[submitted->firstSequence].sinceNs = m_nowNs;
  } else if (const auto* forked = bodyOf<SequenceForked>(event)) {
    nameSequence(forked->child, m_names[forked->parent] + "/" + std::to_string(forked->index + 1));
    m_work[forked->child] = {.forkedFrom = forked->parent, .forkedNs = m_nowNs};
  } else if (const auto* waiting = bodyOf<SequenceWaiting>(event)) {
    const auto wait = m_waits.find(waiting->sequence);
    if (wait == m_waits.end()) return;
    wait->second.reason = nameOf(waiting->reason);
    ++wait->second.steps;
  } else if (const auto* admitted = bodyOf<SequenceAdmitted>(event)) {
    endWait(admitted->sequence);
  } else if (const auto* preempted = bodyOf<SequencePreempted>(event)) {
    m_work.erase(preempted->sequence);
    m_waits[preempted->sequence] = {.sinceNs = m_nowNs, .isPreempted = true};
  } else if (const auto* scheduled = bodyOf<SequenceScheduled>(event)) {
    m_work[scheduled->sequence] = {.scheduled = *scheduled};
  } else if (const auto* sampled = bodyOf<TokenSampled>(event)) {
    const auto work = m_work.find(sampled->sequence);
    if (work == m_work.end()) return;
    work->second.text += sampled->text;
    ++work->second.sampled;
  } else if (const auto* ended = bodyOf<SequenceFinished>(event)) {
    endWait(ended->sequence);
    write('i', kSequences, ended->sequence, std::string("finished: ") + nameOf(ended->reason),
          "\"s\":\"t\",\"ts\":" + microseconds(m_nowNs) +
              ",\"args\":" + Arguments().add("completion_tokens", ended->completionTokens).json());
  } else if (isA<StepStarted>(event)) {
    beginStep();
  } else if (const auto* planned = bodyOf<StepPlanned>(event)) {
    m_plan = *planned;
  } else if (const auto* phase = bodyOf<PhaseStarted>(event)) {
    m_phaseNs[static_cast<std::size_t>(phase->phase)] = m_nowNs;
  } else if (const auto* finished = bodyOf<StepFinished>(event)) {
    endStep(*finished);
  }
}

void PerfettoWriter::finish() {
  if (m_stepNs >= 0) {
    slice(kScheduler, kSteps, "step " + std::to_string(m_step), m_stepNs, m_nowNs - m_stepNs,
          Arguments().add("step", m_step).add("unfinished", 1).json());
    endWork();
  }
  while (!m_waits.empty()) endWait(m_waits.begin()->first);
  m_file.write("\n]}\n");
  m_file.finish();
}

}  // namespace vitrine
