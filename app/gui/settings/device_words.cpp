#include "gui/settings/device_words.h"

#include "widgets/support/formats.h"
#include "widgets/support/window_words.h"
#include "widgets/support/wording.h"

namespace vitrine {

QString deviceKind(Device device) { return device == Device::kCpu ? Wording::tr("CPU") : Wording::tr("GPU"); }

QString deviceTitle(const DeviceInfo& device) {
  const QString kind = deviceKind(device.device);
  return device.canCompute() ? Wording::tr("%1 (%2)").arg(kind, windowText(device.name))
                             : Wording::tr("%1: cannot be used here").arg(kind);
}

QString deviceTip(const DeviceInfo& device) {
  if (!device.canCompute())
    return Wording::tr("It cannot be used: %1. To change that: %2.")
        .arg(inWindowWords(windowText(device.problem)), inWindowWords(windowText(device.hint)));
  if (device.device == Device::kCpu) return Wording::tr("The processor computes, in this computer's memory.");
  return Wording::tr(
      "The GPU computes, and keeps weights, keys and values in its own memory. It rounds otherwise than the "
      "processor, so that the same question may get other words.");
}

}  // namespace vitrine
