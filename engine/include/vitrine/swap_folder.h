// Whether the file that --preemption swap moves blocks to can be made where the options want it. The engine
// goes on without it, since what is not swapped is computed again; a program asks here to say so. Thread:
// any.
#pragma once

#include "vitrine/options.h"

namespace vitrine {

// Makes the file and takes it away again. Throws EngineError(kIo) with what is wrong; content when the
// options want no such file.
void requireSwapFolder(const EngineOptions& options);

}  // namespace vitrine
