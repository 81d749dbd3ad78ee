// DownloadOrder: the files of a model and where they go. Thread: any; it looks at the disk.
// Read next: download_worker.h.
#pragma once

#include <QList>
#include <QSet>
#include <QString>

#include "catalog/download_problem.h"
#include "catalog/download_settings.h"
#include "catalog/hub_choice.h"

namespace vitrine {

struct DownloadOrder {
  QString repository, revision;
  HubChoice choice;
  QString modelsFolder;  // absolute

  // Below it: owner/name.
  QString folder() const { return modelsFolder + '/' + repository; }
  QString target(const HubFile& file) const { return folder() + '/' + file.path; }
  // What the engine loads once all is there.
  QString model() const { return choice.isFolder ? folder() : target(choice.files.front()); }
};

// Why this order cannot be begun: no files, names that lead elsewhere, too little space for what is still to
// come.
DownloadProblem problemOf(const DownloadOrder& order, const DownloadSettings& settings);

// Removes parts of all files, files whose indexes are in `finished`, and folders that are empty then, up to
// the folder of models.
void removeFiles(const DownloadOrder& order, const QSet<int>& finished);

}  // namespace vitrine
