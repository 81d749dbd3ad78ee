#include "gui/turns/chat_settings.h"

#include <optional>

#include "desk/asking.h"
#include "gui/turns/answer_form.h"
#include "history/chat_calls.h"
#include "widgets/support/sampling_modes.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

std::optional<SamplingPreset> presetOf(const QString& key) {
  for (const SamplingPreset& preset : samplingPresets())
    if (preset.key == key) return preset;
  return std::nullopt;
}

void applyPreset(const SamplingPreset& preset, Request& request) {
  SamplingOptions sampling = withPenaltiesOf(request.sampling);
  sampling.temperature = preset.temperature;
  sampling.topK = preset.topK;
  sampling.topP = preset.topP;
  sampling.minP = preset.minP;
  request.sampling = sampling;
  if (preset.temperature > 0) request.beamWidth = 1;
}

// Presence and frequency penalty and the seed stay those of the window.
void applyRecommended(const SamplingOptions& recommended, Request& request) {
  SamplingOptions sampling = recommended;
  sampling.presencePenalty = request.sampling.presencePenalty;
  sampling.frequencyPenalty = request.sampling.frequencyPenalty;
  sampling.seed = request.sampling.seed;
  request.sampling = sampling;
  if (sampling.temperature > 0) request.beamWidth = 1;
}

}  // namespace

QString modelPresetName() { return Wording::tr("Model's own"); }

QString modelPresetTip(const std::optional<SamplingOptions>& recommended) {
  if (!recommended) return Wording::tr("The open model comes with no recommendation: as set in the window.");
  QStringList parts = {Wording::tr("temperature %1").arg(recommended->temperature)};
  if (recommended->topP < 1) parts << Wording::tr("top-p %1").arg(recommended->topP);
  if (recommended->topK > 0) parts << Wording::tr("top-k %1").arg(recommended->topK);
  if (recommended->minP > 0) parts << Wording::tr("min-p %1").arg(recommended->minP);
  if (recommended->typicalP < 1) parts << Wording::tr("typical-p %1").arg(recommended->typicalP);
  if (recommended->repetitionPenalty != 1)
    parts << Wording::tr("repetition penalty %1").arg(recommended->repetitionPenalty);
  return Wording::tr("As the model's makers recommend: %1.").arg(parts.join(QStringLiteral(", ")));
}

std::vector<SamplingPreset> samplingPresets() {
  return {
      {QStringLiteral("exact"), Wording::tr("Exact"),
       Wording::tr("Always the most likely token (temperature 0): the same question has the same answer."), 0,
       0, 1, 0},
      {QStringLiteral("balanced"), Wording::tr("Balanced"),
       Wording::tr("Temperature 0.7, top-p 0.9, top-k 40: varied words, few surprises."), 0.7, 40, 0.9, 0},
      {QStringLiteral("free"), Wording::tr("Free"),
       Wording::tr("Temperature 1.0, min-p 0.05: every token that is not far from the likeliest."), 1.0, 0, 1,
       0.05},
  };
}

void applySettings(const ChatSettings& settings, Request& request,
                   const std::optional<SamplingOptions>& recommended) {
  for (const QString& stop : settings.stops)
    if (!stop.isEmpty()) request.stop.push_back(stop.toUtf8().toStdString());
  if (const auto preset = presetOf(settings.preset)) applyPreset(*preset, request);
  if (settings.preset == kModelPreset && recommended) applyRecommended(*recommended, request);
  applyForm(settings.form, request);
}

QString namesOf(const ToolSet& tools) {
  QStringList names;
  for (const std::string& name : tools.names()) names << QString::fromStdString(name);
  return names.join(QStringLiteral(", "));
}

QString noToolsWords() {
  return Wording::tr("This model's chat template has no place for tools: the model does not hear of them.");
}

QString settingsInWords(const ChatSettings& settings, const ChatSettings& defaults) {
  QStringList parts;
  if (!settings.instructions.trimmed().isEmpty()) parts << Wording::tr("System prompt");
  if (!settings.stops.isEmpty())
    parts << Wording::tr("%n stop string(s)", nullptr, static_cast<int>(settings.stops.size()));
  if (const ToolSet tools = toolsOf(settings); !tools.empty())
    parts << Wording::tr("Tools: %1").arg(namesOf(tools));
  else if (!settings.tools.trimmed().isEmpty())
    parts << Wording::tr("Tools that cannot be read");
  if (const QString form = formInWords(settings.form); !form.isEmpty())
    parts << Wording::tr("Form: %1").arg(form);
  const Asking asking = askingOf(settings.asking);
  if (asking.thinking)
    parts << (*asking.thinking ? Wording::tr("Thinks first") : Wording::tr("Answers at once"));
  if (!asking.effort.empty()) parts << Wording::tr("Effort: %1").arg(QString::fromStdString(asking.effort));
  if (!asking.mends.empty()) parts << Wording::tr("Told otherwise to the template");
  if (asking.typedMarks) parts << Wording::tr("Typed special tokens count");
  if (settings.preset == defaults.preset) return parts.join(QStringLiteral(" · "));
  if (const auto preset = presetOf(settings.preset)) parts << preset->name;
  if (settings.preset == kModelPreset) parts << modelPresetName();
  return parts.join(QStringLiteral(" · "));
}

}  // namespace vitrine
