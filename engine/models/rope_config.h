// The rotary embedding's part of a config.json, in either of its spellings. Read next: rope.h, which computes
// it.
#pragma once

#include "models/config_reader.h"
#include "models/model_config.h"

namespace vitrine {

// Old: rope_theta beside rope_scaling {"type" or "rope_type": ...}. New: rope_parameters, which holds
// rope_theta too, once or once a layer type. Throws EngineError: kUnsupported naming a kind of rope this
// engine does not compute, kFileCorrupt naming the field.
RopeConfig readRope(const ConfigReader& config, int contextLength, int headDim);

}  // namespace vitrine
