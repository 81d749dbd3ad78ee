#include "widgets/layers/operations_model.h"

#include <algorithm>

#include "vitrine/prose/words.h"
#include "widgets/support/formats.h"
#include "widgets/support/window_language.h"

namespace vitrine {
namespace {

QString lineText(const RoofLine& line) {
  return QString::fromStdString(prose::roofLine(line, windowLanguage()));
}

double ratio(std::int64_t value, std::int64_t of) {
  return static_cast<double>(value) / static_cast<double>(std::max<std::int64_t>(of, 1));
}
double intensity(const OperationCost& cost) { return ratio(cost.operations, cost.bytes); }
double gflops(const OperationCost& cost) { return ratio(cost.operations, cost.ns); }
double gbps(const OperationCost& cost) { return ratio(cost.bytes, cost.ns); }

}  // namespace

bool OperationRow::operator==(const OperationRow& other) const {
  return cost.operation == other.cost.operation && cost.calls == other.cost.calls &&
         cost.ns == other.cost.ns && cost.bytes == other.cost.bytes &&
         cost.operations == other.cost.operations && share == other.share &&
         place.limit == other.place.limit && place.peakGflops == other.place.peakGflops;
}

OperationsModel::OperationsModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  takeWhatIsThere();
  refresh();
}

void OperationsModel::restart() {
  m_roofs.clear();
  emit roofChanged();
}

// A trace may have been written by anything.
void OperationsModel::take(const Event& event) {
  const auto* measured = bodyOf<RoofMeasured>(event);
  if (measured == nullptr || !measured->roof.isSound()) return;
  m_roofs.emplace_back(event.step, measured->roof);
  emit roofChanged();
  if (!session()->isLive()) update();
}

// A branch that another device computes, or in another arithmetic, is not under the limits of its recorded
// past. Of the engine of that past nothing is known here.
bool OperationsModel::fits(const MachineRoof& roof) const {
  const std::optional<EngineLoaded>& engine = session()->engine();
  if (!engine) return true;
  if (engine->branchStep < 0) return roof.hasPeaksFor(engine->options.compute);
  return session()->step() <= engine->branchStep ||
         (roof.hasPeaksFor(engine->options.compute) && roof.threads == engine->threads &&
          engine->device.find(roof.instructions) != std::string::npos);
}

const MachineRoof* OperationsModel::roof() const {
  if (m_given) return &*m_given;
  const MachineRoof* found = nullptr;
  for (const auto& [measuredBehind, roof] : m_roofs)
    if (fits(roof) && (found == nullptr || measuredBehind <= session()->step())) found = &roof;
  return found;
}

QString OperationsModel::roofDevice() const {
  const MachineRoof* shown = roof();
  if (shown == nullptr || shown->instructions.empty()) return {};  // old results of the bench name none
  return QString::fromStdString(prose::roofDevice(*shown, windowLanguage()));
}

// The last one: an event of the step before stands before the step.
void OperationsModel::readStep() {
  m_forward = {};
  const int step = session()->step();
  for (const Event& event : session()->stepEvents())
    if (const auto* measured = bodyOf<ForwardMeasured>(event); measured != nullptr && event.step == step)
      m_forward = *measured;
}

void OperationsModel::refresh() {
  if (!m_given) readStep();
  const MachineRoof* const limits = roof();
  std::vector<OperationRow> rows;
  for (const OperationCost& cost : m_forward.operations) {
    OperationRow row{cost, 0, {}};
    if (m_forward.ns > 0) row.share = static_cast<double>(cost.ns) / static_cast<double>(m_forward.ns);
    if (limits != nullptr) row.place = placeUnder(*limits, cost, m_forward);
    rows.push_back(row);
  }
  setRows(std::move(rows));
  if (wantsRoof()) emit roofWanted();
}

void OperationsModel::showForward(ForwardMeasured forward, MachineRoof roof) {
  m_given = std::move(roof);
  m_forward = std::move(forward);
  update();
  emit roofChanged();
}

double OperationsModel::streamGbps() const {
  const MachineRoof* shown = roof();
  return shown != nullptr ? streamLine(*shown, m_forward).gbps : 0;
}

QString OperationsModel::streamWords() const {
  const MachineRoof* shown = roof();
  return shown != nullptr ? lineText(streamLine(*shown, m_forward)) : QString();
}

QStringList OperationsModel::peakWords() const {
  QStringList all;
  const MachineRoof* shown = roof();
  if (shown == nullptr) return all;
  const QString device = roofDevice();
  for (const RoofCeiling& ceiling : shown->ceilings()) {
    const QString gflops = formatDecimal(ceiling.gflops, 0);
    if (!shown->products.empty())
      all << tr("%1 GFLOP/s, %2")
                 .arg(gflops, QString::fromStdString(prose::roofCeiling(ceiling, windowLanguage())));
    else
      all << (device.isEmpty() ? tr("%1 GFLOP/s").arg(gflops) : tr("%1 GFLOP/s of %2").arg(gflops, device));
  }
  return all;
}

void OperationsModel::wantRoof() {
  if (roof() == nullptr) emit roofWanted();
}

int OperationsModel::longest() const {
  const auto most = std::ranges::max_element(rows(), {}, [](const OperationRow& row) { return row.cost.ns; });
  return most == rows().end() ? -1 : static_cast<int>(most - rows().begin());
}

QString OperationsModel::name(int row) const {
  return QString::fromStdString(prose::operationName(at(row).cost.operation, windowLanguage()));
}

QString OperationsModel::summary() const {
  if (longest() < 0) return {};
  return tr("forward %1 · %2 %3")
      .arg(formatDuration(m_forward.ns), name(longest()), formatPercent(at(longest()).share));
}

