// The templates of EngineWorker that run what calls the engine, for its own sources. Thread: the engine's.
#pragma once

#include <exception>
#include <new>

#include "gui/machine/engine_worker.h"

namespace vitrine {

// The only place where the program catches the engine's exceptions.
template <class Action>
bool EngineWorker::guarded(Action action) {
  try {
    action();
    return true;
  } catch (const EngineError& error) {
    emit noticed(noticeOf(error));
  } catch (const std::bad_alloc&) {
    emit noticed(noticeOf(ErrorCode::kOutOfMemory, tr("There is not enough memory for this."),
                          tr("Choose a smaller model or fewer KV blocks, or close other programs.")));
  } catch (const std::exception& error) {
    emit noticed({Notice::kProblem, QString::fromUtf8(error.what()),
                  tr("This is a fault in Vitrine; please report it."), QStringLiteral("internal")});
  }
  return false;
}

// What the window has cancelled itself is no failure.
template <class Action>
void EngineWorker::guardedUnlessCancelled(Action action) {
  guarded([&] {
    try {
      action();
    } catch (const EngineError& error) {
      if (error.code() != ErrorCode::kCancelled) throw;
    }
  });
}

}  // namespace vitrine
