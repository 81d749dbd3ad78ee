// Mutations: what can become of a file on its way: bytes flipped, cut, numbers changed, keys lost or doubled,
// shapes and offsets moved, weights that are no numbers, and other things than files in its place.
#pragma once

#include <filesystem>
#include <string>

#include "trials/dice.h"

namespace vitrine::trials {

// Does one of them to a file of the folder and says which.
std::string mutate(Dice& dice, const std::filesystem::path& folder);

}  // namespace vitrine::trials