QString OperationsModel::emptyText() const {
  if (rowCount() > 0) return {};
  if (const QString unseen = session()->unseenWords(); !unseen.isEmpty()) return unseen;
  return session()->step() == 0 ? tr("After a step, the time of its forward is here, operation by operation.")
                                : tr("Not measured: this step computed nothing, or it ran where operations "
                                     "are not measured, in the "
                                     "chat or on the command line.");
}

QString OperationsModel::roofNote() const {
  if (!wantsRoof()) return {};
  const std::optional<EngineLoaded>& engine = session()->engine();
  const QString device = engine ? QString::fromStdString(engine->device) : tr("the device");
  return tr("The limits of %1 are not in this run. A trace has them from trace record --operations.")
      .arg(device);
}

QString OperationsModel::describe(int row) const {
  const OperationRow& shown = at(row);
  const MachineRoof* const limits = roof();
  const auto said = [&](Column column) { return index(row, column).data().toString(); };
  QStringList lines;
  lines << tr("%1: %2, %3 of the forward, %n call(s)", nullptr, shown.cost.calls)
               .arg(name(row), formatDuration(shown.cost.ns), formatPercent(shown.share));
  const Compute arithmetic = arithmeticOf(shown.cost);
  const QString millions = formatDecimal(static_cast<double>(shown.cost.operations) / 1e6, 2),
                arithmeticName = QString::fromStdString(prose::arithmeticName(arithmetic, windowLanguage()));
  lines << (arithmetic == Compute::kF32
                ? tr("%1 moved, %2 million floating-point operations: %3 for each byte")
                      .arg(formatBytes(shown.cost.bytes), millions, said(kIntensity))
                : tr("%1 moved, %2 million operations in %3: %4 for each byte")
                      .arg(formatBytes(shown.cost.bytes), millions, arithmeticName, said(kIntensity)));
  if (limits == nullptr) lines << roofNote();
  if (limits != nullptr && !leastComputingNs(*limits, shown.cost))
    lines << tr("The limits do not have the peak of %1 arithmetic.").arg(arithmeticName);
  if (limits == nullptr || shown.place.limit <= 0) return lines.join(u'\n');
  lines << tr("%1 GFLOP/s, %2 GB/s").arg(said(kGflops), said(kGbps));
  const QString share = formatPercent(shown.place.limit), peak = formatDecimal(shown.place.peakGflops, 0);
  lines << (shown.place.isComputeBound
                ? (limits->products.empty()
                       ? tr("Limited by arithmetic: %1 of the peak of %2 GFLOP/s").arg(share, peak)
                       : tr("Limited by %1 arithmetic: %2 of its peak of %3 GFLOP/s")
                             .arg(arithmeticName, share, peak))
                : tr("Limited by memory: %1 of %2")
                      .arg(share, lineText(limits->lineOf(workingSetOf(shown.cost, m_forward)))));
  if (readsWeightsOrKv(shown.cost.operation))
    lines << tr("The step reads %1 of weights, keys and values once, before it reads any of them again.")
                 .arg(formatBytes(streamedBytes(m_forward)));
  if (!roofDevice().isEmpty())
    lines << tr("The limits are those of %1, which computed this.").arg(roofDevice());
  return lines.join(u'\n');
}

const TableColumns& OperationsModel::columns() const {
  using Row = OperationRow;
  const auto cost = [](auto OperationCost::*of) { return [of](const Row& row) { return row.cost.*of; }; };
  const auto count = [](auto OperationCost::*of) {
    return [of](const Row& row) { return formatCount(row.cost.*of); };
  };
  const auto ratio = [](double (*of)(const OperationCost&)) {
    return [of](const Row& row) { return of(row.cost); };
  };
  const auto decimal = [](double (*of)(const OperationCost&)) {
    return [of](const Row& row) { return formatDecimal(of(row.cost), of(row.cost) < 10 ? 1 : 0); };
  };
  using Cost = OperationCost;
  static const ColumnsOf<OperationsModel> kColumns = {
      {QT_TR_NOOP("Operation"), &OperationsModel::name, {"operation"}},
      {QT_TR_NOOP("Time"),
       [](const Row& row) { return formatDuration(row.cost.ns); },
       cost(&Cost::ns),
       {"ns"}},
      {QT_TR_NOOP("Share"), [](const Row& row) { return formatPercent(row.share); }, &Row::share, {"share"}},
      {QT_TR_NOOP("Calls"), count(&Cost::calls), cost(&Cost::calls), {"calls"}},
      {QT_TR_NOOP("Bytes"), count(&Cost::bytes), cost(&Cost::bytes), {"bytes"}},
      {QT_TR_NOOP("FLOP"), count(&Cost::operations), cost(&Cost::operations), {"flops"}},
      {QT_TR_NOOP("FLOP/byte"), decimal(intensity), ratio(intensity), {"flops_per_byte"}},
      {QT_TR_NOOP("GFLOP/s"), decimal(gflops), ratio(gflops), {"gflops"}},
      {QT_TR_NOOP("GB/s"), decimal(gbps), ratio(gbps), {"gbps"}},
      {QT_TR_NOOP("Of its limit"),
       [](const Row& row) { return cellIf(row.place.limit > 0, formatPercent(row.place.limit)); },
       [](const Row& row) { return cellIf(row.place.limit > 0, row.place.limit); },
       {"share_of_limit"}},
  };
  return kColumns;
}

QVariant OperationsModel::otherData(const QModelIndex& index, int role) const {
  return role == Qt::ToolTipRole ? plainTip(describe(index.row())) : QVariant();
}

}  // namespace vitrine

#include "moc_operations_model.cpp"
