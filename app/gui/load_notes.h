// LoadNotes: what a person should know of a model that was opened, in one notice.
// Thread: the window's. Read next: message_bar.h.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "vitrine/ignored_tensors.h"

namespace vitrine {

class LoadNotes {
 public:
  void addReplaced(const QString& reason);  // the built-in model is open in the place of another
  void addUnknownTemplate();
  void add(const std::vector<IgnoredTensors>& ignored);

  bool isEmpty() const { return m_notes.isEmpty(); }
  QString message() const { return m_notes.join(QStringLiteral(" ")); }
  QString hint() const { return m_hints.join(QStringLiteral(" ")); }

 private:
  QStringList m_notes, m_hints;
};

}  // namespace vitrine
