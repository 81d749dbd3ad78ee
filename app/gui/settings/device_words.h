// Words for a device: its name, or why it cannot compute. Thread: the window's.
#pragma once

#include <QString>

#include "vitrine/devices.h"

namespace vitrine {

// "CPU (AVX-512)", "GPU (NVIDIA H100 80GB HBM3)", "GPU: cannot be used here".
QString deviceTitle(const DeviceInfo& device);
// The same before it was looked at: "CPU", "GPU".
QString deviceKind(Device device);
// Sentences: the consequences of computing there, or why it is not possible and what to do.
QString deviceTip(const DeviceInfo& device);

}  // namespace vitrine
