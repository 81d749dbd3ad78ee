// Checks the folder of the file that --preemption swap moves blocks to. The engine runs without the file,
// since blocks that are not swapped are computed again; a program calls this to report the fault. Thread:
// any.
#pragma once

#include "vitrine/options.h"

namespace vitrine {

// Creates the file and removes it. Throws EngineError(kIo) when that fails. Does nothing when the options
// need no such file.
void requireSwapFolder(const EngineOptions& options);

}  // namespace vitrine
