// What a trial is: a folder made by chance, and a command line to run in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trials/dice.h"

namespace vitrine::trials {

struct Trial {
  std::vector<std::string> arguments;  // of vitrine-cli, which runs inside the folder
  std::string input;                   // its standard input
  std::string story;                   // what was done to the folder
};

// Each fills the empty folder `folder` and never names a file outside it, but devices and the sources' own.
Trial mutatedModel(Dice& dice, const std::filesystem::path& folder);
Trial randomCommand(Dice& dice, const std::filesystem::path& folder);
Trial randomRequests(Dice& dice, const std::filesystem::path& folder);

// A small sound model with a tokenizer, copied into the folder.
void copyModel(Dice& dice, const std::filesystem::path& folder);

}  // namespace vitrine::trials
