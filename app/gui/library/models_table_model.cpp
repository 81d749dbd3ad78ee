#include "gui/library/models_table_model.h"

#include <QLocale>
#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {
namespace {

using Row = ModelsTableModel::Row;

constexpr bool isNumber(int column) {
  return column == ModelsTableModel::kBytes || column == ModelsTableModel::kContext ||
         column == ModelsTableModel::kMemory || column == ModelsTableModel::kSpeed;
}

QString textOf(const Row& row, int column) {
  switch (column) {
    case ModelsTableModel::kName:
      return row.model.name;
    case ModelsTableModel::kProgram:
      return programName(row.model.program);
    case ModelsTableModel::kFamily:
      return row.model.family;
    case ModelsTableModel::kType:
      return row.model.quantization;
    default:
      return fitText(row.estimate.fit);
  }
}

// 0: not known.
double numberOf(const Row& row, int column) {
  switch (column) {
    case ModelsTableModel::kBytes:
      return static_cast<double>(row.model.bytes);
    case ModelsTableModel::kContext:
      return row.model.contextLength;
    case ModelsTableModel::kMemory:
      return static_cast<double>(row.estimate.bytes());
    default:
      return row.estimate.tokensPerSecond;
  }
}

QString shownNumber(int column, double number) {
  if (!(number > 0)) return {};
  if (column == ModelsTableModel::kContext) return formatCount(static_cast<std::int64_t>(number));
  if (column == ModelsTableModel::kSpeed) return formatDecimal(number, number < 10 ? 1 : 0);
  return dataSizeText(static_cast<qint64>(number));
}

// Models that cannot be opened come behind those that do not fit.
int rankOf(const Row& row) { return row.model.opens ? static_cast<int>(row.estimate.fit) : 3; }

int compare(const Row& a, const Row& b, int column) {
  if (column == ModelsTableModel::kFit) return rankOf(a) - rankOf(b);
  if (!isNumber(column)) return QString::localeAwareCompare(textOf(a, column), textOf(b, column));
  const double one = numberOf(a, column), other = numberOf(b, column);
  return one < other ? -1 : (one > other ? 1 : 0);
}

}  // namespace

QString fitText(ModelFit fit) {
  switch (fit) {
    case ModelFit::kYes:
      return ModelsTableModel::tr("yes");
    case ModelFit::kTight:
      return ModelsTableModel::tr("tight");
    case ModelFit::kNo:
      return ModelsTableModel::tr("no");
  }
  return {};
}

QString fitWords(const ModelEstimate& estimate, const MachineFigures& machine) {
  if (machine.availableBytes <= 0) return {};
  switch (estimate.fit) {
    case ModelFit::kYes:
      return ModelsTableModel::tr("fits");
    case ModelFit::kTight:
      return ModelsTableModel::tr("fits tightly");
    case ModelFit::kNo:
      return ModelsTableModel::tr("too large");
  }
  return {};
}

QString dataSizeText(qint64 bytes) { return QLocale().formattedDataSize(bytes, 1); }

ModelsTableModel::ModelsTableModel(Session* session, QObject* parent) : SessionModel(session, parent) {}

void ModelsTableModel::clear() {
  m_all.clear();
  arrange();
}

void ModelsTableModel::add(const FoundModel& model) {
  const std::size_t place = m_all.size();
  m_all.push_back({model, estimateModel(model, m_context, m_machine)});
  if (fits(model)) {
    const auto before = std::ranges::upper_bound(
        m_shown, place, [this](std::size_t a, std::size_t b) { return isBefore(a, b); });
    const int row = static_cast<int>(before - m_shown.begin());
    beginInsertRows({}, row, row);
    m_shown.insert(before, place);
    endInsertRows();
  }
  emit refreshed();
}

void ModelsTableModel::setWords(const QString& words) {
  m_words = words.split(u' ', Qt::SkipEmptyParts);
  arrange();
}

void ModelsTableModel::estimate(int contextTokens, const MachineFigures& machine) {
  m_context = contextTokens;
  m_machine = machine;
  for (Row& row : m_all) row.estimate = estimateModel(row.model, m_context, m_machine);
  arrange();
}

