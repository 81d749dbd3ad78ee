#include "widgets/models/operations_model.h"

#include <algorithm>

#include "vitrine/prose/words.h"
#include "widgets/support/formats.h"
#include "widgets/support/window_language.h"

namespace vitrine {
namespace {

QString lineText(const RoofLine& line) {
  return QString::fromStdString(prose::roofLine(line, windowLanguage()));
}

int digitsFor(double value) { return value < 10 ? 1 : 0; }

}  // namespace

bool OperationRow::operator==(const OperationRow& other) const {
  return cost.operation == other.cost.operation && cost.calls == other.cost.calls &&
         cost.ns == other.cost.ns && cost.bytes == other.cost.bytes &&
         cost.operations == other.cost.operations && share == other.share && place.limit == other.place.limit;
}

OperationsModel::OperationsModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  refresh();
}

// The last one: an event of the step before stands before the step.
void OperationsModel::readStep() {
  m_forward = {};
  m_step = session()->step();
  for (const Event& event : session()->stepEvents())
    if (const auto* measured = bodyOf<ForwardMeasured>(event); measured != nullptr && event.step == m_step)
      m_forward = *measured;
}

void OperationsModel::refresh() {
  if (!m_given) readStep();
  std::vector<OperationRow> rows;
  for (const OperationCost& cost : m_forward.operations) {
    OperationRow row{cost, 0, {}};
    if (m_forward.ns > 0) row.share = static_cast<double>(cost.ns) / static_cast<double>(m_forward.ns);
    if (m_roof) row.place = placeUnder(*m_roof, cost, m_forward);
    rows.push_back(row);
  }
  setRows(std::move(rows));
  if (wantsRoof()) emit roofWanted();
}

void OperationsModel::setRoof(MachineRoof roof) {
  m_roof = std::move(roof);
  update();
  emit roofChanged();
}

void OperationsModel::forgetRoof() {
  m_roof.reset();
  update();
  emit roofChanged();
}

void OperationsModel::showForward(ForwardMeasured forward, MachineRoof roof) {
  m_given = true;
  m_forward = std::move(forward);
  setRoof(std::move(roof));
}

double OperationsModel::streamGbps() const { return m_roof ? streamLine(*m_roof, m_forward).gbps : 0; }

QString OperationsModel::streamWords() const {
  return m_roof ? lineText(streamLine(*m_roof, m_forward)) : QString();
}

bool OperationsModel::wantsRoof() const { return !m_roof && rowCount() > 0; }

void OperationsModel::wantRoof() {
  if (!m_roof) emit roofWanted();
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
  return session()->step() == 0 ? tr("After a step, the time of its forward is here, operation by operation.")
                                : tr("Not measured: this step computed nothing, or it ran where operations "
                                     "are not measured, in the "
                                     "chat or on the command line.");
}

QString OperationsModel::describe(int row) const {
  const OperationRow& shown = at(row);
  QStringList lines;
  lines << tr("%1: %2, %3 of the forward, %n call(s)", nullptr, shown.cost.calls)
               .arg(name(row), formatDuration(shown.cost.ns), formatPercent(shown.share));
  lines << tr("%1 moved, %2 million floating-point operations: %3 for each byte")
               .arg(formatBytes(shown.cost.bytes),
                    formatDecimal(static_cast<double>(shown.cost.operations) / 1e6, 2),
                    text(shown, kIntensity));
  if (!m_roof || shown.place.limit <= 0) return lines.join(u'\n');
  lines << tr("%1 GFLOP/s, %2 GB/s").arg(text(shown, kGflops), text(shown, kGbps));
  lines << (shown.place.isComputeBound
                ? tr("Limited by arithmetic: %1 of the peak of %2 GFLOP/s")
                      .arg(formatPercent(shown.place.limit), formatDecimal(m_roof->gflops, 0))
                : tr("Limited by memory: %1 of %2")
                      .arg(formatPercent(shown.place.limit),
                           lineText(m_roof->lineOf(workingSetOf(shown.cost, m_forward)))));
  if (readsWeightsOrKv(shown.cost.operation))
    lines << tr("The step reads %1 of weights, keys and values once, before it reads any of them again.")
                 .arg(formatBytes(streamedBytes(m_forward)));
  return lines.join(u'\n');
}

int OperationsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant OperationsModel::number(const OperationRow& row, int column) const {
  const double bytes = static_cast<double>(std::max<std::int64_t>(row.cost.bytes, 1)),
               ns = static_cast<double>(std::max<std::int64_t>(row.cost.ns, 1));
  switch (column) {
    case kTime:
      return QVariant::fromValue(row.cost.ns);
    case kShare:
      return row.share;
    case kCalls:
      return row.cost.calls;
    case kBytes:
      return QVariant::fromValue(row.cost.bytes);
    case kFlops:
      return QVariant::fromValue(row.cost.operations);
    case kIntensity:
      return static_cast<double>(row.cost.operations) / bytes;
    case kGflops:
      return static_cast<double>(row.cost.operations) / ns;
    case kGbps:
      return static_cast<double>(row.cost.bytes) / ns;
    case kLimit:
      return row.place.limit > 0 ? QVariant(row.place.limit) : QVariant();
    default:
      return {};
  }
}

QString OperationsModel::text(const OperationRow& row, int column) const {
  const double value = number(row, column).toDouble();
  switch (column) {
    case kTime:
      return formatDuration(row.cost.ns);
    case kShare:
      return formatPercent(value);
    case kLimit:
      return row.place.limit > 0 ? formatPercent(value) : QString();
    case kCalls:
    case kBytes:
    case kFlops:
      return formatCount(number(row, column).toLongLong());
    default:
      return formatDecimal(value, digitsFor(value));
  }
}

QVariant OperationsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::ToolTipRole) return plainTip(describe(index.row()));
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  if (index.column() == kOperation) return name(index.row());
  return role == Qt::EditRole ? number(at(index.row()), index.column())
                              : QVariant(text(at(index.row()), index.column()));
}

QVariant OperationsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const QString keys[] = {QStringLiteral("operation"),      QStringLiteral("ns"),
                                 QStringLiteral("share"),          QStringLiteral("calls"),
                                 QStringLiteral("bytes"),          QStringLiteral("flops"),
                                 QStringLiteral("flops_per_byte"), QStringLiteral("gflops"),
                                 QStringLiteral("gbps"),           QStringLiteral("share_of_limit")};
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns ||
      (role != Qt::DisplayRole && role != Qt::EditRole))
    return SessionModel::headerData(section, orientation, role);
  if (role == Qt::EditRole) return keys[section];
  const QString titles[] = {tr("Operation"), tr("Time"),      tr("Share"),   tr("Calls"), tr("Bytes"),
                            tr("FLOP"),      tr("FLOP/byte"), tr("GFLOP/s"), tr("GB/s"),  tr("Of its limit")};
  return titles[section];
}

}  // namespace vitrine

#include "moc_operations_model.cpp"
