// Sizes of the processor's caches, as the system lists them. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>

namespace vitrine::cpu {

// Bytes of all data caches of a level that the first `cores` cores have; a cache that several share counts
// once. 0: the system does not say. (sysconf() is no help: on AMD's processors it multiplies the third level
// by the number of threads.)
std::int64_t cacheBytes(int level, int cores,
                        const std::filesystem::path& processors = "/sys/devices/system/cpu");

}  // namespace vitrine::cpu
