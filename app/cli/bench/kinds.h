// The kinds of benchmark, one file each, and the command that shows their results again.
#pragma once

#include "program.h"

namespace vitrine::cli {

void addLatency(CLI::App& bench, Program& program);
void addThroughput(CLI::App& bench, Program& program);
void addMemory(CLI::App& bench, Program& program);
void addAblation(CLI::App& bench, Program& program);
void addSpeculative(CLI::App& bench, Program& program);
void addQuantization(CLI::App& bench, Program& program);
void addRoofline(CLI::App& bench, Program& program);
void addShow(CLI::App& bench, Program& program);

}  // namespace vitrine::cli
