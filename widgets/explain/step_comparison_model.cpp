#include "widgets/explain/step_comparison_model.h"

#include <algorithm>

#include "vitrine/prose/difference_words.h"
#include "widgets/support/window_language.h"

namespace vitrine {

StepComparisonModel::StepComparisonModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  refresh();
}

void StepComparisonModel::compareWith(int step) {
  const Recording& recording = session()->recording();
  step =
      std::clamp(step, recording.firstStep(), std::max(recording.firstStep(), recording.lastFinishedStep()));
  if (m_other == step) return;
  m_other = step;
  m_otherState.reset();
  update();
  emit otherChanged();
}

void StepComparisonModel::end() {
  if (!m_other) return;
  m_other.reset();
  m_otherState.reset();
  update();
  emit otherChanged();
}

void StepComparisonModel::refresh() {
  if (!m_other || session()->recording().size() == 0) return setRows({});
  if (!m_otherState) try {
      m_otherState = session()->recording().stateAt(*m_other);
    } catch (const EngineError&) {  // a part that the disk has lost
      return setRows({});
    }
  if (*m_other <= session()->step())
    compare(*m_otherState, session()->state());
  else
    compare(session()->state(), *m_otherState);
}

void StepComparisonModel::compare(const MachineState& before, const MachineState& after) {
  // A sequence of the earlier state that is forgotten later has its name all the same.
  const SequenceNames& names = session()->names();
  const prose::Names later = names.proseNames(after), earlier = names.proseNames(before);
  prose::Names both = later;
  both.sequence = [&](SequenceId id) {
    return (after.sequences.contains(id) || !before.sequences.contains(id) ? later : earlier).sequence(id);
  };
  both.request = [&](RequestId id) {
    return (after.requests.contains(id) || !before.requests.contains(id) ? later : earlier).request(id);
  };
  std::vector<StepComparisonRow> rows;
  for (prose::DifferenceRow& row :
       prose::differenceRows(differenceBetween(before, after), before, after, both, windowLanguage()))
    rows.push_back({std::move(row.target), QString::fromStdString(row.subject),
                    QString::fromStdString(row.what), QString::fromStdString(row.before),
                    QString::fromStdString(row.after)});
  setRows(std::move(rows));
}

QString StepComparisonModel::title() const {
  if (!m_other) return {};
  const int shown = session()->step(), from = std::min(*m_other, shown), to = std::max(*m_other, shown);
  if (from == to) return tr("Step %1: choose another one").arg(from);
  const QString differences =
      rowCount() == 0 ? tr("no difference") : tr("%n difference(s)", nullptr, rowCount());
  return tr("Step %1 → step %2: %3").arg(from).arg(to).arg(differences);
}

const TableColumns& StepComparisonModel::columns() const {
  using Row = StepComparisonRow;
  static const ColumnsOf<StepComparisonModel> kColumns = {
      {QT_TR_NOOP("Of"), &Row::subject},
      {QT_TR_NOOP("What"), &Row::what},
      {QT_TR_NOOP("Before"), &Row::before},
      {QT_TR_NOOP("After"), &Row::after},
  };
  return kColumns;
}

QVariant StepComparisonModel::otherData(const QModelIndex& index, int role) const {
  const StepComparisonRow& row = at(index.row());
  if (role == Qt::AccessibleTextRole && index.column() == kSubject)
    return tr("%1, %2: %3, then %4").arg(row.subject, row.what, row.before, row.after);
  return role == Qt::ToolTipRole ? index.data() : QVariant();
}

}  // namespace vitrine

#include "moc_step_comparison_model.cpp"
