#include "catalog/kv_pool.h"

#include <algorithm>

#include "catalog/device_sizes.h"
#include "catalog/model_reading.h"
#include "vitrine/engine.h"

namespace vitrine {
namespace {

constexpr qint64 kUnknownBudget = qint64{1} << 30;  // as the engine has it
// The block map and the recording stay smooth with so many; a whole context may need more.
constexpr qint64 kMostBlocks = 16384;

double partOf(KvShare share) {
  switch (share) {
    case KvShare::kQuarter:
      return 0.25;
    case KvShare::kHalf:
      return 0.5;
    case KvShare::kMost:
      return 0.75;
  }
  return 0.5;
}

// bfloat16 has two bytes for each number on every device, int8 one, and a float for each head of a token; the
// model as it was found has four bytes of float32.
qint64 bytesPerBlock(const FoundModel& found, const EngineOptions& options) {
  if (options.kvType == KvType::kBf16) return found.cacheBytesPerToken * options.blockSize / 2;
  if (options.kvType == KvType::kSame || found.headDim <= 0)
    return sizesOnDevice(found, options).cacheBytesPerToken * options.blockSize;
  return found.cacheBytesPerToken * options.blockSize / (4 * found.headDim) * (found.headDim + 4);
}

}  // namespace

KvPool fitKvPool(const FoundModel& found, const EngineOptions& options, qint64 availableBytes, KvShare share,
                 qint64 besideBytes) {
  const FoundModel model = sizesOnDevice(found, options);
  const qint64 each = std::max<qint64>(bytesPerBlock(found, options), 1), size = options.blockSize;
  const qint64 context = std::max<qint64>((model.contextLength + size - 1) / size, 1);
  const qint64 chats = options.maxSequences > 0 ? options.maxSequences : kDefaultSequences;
  const qint64 most = std::min(context * chats, std::max(kMostBlocks, context));
  const qint64 left = availableBytes - model.weightBytes - besideBytes;
  const qint64 budget =
      availableBytes <= 0 ? kUnknownBudget : static_cast<qint64>(static_cast<double>(left) * partOf(share));
  const qint64 blocks = std::clamp(budget / each, std::min<qint64>(kBuiltinBlocks, most), most);
  return {static_cast<int>(blocks), static_cast<int>(blocks * size), blocks * each};
}

qint64 leastDeviceBytes(const std::filesystem::path& model, const EngineOptions& options) {
  constexpr qint64 kForSteps = qint64{512} << 20;
  const FoundModel found = sizesOf(model);
  const qint64 blocks = options.numBlocks > 0 ? options.numBlocks : kBuiltinBlocks;
  return sizesOnDevice(found, options).weightBytes +
         std::max<qint64>(options.kvMemoryBytes, blocks * bytesPerBlock(found, options)) + kForSteps;
}

EngineOptions withKvPool(const std::filesystem::path& model, EngineOptions options, qint64 availableBytes,
                         KvShare share) {
  if (!leavesPoolOpen(options)) return options;
  if (model == builtinModelDirectory()) {
    options.numBlocks = kBuiltinBlocks;
    return options;
  }
  const bool drafts = options.speculation.drafter == DraftMethod::kModel;
  const qint64 beside =
      drafts ? sizesOnDevice(sizesOf(options.speculation.draftModel), options).weightBytes : 0;
  options.numBlocks = fitKvPool(sizesOf(model), options, availableBytes, share, beside).blocks;
  return options;
}

}  // namespace vitrine
