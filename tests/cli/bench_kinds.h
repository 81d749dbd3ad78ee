// The kinds of benchmark, small enough for tests of what comes out of them.
#pragma once

#include <map>

#include "cli/cli_runner.h"

namespace vitrine::test {

// Two rounds of a tiny model that count, after so many that do not.
inline QStringList smallBench(int warmUp) {
  return {"--model",   goldenModel("llama"),    "--prompt-tokens", "12", "--max-tokens", "6", "--repeat", "2",
          "--warm-up", QString::number(warmUp), "--threads",       "1",  "--block-size", "4"};
}

// Of each kind the options that make it small.
inline const std::map<QString, QStringList> kBenchKinds = {
    {"latency", {"--batch", "1,3", "--warm"}},
    {"throughput", {"--concurrency", "1,2", "--requests", "2"}},
    {"memory", {"--batch", "2"}},
    {"ablation", {"--requests", "3", "--at-once", "2"}},
    {"speculative", {"--lengths", "1,3", "--exits", "1"}},
    {"quantization", {}},
    {"roofline", {"--batch", "2"}}};

}  // namespace vitrine::test
