// The marks around calls in the families' forms, as vitrine/tool_call.h describes them; those of gpt-oss are
// in core/channel_messages.h. Read next: call_reader.h.
#pragma once

#include <string_view>

namespace vitrine {

inline constexpr std::string_view kCallBegin = "<tool_call>", kCallEnd = "</tool_call>";
inline constexpr std::string_view kFunction = "<function=", kFunctionEnd = "</function>";
inline constexpr std::string_view kParameter = "<parameter=", kParameterEnd = "</parameter>";
inline constexpr std::string_view kArgKey = "<arg_key>", kArgKeyEnd = "</arg_key>", kArgValue = "<arg_value>",
                                  kArgValueEnd = "</arg_value>";
inline constexpr std::string_view kMistral = "[TOOL_CALLS]", kMistralId = "[CALL_ID]",
                                  kMistralArguments = "[ARGS]";
inline constexpr std::string_view kPython = "<|python_tag|>";
// The message that has Solar's calls begins with the first one; the prompt may have written it.
inline constexpr std::string_view kSolarMessage = "<|begin|>assistant", kSolarCalls = "<|tool_calls|>",
                                  kSolarCallsEnd = "<|calls|>";
inline constexpr std::string_view kSolarCall = "<|tool_call:begin|>", kSolarName = "<|tool_call:name|>",
                                  kSolarArguments = "<|tool_call:args|>", kSolarCallEnd = "<|tool_call:end|>";

}  // namespace vitrine
