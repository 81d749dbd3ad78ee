// ModelCandidate: files that should be a model, before they are opened. Thread: values.
// Read next: model_finder.h; model_reading.h.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

#include "catalog/folder_walk.h"
#include "catalog/found_model.h"

namespace vitrine {

struct ModelCandidate {
  QString name;
  ModelProgram program = ModelProgram::kOwnFolder;
  QString path;         // what the engine would load
  QStringList weights;  // the files with weights, at least one
  bool isFolder = false;
  QString fault = {};  // why it cannot be opened, if that is known before
};

// Where the search puts what it meets.
struct FinderSink {
  std::function<void(const ModelCandidate&)> candidate;
  std::function<void(const LeftOut&)> leftOut;
  std::function<bool()> cancelled;
};

}  // namespace vitrine
