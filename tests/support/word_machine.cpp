#include "support/word_machine.h"

#include <array>

namespace vitrine::test {
namespace {

constexpr std::array kWords = {" the",  " garden", " was",  " quiet", " and",  " a",  " small", " bird",
                               " sang", " in",     " its",  " tree",  ".",     "\n",  " Then",  " it",
                               " flew", " over",   " hill", " where", " rain", " is", " born",  ","};
constexpr auto kWordCount = static_cast<TokenId>(kWords.size());

class Storyteller final : public InventedModel {
 public:
  EngineLoaded introduction() const override {
    EngineLoaded loaded;
    loaded.model.name = "storyteller";
    loaded.model.contextLength = 512;
    loaded.device = "pretend";
    return loaded;
  }
  TokenId next(const Sequence& sequence) const override {
    return (sequence.tokens.back() * 7 + (sequence.index + sequence.totalTokens()) * 5 + 3) % kWordCount;
  }
  std::string piece(TokenId token) const override { return kWords.at(static_cast<std::size_t>(token)); }
  std::vector<SamplingStage> stages(TokenId chosen) const override {
    constexpr std::array shares = {0.46f, 0.22f, 0.13f, 0.08f, 0.04f, 0.02f};
    const auto stage = [&](const char* name, std::size_t count, int kept) {
      SamplingStage made{name, kept, {}};
      float sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += shares[i];
      for (std::size_t i = 0; i < count; ++i)
        made.top.push_back({(chosen + static_cast<TokenId>(i)) % kWordCount,
                            count < shares.size() ? shares[i] / sum : shares[i]});
      return made;
    };
    return {stage("logits", 6, kWordCount), stage("temperature", 6, kWordCount), stage("top_k", 5, 5),
            stage("top_p", 3, 3)};
  }
};

SchedulerOptions pool(int numBlocks, int blockSize, int tokenBudget, int maxSequences) {
  SchedulerOptions options;
  options.numBlocks = numBlocks;
  options.blockSize = blockSize;
  options.tokenBudget = tokenBudget;
  options.maxSequences = maxSequences;
  return options;
}

}  // namespace

WordMachine::WordMachine(int numBlocks, int blockSize, int tokenBudget, int maxSequences)
    : WordMachine(pool(numBlocks, blockSize, tokenBudget, maxSequences)) {}

WordMachine::WordMachine(const SchedulerOptions& options, int hostSwapSlots, int diskSwapSlots)
    : m_machine(std::make_unique<ScriptedMachine>(
          options, *m_log,
          ScriptedParts{std::make_shared<Storyteller>(), 100'000, hostSwapSlots, diskSwapSlots})) {}

RequestId WordMachine::submit(const std::string& name, int tokens, int maxTokens, int topic, int sequences,
                              double deadlineMs) {
  std::vector<TokenId> prompt;
  for (int i = 0; i < tokens; ++i) prompt.push_back((i * 3 + topic) % kWordCount);
  return m_machine->submit(prompt, maxTokens, sequences, 0, deadlineMs, name);
}

void WordMachine::reject(const std::string& name) {
  say(RequestRejected{name, "out_of_memory", "needs 99 blocks, the pool has 8", "ask for less"},
      Phase::kAdmit);
}

bool WordMachine::step() {
  if (!m_machine->hasWork()) return false;
  m_machine->step();
  return true;
}

std::vector<Event> WordMachine::take() {
  std::vector<Event> fresh(all().begin() + static_cast<std::ptrdiff_t>(m_taken), all().end());
  m_taken = all().size();
  return fresh;
}

WordMachine storyMachine() {
  WordMachine machine(12, 8, 32, 4);
  machine.submit("garden", 23, 14);
  machine.submit("garden again", 20, 12);
  machine.submit("two answers", 12, 10, 5, 2);
  for (int i = 0; i < 4; ++i) machine.step();
  machine.submit("a longer one", 44, 16, 2);
  machine.submit("late", 9, 20, 7);
  for (int i = 0; i < 9; ++i) machine.step();
  machine.cancel(5);
  machine.run();
  return machine;
}

}  // namespace vitrine::test
