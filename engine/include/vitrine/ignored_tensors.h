// IgnoredTensors: what of a model's files the decoder passes over, as data for a note: tensors that no part
// of it computes with (engine/models/tensor_check.h says which they may be), and a tie of the head that the
// weights contradict (engine/models/own_head.h). Thread: values.
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

  // config.json says that the head is the embedding, but the files hold another head, which is used.
  bool tieIgnored = false;

  bool operator==(const IgnoredTensors&) const = default;
};
VITRINE_STRUCT(IgnoredTensors, "ignored_tensors", field("model", &T::model), field("count", &T::count),
               field("first", &T::first), field("draft_head", &T::draftHead),
               field("tie_ignored", &T::tieIgnored));

}  // namespace vitrine
