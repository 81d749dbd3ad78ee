#include "speculation/drafter.h"

#include "speculation/early_exit_drafter.h"
#include "speculation/model_drafter.h"
#include "speculation/ngram_drafter.h"

namespace vitrine {

std::unique_ptr<Drafter> makeDrafter(const EngineOptions& options, ModelRunner& runner,
                                     std::shared_ptr<Decoder> draftModel, int numBlocks) {
  switch (options.speculation.drafter) {
    case DraftMethod::kNone:
      break;
    case DraftMethod::kEarlyExit:
      return std::make_unique<EarlyExitDrafter>(runner, options.speculation.exitLayer);
    case DraftMethod::kModel:
      return std::make_unique<ModelDrafter>(runner.backend(), std::move(draftModel), numBlocks,
                                            options.blockSize, options.tokenBudget);
    case DraftMethod::kNgram:
      return std::make_unique<NgramDrafter>(options.speculation.ngramLength);
  }
  return nullptr;
}

}  // namespace vitrine
