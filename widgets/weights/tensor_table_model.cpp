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

const TableColumns& TensorTableModel::columns() const {
  using Row = InspectedTensor;
  static const ColumnsOf<TensorTableModel> kColumns = {
      {QT_TR_NOOP("Tensor"), &Row::name},
      {QT_TR_NOOP("Type"), &Row::type},
      {QT_TR_NOOP("Shape"), tensorShapeText,
       numeric(nullptr, QT_TR_NOOP("Outputs × inputs: a row of weights for each output, a weight in it for "
                                   "each input"))},
      {QT_TR_NOOP("Size"), [](const Row& tensor) { return formatBytes(tensor.bytes); }, &Row::bytes,
       numeric(QT_TR_NOOP("Bytes"))},
  };
  return kColumns;
}

QVariant TensorTableModel::otherData(const QModelIndex& index, int role) const {
  return role == Qt::ToolTipRole && index.column() == kName ? index.data() : QVariant();
}

}  // namespace vitrine

#include "moc_tensor_table_model.cpp"
