#include "widgets/weights/tensor_table_model.h"

#include <algorithm>

#include "vitrine/inspected_figures.h"
#include "widgets/support/formats.h"

namespace vitrine {
namespace {

std::int64_t weightsOf(const InspectedTensor& tensor) { return tensor.rows() * tensor.shape.back(); }

}  // namespace

QString tensorShapeText(const InspectedTensor& tensor) {
  QStringList extents;
  for (const std::int64_t extent : tensor.shape) extents << formatCount(extent);
  return extents.join(QStringLiteral(" × "));
}

TensorTableModel::TensorTableModel(Session* session, QObject* parent) : SessionModel(session, parent) {}

void TensorTableModel::setTensors(std::vector<InspectedTensor> tensors) {
  m_all = std::move(tensors);
  m_words.clear();
  m_layer = kAllLayers;
  m_layers = 0;
  for (const InspectedTensor& tensor : m_all) m_layers = std::max(m_layers, layerOf(tensor.name) + 1);
  arrange();
}

void TensorTableModel::setWords(const QString& words) {
  m_words = words.split(u' ', Qt::SkipEmptyParts);
  arrange();
}

void TensorTableModel::setLayer(int layer) {
  m_layer = layer;
  arrange();
}

bool TensorTableModel::fits(const InspectedTensor& tensor) const {
  if (m_layer != kAllLayers && layerOf(tensor.name) != m_layer) return false;
  const QString name = QString::fromStdString(tensor.name), type = QString::fromStdString(tensor.type);
  return std::ranges::all_of(m_words, [&](const QString& word) {
    return name.contains(word, Qt::CaseInsensitive) || type.compare(word, Qt::CaseInsensitive) == 0;
  });
}

bool TensorTableModel::isBefore(const InspectedTensor& a, const InspectedTensor& b) const {
  switch (m_sortColumn) {
    case kName:
      return a.name < b.name;
    case kType:
      return a.type < b.type;
    case kShape:
      return weightsOf(a) < weightsOf(b);
    default:
      return a.bytes < b.bytes;
  }
}

void TensorTableModel::arrange() {
  beginResetModel();
  m_shown.clear();
  for (std::size_t i = 0; i < m_all.size(); ++i)
    if (fits(m_all[i])) m_shown.push_back(i);
  if (m_sortColumn >= 0)
    std::ranges::stable_sort(m_shown, [this](std::size_t a, std::size_t b) {
      return m_sortOrder == Qt::AscendingOrder ? isBefore(m_all[a], m_all[b]) : isBefore(m_all[b], m_all[a]);
    });
  endResetModel();
  emit refreshed();
}

void TensorTableModel::sort(int column, Qt::SortOrder order) {
  m_sortColumn = column;
  m_sortOrder = order;
  arrange();
}

int TensorTableModel::rowOf(const std::string& name) const {
  const auto found =
      std::ranges::find_if(m_shown, [&](std::size_t place) { return m_all[place].name == name; });
  return found == m_shown.end() ? -1 : static_cast<int>(found - m_shown.begin());
}

int TensorTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int TensorTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const InspectedTensor& tensor = at(index.row());
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((index.column() < kShape ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && index.column() == kName) return QString::fromStdString(tensor.name);
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (index.column()) {
    case kName:
      return QString::fromStdString(tensor.name);
    case kType:
      return QString::fromStdString(tensor.type);
    case kShape:
      return tensorShapeText(tensor);
    default:
      return role == Qt::EditRole ? QVariant(static_cast<qlonglong>(tensor.bytes))
                                  : QVariant(formatBytes(tensor.bytes));
  }
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((section < kShape ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == kShape)
    return tr("Outputs × inputs: a row of weights for each output, a weight in it for each input");
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (section) {
    case kName:
      return tr("Tensor");
    case kType:
      return tr("Type");
    case kShape:
      return tr("Shape");
    default:
      return role == Qt::EditRole ? tr("Bytes") : tr("Size");
  }
}

}  // namespace vitrine

#include "moc_tensor_table_model.cpp"
