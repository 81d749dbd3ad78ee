#include "load_notes.h"

#include <QCoreApplication>

#include "vitrine/prose/words.h"
#include "widgets/support/window_language.h"

namespace vitrine {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(vitrine::LoadNotes)
};

}  // namespace

void LoadNotes::addReplaced(const QString& reason) {
  m_notes << reason;
  m_hints << Words::tr("The built-in model is open in its place.");
}

void LoadNotes::addUnknownTemplate() {
  m_notes << Words::tr("This model's chat template is not one that Vitrine knows.");
  m_hints << Words::tr("It is asked in a plain format, so its answers may be worse than they could be.");
}

void LoadNotes::add(const std::vector<IgnoredTensors>& ignored) {
  for (const IgnoredTensors& tensors : ignored)
    m_notes << QString::fromStdString(prose::ignoredTensors(tensors, windowLanguage()));
  if (!ignored.empty()) m_hints << Words::tr("Its answers do not depend on them.");
}

}  // namespace vitrine
