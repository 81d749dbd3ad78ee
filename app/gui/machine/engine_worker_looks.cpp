// EngineWorker: what the window asks about the model, beside the requests that the machine computes.
#include "gui/machine/engine_guard.h"

namespace vitrine {
namespace {

constexpr int kPiecesKnown = 8192;  // hot options draw tokens that the model holds for unlikely

}  // namespace

// For each order one answer, so that the window asks again only when it has come.
void EngineWorker::computeLogits(const LogitsOrder& order) {
  auto known = std::make_shared<KnownLogits>();
  known->ticket = order.ticket;
  if (m_engine) guarded([&] { known->next = m_engine->nextLogits(order.tokens, kPiecesKnown); });
  emit logitsKnown(std::move(known));
}

void EngineWorker::lookInside(const InsideOrder& order) {
  auto known = std::make_shared<KnownInside>();
  known->ticket = order.ticket;
  const auto goesOn = [&order](double fraction, const char*) {
    order.watch->fraction = static_cast<float>(fraction);
    return !order.watch->cancelled.load();
  };
  if (m_engine && !order.watch->cancelled.load()) {
    guardedUnlessCancelled([&] {
      if (order.compares)
        known->differences = differencesFromTorch(order.tokens, goesOn);
      else
        known->report =
            std::make_shared<InsideReport>(m_engine->lookInside(order.tokens, order.options, goesOn));
    });
  }
  emit insideKnown(std::move(known));
}

// One answer for each order, as to computeLogits().
void EngineWorker::lookAtAnswer(const AnswerLook& look) {
  auto seen = std::make_shared<SeenAnswer>(SeenAnswer{.ticket = look.ticket});
  if (m_engine) guarded([&] { *seen = vitrine::lookAtAnswer(*m_engine, look); });
  emit answerSeen(std::move(seen));
}

// Null without an engine, and for what it cannot do, which failed() has said.
void EngineWorker::lookAtPrompt(const PromptLook& look) {
  std::shared_ptr<SeenPrompt> seen;
  if (m_engine && m_engine->tokenizer())
    guarded([&] {
      seen = std::make_shared<SeenPrompt>(vitrine::lookAtPrompt(*m_engine, look));
      seen->model = m_model.string();
    });
  emit promptSeen(std::move(seen));
}

void EngineWorker::measureRoof(const std::shared_ptr<std::atomic<bool>>& cancelled) {
  if (!m_engine) return;
  guardedUnlessCancelled([&] {
    const auto goesOn = [&cancelled](double) { return !cancelled->load(); };
    m_roof = std::make_shared<MachineRoof>(m_engine->measureRoof(goesOn, m_roof ? *m_roof : MachineRoof()));
    emit roofKnown(m_roof);
  });
}

// A text that the tokenizer refuses is no failure while it is written; a request that has it fails and says
// why.
void EngineWorker::countTokens(qint64 ticket, const QString& words) {
  int tokens = -1;
  try {
    if (m_engine && m_engine->tokenizer())
      tokens = static_cast<int>(m_engine->tokenizer()->encode(words.toUtf8().toStdString(), false).size());
  } catch (const EngineError&) {
    tokens = -1;
  }
  emit tokensCounted(ticket, tokens);
}

// libtorch keeps KV in float32 alone. What the reference would do with requests does not matter here.
std::vector<double> EngineWorker::differencesFromTorch(std::span<const TokenId> tokens,
                                                       const Engine::Progress& goesOn) {
  EngineOptions options = m_options;
  options.kernels = Kernels::kReference;
  options.attention.clear();
  options.kvType = KvType::kSame;
  options.eviction = Eviction::kNone;
  options.preemption = Preemption::kRecompute;
  options.speculation = {};
  EventQueue unheard;
  const auto reference = Engine::load(m_model, options, unheard, goesOn);
  const InsideOptions states{.hiddenStates = true};
  return largestDifferences(m_engine->lookInside(tokens, states, goesOn),
                            reference->lookInside(tokens, states, goesOn));
}

}  // namespace vitrine
