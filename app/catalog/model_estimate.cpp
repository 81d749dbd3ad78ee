#include "catalog/model_estimate.h"

#include <QFile>
#include <QLocale>

#include "catalog/catalog_wording.h"
#include "catalog/device_sizes.h"

namespace vitrine {
namespace {

QString sizeText(qint64 bytes) { return QLocale().formattedDataSize(bytes, 1); }

void judge(const FoundModel& model, qint64 available, ModelEstimate& estimate) {
  if (!model.opens) {
    estimate.reason = model.reason;
    return;
  }
  const QString need = sizeText(estimate.bytes());
  if (available <= 0) {
    estimate.fit = ModelFit::kTight;
    estimate.reason = CatalogWording::tr("It needs %1; how much memory is free is not known.").arg(need);
    return;
  }
  const QString free = sizeText(available);
  if (estimate.bytes() > available) {
    estimate.reason =
        estimate.weightBytes > available
            ? CatalogWording::tr("Its weights alone need %1, and %2 of memory are free.")
                  .arg(sizeText(estimate.weightBytes), free)
            : CatalogWording::tr("It needs %1 with this context, and %2 of memory are free.").arg(need, free);
    return;
  }
  const bool isTight = estimate.bytes() > available - available / 6;
  estimate.fit = isTight ? ModelFit::kTight : ModelFit::kYes;
  estimate.reason =
      isTight ? CatalogWording::tr(
                    "It needs %1 of the %2 of memory that are free: little is left for other programs.")
                    .arg(need, free)
              : CatalogWording::tr("It needs %1 of the %2 of memory that are free.").arg(need, free);
}

}  // namespace

ModelEstimate estimateModel(const FoundModel& found, int contextTokens, const MachineFigures& machine) {
  const FoundModel model = sizesOnDevice(found, machine.options);
  ModelEstimate estimate;
  if (model.opens) {
    estimate.contextTokens =
        contextTokens > 0 ? qMin(contextTokens, model.contextLength) : model.contextLength;
    estimate.weightBytes = model.weightBytes;
    estimate.cacheBytes = model.cacheBytesPerToken * estimate.contextTokens;
    const auto weights = double(model.bytesReadPerToken), cache = double(estimate.cacheBytes);
    if (weights > 0) estimate.tokensPerSecond = machine.memoryGbps * 1e9 / weights;
    if (weights > 0) estimate.tokensPerSecondFull = machine.memoryGbps * 1e9 / (weights + cache);
  }
  judge(model, machine.availableBytes, estimate);
  return estimate;
}

qint64 availableMemory(const QString& meminfo) {
  QFile file(meminfo);
  if (!file.open(QIODevice::ReadOnly)) return 0;
  // A file of the system: it has no size, and a few dozen lines.
  for (const QByteArray& line : file.read(1 << 16).split('\n'))
    if (line.startsWith("MemAvailable:")) return line.simplified().split(' ').value(1).toLongLong() * 1024;
  return 0;
}

}  // namespace vitrine
