// What a trace can hold, in words for its readers: each event with its fields, and the structs in them.
// {"events":{"block_freed":["block:int",...],...},"structs":{"candidate":[...],...}}. Thread: any.
#pragma once

#include "events/json_value.h"

namespace vitrine {

JsonOut traceSchema();

}  // namespace vitrine
