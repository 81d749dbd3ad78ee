#include "chat_settings.h"

#include <QCoreApplication>
#include <algorithm>
#include <optional>

namespace vitrine {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(ChatSettings)
};

std::optional<SamplingPreset> presetOf(const QString& key) {
  for (const SamplingPreset& preset : samplingPresets())
    if (preset.key == key) return preset;
  return std::nullopt;
}

void applyPreset(const SamplingPreset& preset, Request& request) {
  request.sampling.temperature = preset.temperature;
  request.sampling.topK = preset.topK;
  request.sampling.topP = preset.topP;
  request.sampling.minP = preset.minP;
  request.sampling.typicalP = 1;
  if (preset.temperature > 0) request.beamWidth = 1;
}

}  // namespace

std::vector<SamplingPreset> samplingPresets() {
  return {
      {QStringLiteral("exact"), Words::tr("Exact"),
       Words::tr("Always the most likely token (temperature 0): the same question has the same answer."), 0,
       0, 1, 0},
      {QStringLiteral("balanced"), Words::tr("Balanced"),
       Words::tr("Temperature 0.7, top-p 0.9, top-k 40: varied words, few surprises."), 0.7, 40, 0.9, 0},
      {QStringLiteral("free"), Words::tr("Free"),
       Words::tr("Temperature 1.0, min-p 0.05: every token that is not far from the likeliest."), 1.0, 0, 1,
       0.05},
  };
}

void applySettings(const ChatSettings& settings, ChatOrder& order) {
  if (!settings.instructions.trimmed().isEmpty())
    order.messages.insert(order.messages.begin(),
                          {ChatRole::kSystem, settings.instructions.toUtf8().toStdString()});
  for (const QString& stop : settings.stops)
    if (!stop.isEmpty()) order.request.stop.push_back(stop.toUtf8().toStdString());
  if (const auto preset = presetOf(settings.preset)) applyPreset(*preset, order.request);
}

QString settingsInWords(const ChatSettings& settings) {
  QStringList parts;
  if (!settings.instructions.trimmed().isEmpty()) parts << Words::tr("System prompt");
  if (!settings.stops.isEmpty())
    parts << Words::tr("%n stop string(s)", nullptr, static_cast<int>(settings.stops.size()));
  if (const auto preset = presetOf(settings.preset)) parts << preset->name;
  return parts.join(QStringLiteral(" · "));
}

}  // namespace vitrine
