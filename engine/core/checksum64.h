// A 64-bit checksum for bytes that this program wrote and reads again: blocks of a swap file, packed weights.
//
// A change of any single byte changes it. It has four lanes, to run at the speed of memory. It keeps no
// secret: bytes can be made for any sum. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine {

std::uint64_t checksum64(std::span<const std::byte> bytes, std::uint64_t seed);

}  // namespace vitrine
