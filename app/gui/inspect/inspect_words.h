// Plain words for a model that is looked into. Thread: the window's.
#pragma once

#include <QStringList>

#include "vitrine/inspected_figures.h"

namespace vitrine {

QString modelTitle(const InspectedModel& model);      // "tiny: llama, in a GGUF file"
QStringList modelFacts(const InspectedModel& model);  // one thing each, the largest first
QString memoryText(const InspectedModel& model, std::int64_t context);
QString speedText(const InspectedModel& model, std::int64_t context, const MachineRoof& roof);
QString tensorTitle(const InspectedTensor& tensor);    // "Q4_K, 4,096 × 11,008, 24.8 MiB, 4.5 bits a weight"
QString weightsText(const InspectedWeights& weights);  // least, most, mean, deviation

}  // namespace vitrine
