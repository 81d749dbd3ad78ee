// The device that the command line gives to the window: its option as vitrine-cli spells and explains it.
// Thread: the window's, before there is a window. Read next: vitrine/devices.h.
#pragma once

#include <QCommandLineOption>

#include "vitrine/devices.h"

namespace vitrine {

QCommandLineOption deviceOption();
// A GPU is looked for through its driver, which takes its time. Throws EngineError(kInvalidArgument) for a
// word that is no device, kUnavailable for a device that cannot compute.
Device givenDevice(const QString& word);

}  // namespace vitrine
