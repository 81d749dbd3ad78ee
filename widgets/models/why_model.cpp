#include "widgets/models/why_model.h"

#include "vitrine/prose/why.h"
#include "vitrine/step_rate.h"
#include "widgets/support/formats.h"
#include "widgets/support/window_language.h"

namespace vitrine {

WhyModel::WhyModel(Session* session, QObject* parent) : RowsModel(session, parent) { refresh(); }

void WhyModel::refresh() {
  const MachineState& state = session()->state();
  const SequenceNames& names = session()->names();
  std::vector<WhyRow> rows;
  for (const prose::WhyRow& row :
       prose::explainStep(session()->stepEvents(), state, session()->proseNames(), windowLanguage())) {
    rows.push_back({row.section, row.sequence, names.requestOf(row.sequence, state),
                    row.sequence == 0 ? QString() : names.letter(row.sequence, state),
                    QString::fromStdString(row.text), row.warning});
  }
  setRows(std::move(rows));
}

QString WhyModel::sectionName(int section) {
  if (section == WhyRow::kBefore) return tr("Before the step");
  return section == WhyRow::kAfter ? tr("After the step") : phaseName(static_cast<Phase>(section));
}

QString WhyModel::title() const {
  const int step = session()->step();
  if (step == 0) return tr("Before the first step");
  Phase reached = Phase::kAdmit;
  for (const Event& event : session()->stepEvents()) {
    reached = event.phase;
    const auto* finished = std::get_if<StepFinished>(&event.body);
    if (!finished) continue;
    return tr("Step %1: %2 computed, %3 sampled, in %4")
        .arg(step)
        .arg(tr("%n token(s)", nullptr, finished->tokens))
        .arg(finished->sampled)
        .arg(formatDuration(phasesNs(*finished)));
  }
  return tr("Step %1 in progress, up to %2").arg(QString::number(step), phaseName(reached));
}

int WhyModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant WhyModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const WhyRow& row = at(index.row());
  if (role == Qt::AccessibleTextRole) return tr("%1: %2").arg(sectionName(row.section), row.text);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kPhase:
      return sectionName(row.section);
    case kSequence:
      return row.letter;
    case kSentence:
      return row.text;
    default:
      return {};
  }
}

QVariant WhyModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  switch (section) {
    case kPhase:
      return tr("Phase");
    case kSequence:
      return tr("Sequence");
    case kSentence:
      return tr("What happened, and why");
    default:
      return {};
  }
}

}  // namespace vitrine
