// A program to be killed: it swaps, with a file that has a name, and says so. For tst_swap_crash.
//
//   swap_victim FOLDER ROUNDS    prints "swapping" when the first block lies in the file, at the end the
//   stale files
//                                that were found at the start and the answers of the last round.
#include <cstdio>
#include <cstdlib>

#include "support/swap_load.h"

using namespace vitrine;

namespace {

class Herald final : public EventSink {
  void publish(const Event& event) override {
    if (m_told || !std::holds_alternative<BlockDemoted>(event.body)) return;
    m_told = true;
    std::puts("swapping");
    std::fflush(stdout);
  }
  bool m_told = false;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const TinyModel model;
  Herald herald;
  EngineParts parts = model.parts();
  parts.swapFileName = SwapFile::Name::kVisible;
  const auto engine = assembleEngine(std::move(parts), swapOptions(1, 100, arguments[1]), herald);
  Answers answers;
  for (int round = std::atoi(arguments[2]); round > 0; --round) {
    const auto ids = submitAll(*engine);
    engine->run();
    answers = takeAnswers(*engine, ids);
  }
  std::printf("stale %d\n", engine->description().staleSwapFiles);
  for (const auto& [tokens, logprob] : answers) {
    for (TokenId token : tokens) std::printf("%d ", token);
    std::printf("%a\n", logprob);
  }
  return 0;
}
