// Where packed weights came from: EngineOptions::packedCopies. Thread: values.
#pragma once

#include "vitrine/names.h"

namespace vitrine {

// kNone: they were packed, and no copy of them is kept. kRead: from a copy that an earlier start had kept.
// kKept: they were packed, and are being kept for the next start.
enum class PackedCopy { kNone, kRead, kKept };
VITRINE_NAMES(PackedCopy, "none", "read", "kept");

}  // namespace vitrine
