// Any bytes as an answer: calls in its order, with a name and a JSON object each, that a template can be
// given. Of its beginnings, calls only come while it grows.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "vitrine/chat_format.h"
#include "vitrine/tool_call.h"

namespace {

using namespace vitrine;

void require(bool holds) {
  if (!holds) std::abort();
}

const ToolSet& tools() {
  static const ToolSet set(
      R"([{"type":"function","function":{"name":"get_weather","parameters":{"properties":{"days":{"type":"integer"},)"
      R"("where":{"type":"object"},"tags":{"type":"array"},"limit":{"type":["number","null"]}}}}},)"
      R"({"type":"function","function":{"name":"search"}}])");
  return set;
}

const ChatFormat& format() {
  static const ChatFormat written(
      PromptTemplate("{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.function.name }}{{ "
                     "c.function.arguments | tojson }}"
                     "{% endfor %}{% endfor %}"));
  return written;
}

void requireOrder(const AnswerCalls& found, std::size_t size) {
  std::size_t at = 0;
  for (const PlacedCall& placed : found.calls) {
    require(at <= placed.range.begin && placed.range.begin < placed.range.end);
    at = placed.range.end;
  }
  require(at <= found.undecided.begin && found.undecided.begin <= found.undecided.end);
  require(found.undecided.end == size);
}

bool beginsWith(const AnswerCalls& whole, const AnswerCalls& beginning) {
  if (beginning.calls.size() > whole.calls.size()) return false;
  for (std::size_t i = 0; i < beginning.calls.size(); ++i) {
    const PlacedCall &one = beginning.calls[i], &other = whole.calls[i];
    if (one.call != other.call || one.state != other.state || one.range.begin != other.range.begin ||
        one.range.end != other.range.end)
      return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view answer(reinterpret_cast<const char*>(data), size);
  const AnswerCalls whole = toolCalls(answer, tools(), true);
  requireOrder(whole, size);
  require(!whole.open && whole.undecided.begin == size && textBesideCalls(answer, whole).size() <= 2 * size);
  ChatMessage message{ChatRole::kAssistant, ""};
  for (const PlacedCall& placed : whole.calls) {
    const auto isWithin = [&](const TextRange& part) {
      return placed.range.begin <= part.begin && part.begin <= part.end && part.end <= placed.range.end;
    };
    if (placed.state != CallState::kWhole) continue;
    require(!placed.call.name.empty() && nlohmann::json::parse(placed.call.arguments).is_object());
    require(isWithin(placed.name) && (placed.arguments.end == 0 || isWithin(placed.arguments)));
    message.calls.push_back(placed.call);
  }
  if (!message.calls.empty()) require(!format().render({{message}}).text.empty());

  const std::size_t stride = 1 + size / 64;  // all beginnings of a short answer
  AnswerCalls before;
  GrowingCalls growing(tools());
  for (std::size_t length = 0; length < size; length += stride) {
    AnswerCalls now = toolCalls(answer.substr(0, length), tools(), false);
    requireOrder(now, length);
    require(beginsWith(now, before) && beginsWith(whole, now) &&
            before.undecided.begin <= now.undecided.begin);
    const AnswerCalls& grown = growing.read(answer.substr(0, length), false);
    require(grown.calls.size() == now.calls.size() && beginsWith(grown, now) && grown.open == now.open &&
            grown.undecided.begin == now.undecided.begin);
    before = std::move(now);
  }
  return 0;
}
