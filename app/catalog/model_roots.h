// The folders in which programs keep models. Thread: any. Read next: model_scan.h.
#pragma once

#include <QList>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include "catalog/found_model.h"

namespace vitrine {

struct ModelRoot {
  ModelProgram program = ModelProgram::kOwnFolder;
  QString folder = {};  // may be missing
  bool operator==(const ModelRoot&) const = default;
};

// Where to look, in this order: a model that is reached in two ways is listed as the first one has it.
struct ModelRoots {
  QList<ModelRoot> folders;
};

// Where models that this program downloads belong: vitrine/models in XDG_DATA_HOME.
QString ownModelsFolder(const QProcessEnvironment& environment);

// The places that the programs use with this environment: HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME,
// XDG_DATA_HOME, HF_HOME, HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, OLLAMA_MODELS and LLAMA_CACHE, and the
// settings in which LM Studio, GPT4All and Jan keep another place. Last come the folders of one's own.
// Reads a few small files.
ModelRoots defaultModelRoots(const QProcessEnvironment& environment, const QStringList& ownFolders = {});

}  // namespace vitrine