bool ModelsTableModel::fits(const FoundModel& model) const {
  const QString all =
      QStringList{model.name, programName(model.program), model.family, model.quantization}.join(u'\n');
  return std::ranges::all_of(m_words,
                             [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

bool ModelsTableModel::isBefore(std::size_t a, std::size_t b) const {
  const int order = compare(m_all[a], m_all[b], m_sortColumn);
  if (order != 0) return m_sortOrder == Qt::AscendingOrder ? order < 0 : order > 0;
  return compare(m_all[a], m_all[b], kName) < 0;
}

void ModelsTableModel::arrange() {
  beginResetModel();
  m_shown.clear();
  for (std::size_t i = 0; i < m_all.size(); ++i)
    if (fits(m_all[i].model)) m_shown.push_back(i);
  std::ranges::stable_sort(m_shown, [this](std::size_t a, std::size_t b) { return isBefore(a, b); });
  endResetModel();
  emit refreshed();
}

void ModelsTableModel::sort(int column, Qt::SortOrder order) {
  m_sortColumn = column < 0 ? static_cast<int>(kFit) : column;
  m_sortOrder = order;
  arrange();
}

int ModelsTableModel::rowOf(const QString& path) const {
  const auto found =
      std::ranges::find_if(m_shown, [&](std::size_t place) { return m_all[place].model.path == path; });
  return found == m_shown.end() ? -1 : static_cast<int>(found - m_shown.begin());
}

std::optional<FoundModel> ModelsTableModel::find(const QString& path) const {
  const auto found = std::ranges::find(m_all, path, [](const Row& row) { return row.model.path; });
  return found == m_all.end() ? std::nullopt : std::optional(found->model);
}

QStringList ModelsTableModel::columnKeys() {
  return {QStringLiteral("name"),   QStringLiteral("program"), QStringLiteral("family"),
          QStringLiteral("bytes"),  QStringLiteral("type"),    QStringLiteral("context"),
          QStringLiteral("memory"), QStringLiteral("speed"),   QStringLiteral("fit")};
}

int ModelsTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

const TableColumns& ModelsTableModel::columns() const {
  const auto text = [](Column of) { return [of](const Row& row) { return textOf(row, of); }; };
  const auto shown = [](Column of) {
    return [of](const Row& row) { return shownNumber(of, numberOf(row, of)); };
  };
  const auto number = [](Column of) {
    return [of](const Row& row) { return cellIf(numberOf(row, of) > 0, numberOf(row, of)); };
  };
  static const ColumnsOf<ModelsTableModel> kAll = {
      {QT_TR_NOOP("Model"), text(kName)},
      {QT_TR_NOOP("Program"), text(kProgram), {.tip = QT_TR_NOOP("The program that keeps it")}},
      {QT_TR_NOOP("Family"), text(kFamily), {.tip = QT_TR_NOOP("The architecture")}},
      {QT_TR_NOOP("Size"), shown(kBytes), number(kBytes),
       numeric(nullptr, QT_TR_NOOP("Of its files, on the disk"))},
      {QT_TR_NOOP("Type"), text(kType), {.tip = QT_TR_NOOP("Of most of its weights")}},
      {QT_TR_NOOP("Context"), shown(kContext), number(kContext),
       numeric(nullptr, QT_TR_NOOP("Tokens that it was made for, at most"))},
      {QT_TR_NOOP("Memory"), shown(kMemory), number(kMemory),
       numeric(nullptr, QT_TR_NOOP("Weights and KV cache, at the context that is chosen above"))},
      {QT_TR_NOOP("tok/s"), shown(kSpeed), number(kSpeed),
       numeric(nullptr,
               QT_TR_NOOP("Tokens a second on this machine, at most: the memory's bandwidth over the bytes "
                          "that a token reads"))},
      {QT_TR_NOOP("Fits"),
       text(kFit),
       {.tip = QT_TR_NOOP("Whether it fits into the memory that is free now")}},
  };
  return kAll;
}

QVariant ModelsTableModel::otherData(const QModelIndex& index, int role) const {
  if (role != Qt::ToolTipRole) return {};
  if (index.column() == kName) return plainTip(at(index.row()).model.path);
  return index.column() == kFit ? plainTip(at(index.row()).estimate.reason) : QVariant();
}

}  // namespace vitrine

#include "moc_models_table_model.cpp"
