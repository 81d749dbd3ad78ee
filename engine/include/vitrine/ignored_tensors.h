// IgnoredTensors: tensors of a model's files that no part of the decoder computes with, as data for a note.
// Which they may be, engine/models/tensor_check.h says. Thread: values.
#pragma once

#include <string>
#include <vector>

#include "vitrine/description.h"

namespace vitrine {

struct IgnoredTensors {
  std::string model;               // the name of the model that has them
  int count = 0;                   // all of them
  std::vector<std::string> first;  // names of the first three, as their file has them
  bool draftHead = false;          // among them is a head that drafts tokens (multi-token prediction)

  bool operator==(const IgnoredTensors&) const = default;
};
VITRINE_STRUCT(IgnoredTensors, "ignored_tensors", field("model", &T::model), field("count", &T::count),
               field("first", &T::first), field("draft_head", &T::draftHead));

}  // namespace vitrine
