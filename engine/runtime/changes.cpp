// Options that change in the midst of a run.
#include "runtime/engine_impl.h"

#include <algorithm>

#include "vitrine/option_schema.h"

namespace vitrine {
namespace {

std::string spelled(std::string key) {
  std::ranges::replace(key, '_', '-');
  return "--" + key;
}

}  // namespace

SpeculationOptions EngineImpl::requireChangeable(const EngineOptions& options) const {
  options.validate();
  forEachEngineOption([&](const auto& info, const auto& access) {
    if (info.scope == OptionScope::kStep || access(options) == access(m_options)) return;
    throw EngineError(ErrorCode::kInvalidArgument, spelled(info.key) + " cannot change in the midst of a run",
                      "start the run again from its beginning with the new value");
  });
  if (options.speculation.drafter == DraftMethod::kModel &&
      (!m_draftModel || options.speculation.draftModel != m_options.speculation.draftModel))
    throw EngineError(ErrorCode::kUnavailable, "the second model of --draft model is not loaded",
                      "load the model again with --draft model");
  if (options.preemption == Preemption::kSwap) swapBlocks(options, m_loaded.bytesPerBlock);
  EngineParts parts;
  parts.config = m_config;
  parts.draftDecoder = m_draftModel;
  return chooseSpeculation(parts, options);
}

void EngineImpl::setOptions(const EngineOptions& options) {
  EngineOptions chosen = options;
  chosen.compute = computeFor(options, m_storage);
  chosen.speculation = requireChangeable(chosen);
  noteChange();
  m_actions.run([this, chosen] { changeOptions(chosen); });
}

void EngineImpl::changeOptions(const EngineOptions& options) {
  const bool otherDrafts = !std::apply(
      [&](const auto&... option) {
        return ((options.speculation.*(option.field) == m_options.speculation.*(option.field)) && ...);
      },
      OptionTable<SpeculationOptions>::list);
  m_options = options;
  takeOptions(m_loaded.options, inForce(options), OptionScope::kStep);
  if (options.preemption == Preemption::kSwap && !m_swap) {
    const auto [host, disk] = swapBlocks(options, m_loaded.bytesPerBlock);
    m_loaded.hostSwapBlocks = host;
    m_loaded.diskSwapBlocks = disk;
    m_swap = makeSwap();
  }
  if (otherDrafts) {
    m_speculator = makeSpeculator();
    for (const auto& [id, record] : m_requests.records())
      for (const auto& answer : record->answers) answer->sequence.wantedDraft = 0;
  }
  m_scheduler.change(SchedulerOptions::of(m_loaded.options), m_swap ? &m_swap->space : nullptr,
                     options.preemption == Preemption::kSwap,
                     [this](const Sequence& sequence) -> const Request& {
                       return m_requests.answerOf(sequence).record.request;
                     });
  m_events.publish(Boxed<OptionsChanged>(
      OptionsChanged{m_loaded.options, m_loaded.hostSwapBlocks, m_loaded.diskSwapBlocks, ranks()}));
}

std::vector<SequenceRank> EngineImpl::ranks() const {
  std::vector<SequenceRank> ranks;
  for (const Sequence* sequence : m_scheduler.waiting()) ranks.push_back({sequence->id, sequence->rank});
  for (const Sequence* sequence : m_scheduler.running()) ranks.push_back({sequence->id, sequence->rank});
  return ranks;
}

}  // namespace vitrine
