#include "trials/values.h"

#include <limits>
#include <map>

namespace vitrine::trials {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kNumbers[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "7",
                                         "16",
                                         "-1",
                                         "-2",
                                         "0.5",
                                         "-0.0",
                                         "1.5",
                                         "1e-300",
                                         "1e300",
                                         "1e400",
                                         "nan",
                                         "inf",
                                         "-inf",
                                         "127",
                                         "255",
                                         "256",
                                         "257",
                                         "65535",
                                         "65536",
                                         "65537",
                                         "1048576",
                                         "1048577",
                                         "2147483647",
                                         "2147483648",
                                         "-2147483648",
                                         "-2147483649",
                                         "4294967295",
                                         "4294967296",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "-9223372036854775808",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "340282366920938463463374607431768211456",
                                         "0x10",
                                         "1_000",
                                         "1e3",
                                         "+1",
                                         " 1",
                                         "1 ",
                                         "01",
                                         "1,2"};

constexpr std::string_view kTexts[] = {"",
                                       " ",
                                       "a",
                                       "true",
                                       "null",
                                       "-",
                                       "--",
                                       "-n",
                                       "--json",
                                       "{}",
                                       "[]",
                                       "\"",
                                       "%s%n%d",
                                       "\x1b[31m",
                                       "a\nb",
                                       "\xff\xfe",
                                       "\xc3\x28",
                                       "\xed\xa0\x80",
                                       "\xf0\x9f\x98\x80",
                                       "e\xcc\x81",
                                       "1,2,three",
                                       "\xef\xbb\xbf"
                                       "BOM",
                                       "<s>",
                                       "</s>",
                                       "<|im_end|>",
                                       "fcfs",
                                       "swap",
                                       "sinks"};

const std::map<std::string_view, std::vector<std::string>> kFitting = {
    {"temperature", {"0", "0.7", "1.5", "1e300"}},
    {"top_k", {"0", "1", "5", "2147483647"}},
    {"top_p", {"1e-9", "0.5", "0.9", "1"}},
    {"min_p", {"0", "0.1", "1"}},
    {"typical_p", {"1e-9", "0.2", "0.95", "1"}},
    {"repetition_penalty", {"1e-9", "0.5", "1", "1.3", "1e300"}},
    {"presence_penalty", {"-1e300", "-1", "0", "1"}},
    {"frequency_penalty", {"-1", "0", "1", "1e300"}},
    {"seed", {"0", "1", "18446744073709551615"}},
    {"n", {"1", "2", "3"}},
    {"best_of", {"0", "3", "4"}},
    {"beam_width", {"1", "2", "4"}},
    {"length_penalty", {"-10", "-1", "0", "1", "10"}},
    {"priority", {"-2147483648", "-1", "0", "5", "2147483647"}},
    {"deadline_ms", {"0", "1e-300", "1", "1000", "1e15", "1e300"}},
    {"logprobs", {"0", "1", "5", "2147483647"}},
    {"arrival_step", {"0", "1", "7", "2147483647"}},
    {"max_tokens", {"1", "2", "5", "20"}},
    {"threads", {"0", "1", "2"}},
    {"block_size", {"1", "2", "8", "16", "256"}},
    {"num_blocks", {"0", "4", "20", "100"}},
    {"kv_memory", {"0", "100000", "10000000", "9223372036854775807"}},
    {"max_sequences", {"0", "1", "2", "65536"}},
    {"token_budget", {"1", "2", "8", "512", "16777216"}},
    {"window_ms", {"0", "5"}},
    {"aging_steps", {"0", "1", "1048576"}},
    {"host_swap", {"0", "100000", "1048576"}},
    {"disk_swap", {"0", "1000000", "9223372036854775807"}},
    {"sink_tokens", {"0", "4", "1048576"}},
    {"window_tokens", {"1", "16", "32", "16777216"}},
    {"heavy_tokens", {"0", "16", "16777216"}},
    {"draft_length", {"1", "2", "16"}},
    {"exit_layer", {"0", "1", "2"}},
    {"ngram_length", {"1", "3", "16"}},
    {"generated", {"0", "1", "2"}},
    {"candidates", {"0", "3", "1048576"}}};

}  // namespace

std::string fittingNumber(Dice& dice, std::string_view key) {
  const auto found = kFitting.find(key);
  return found == kFitting.end() ? std::to_string(1 + dice.below(2)) : dice.oneOf(found->second);
}

std::string anyNumber(Dice& dice) { return dice.oneOf(std::span(kNumbers)); }

std::string anyText(Dice& dice) {
  if (dice.chance(80)) return dice.oneOf(std::span(kTexts));
  static const std::vector<std::size_t> kLengths = {100, 1000, 20'000};
  std::string text = dice.oneOf(std::span(kTexts));
  if (text.empty()) text = "x";
  const std::size_t length = dice.oneOf(kLengths);
  std::string repeated;
  while (repeated.size() < length) repeated += text;
  return repeated;
}

Json anyJson(Dice& dice) {
  switch (dice.below(10)) {
    case 0:
      return nullptr;
    case 1:
      return dice.chance(50);
    case 2:
      return Json::array({1, "2", nullptr});
    case 3:
      return Json::object({{"a", 1}});
    case 4: {  // deep
      Json json = 0;
      for (std::size_t depth = dice.below(200); depth > 0; --depth) json = Json::array({std::move(json)});
      return json;
    }
    case 5:
      return anyText(dice);
    default: {
      const Json number = Json::parse(anyNumber(dice), nullptr, false);
      return number.is_discarded() ? Json(std::numeric_limits<double>::max()) : number;
    }
  }
}

}  // namespace vitrine::trials
