// WindowFiles: what the tests of all states of the window open: a model of a few hundred kilobytes with the
// built-in model's tokenizer, one whose forward gives no finite numbers, scenarios of both, and traces.
#pragma once

#include <QTemporaryDir>

#include "models/model_config.h"

namespace vitrine::test {

class WindowFiles {
 public:
  // Writes all of them. False when one could not be written.
  bool make();

  QString model() const { return path("tiny"); }
  QString longRun() const { return path("long.json"); }     // a scenario of hundreds of steps
  QString shortRun() const { return path("short.json"); }   // of three
  QString failing() const { return path("failing.json"); }  // no step succeeds; a request comes at each
  QString trace() const { return path("run.vitrine"); }     // of some portions of an opening
  QString noTrace() const { return path("no.vitrine"); }    // a file, but no trace
  QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

 private:
  void writeModel(const char* name, const ModelConfig& config) const;
  void spoilWeights(const char* model) const;
  bool writeScenario(const QString& file, const QString& model, int tokens) const;
  void recordTrace() const;

  QTemporaryDir m_folder;
};

}  // namespace vitrine::test
