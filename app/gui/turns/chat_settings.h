// A chat's wishes for its answers (ChatSettings in app/history), as a request has them and as words.
//
// Thread: values. Read next: app/history/chat_record.h, chat_settings_dialog.h.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "history/chat_record.h"
#include "vitrine/request.h"
#include "vitrine/tool_set.h"

namespace vitrine {

// How tokens are chosen, under a name. Penalties and the seed stay those of the window.
struct SamplingPreset {
  QString key;  // as ChatSettings::preset has it
  QString name, tip;
  double temperature = 0;
  int topK = 0;
  double topP = 1, minP = 0;
};

// The key of the preset that is not among them: the sampling that the open model comes with
// (recommendedSampling() in app/common), with its repetition penalty.
inline constexpr QLatin1String kModelPreset("model");
QString modelPresetName();
QString modelPresetTip(const std::optional<SamplingOptions>& recommended);  // with the numbers

// All presets, in the order of a list. Beside them there is the window's own sampling, whose key is empty.
std::vector<SamplingPreset> samplingPresets();

// Adds the stop strings, the preset's sampling and the form of the answer; the instructions are a message
// (desk/prompt_messages.h). An unknown preset changes nothing, nor does the model's where it recommends
// nothing. Beams are greedy: a preset that draws asks for none.
void applySettings(const ChatSettings& settings, Request& request,
                   const std::optional<SamplingOptions>& recommended = {});

// "get_weather, search"
QString namesOf(const ToolSet& tools);
// That the open model's template does not write tools.
QString noToolsWords();

// "System prompt · Tools: get_weather · Form: JSON schema · Exact", without the preset that new chats have;
// empty where everything is the default.
QString settingsInWords(const ChatSettings& settings, const ChatSettings& defaults = {});

}  // namespace vitrine
