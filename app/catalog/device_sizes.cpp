#include "catalog/device_sizes.h"

#include "vitrine/devices.h"

namespace vitrine {
namespace {

// Bytes of an activation there: four in float32, which the file has or the options ask for; else two.
qint64 bytesOfActivation(const FoundModel& model, const EngineOptions& options) {
  if (options.quantization != Quantization::kNone) return 2;
  if (options.weightType != WeightType::kAsStored) return options.weightType == WeightType::kF32 ? 4 : 2;
  return model.weightBytes > 7 * model.parameters / 2 ? 4 : 2;
}

// What weights take for each byte of theirs in the file.
double growth(const FoundModel& model, const EngineOptions& options, qint64 activation) {
  if (!model.isFolder && options.quantization == Quantization::kNone &&
      options.weightType == WeightType::kAsStored)
    if (const auto ofBlocks = gpuBytesPerFileByte(model.quantization.toStdString())) return *ofBlocks;
  // Of a folder, the embedding that is also the head is there twice: that stays so.
  const double perNumber = static_cast<double>(model.weightBytes) / static_cast<double>(model.parameters);
  const double stored = perNumber > 3.5 ? 4 : perNumber >= 2 ? 2 : perNumber;
  constexpr double kScale = 2.0 / 32;  // a part of a scale of two bytes for 32 codes
  switch (options.quantization) {
    case Quantization::kInt8:
      return (1 + kScale) / stored;
    case Quantization::kInt4:
      return (0.5 + kScale) / stored;
    case Quantization::kNone:
      break;
  }
  return static_cast<double>(activation) / stored;
}

}  // namespace

FoundModel sizesOnDevice(FoundModel model, const EngineOptions& options) {
  if (options.device == Device::kCpu || model.parameters <= 0 || model.weightBytes <= 0) return model;
  const qint64 each = bytesOfActivation(model, options);
  const double factor = growth(model, options, each);
  model.weightBytes = qRound64(static_cast<double>(model.weightBytes) * factor);
  model.bytesReadPerToken = qRound64(static_cast<double>(model.bytesReadPerToken) * factor);
  model.cacheBytesPerToken = model.cacheBytesPerToken * each / 4;
  return model;
}

}  // namespace vitrine
