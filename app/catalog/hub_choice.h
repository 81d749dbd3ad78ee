// What of a repository makes one model: a GGUF file with all its parts, or the files of a Hugging Face
// folder. Thread: any. Read next: model_download.h.
#pragma once

#include <QList>
#include <QString>

#include "catalog/hub_address.h"
#include "catalog/hub_listing.h"

namespace vitrine {

struct HubChoice {
  QString label;         // "Q4_K_M", "BF16", a file's name; for a folder "safetensors"
  QList<HubFile> files;  // of a GGUF model the first part comes first
  bool isFolder = false;
  bool isSuggested = false;  // at most one
  // Whether this program reads the quantization that the name says; what is in the file only the file says.
  bool isReadable = true;

  qint64 bytes() const;
};

// GGUF models by size, then the folder. Suggested is what `wish` names by its file or quantization, otherwise
// the GGUF file whose quantization is the best that a plain machine runs well (about four and a half bits),
// otherwise the folder. Left out are parts for pictures, and split models of which a part is not listed.
// Empty: there is nothing that this program could load.
QList<HubChoice> hubChoices(const HubListing& listing, const HubAddress& wish);

}  // namespace vitrine
