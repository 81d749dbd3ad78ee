#include "gui/load/load_model.h"

#include <cmath>

#include "gui/load/load_watcher.h"
#include "widgets/support/formats.h"

namespace vitrine {

namespace {

using LoadFigure = std::optional<double> LoadFigures::*;

// Of the columns from kRunning on.
constexpr LoadFigure kFigureColumns[] = {&LoadFigures::running,
                                         &LoadFigures::waiting,
                                         &LoadFigures::cacheShare,
                                         &LoadFigures::hitShare,
                                         &LoadFigures::generatedPerSecond,
                                         &LoadFigures::promptPerSecond,
                                         &LoadFigures::preemptions};

bool isFigure(int column) { return column >= LoadModel::kRunning && column <= LoadModel::kPreemptions; }

const std::optional<double>& loadFigureOf(const LoadRow& row, int column) {
  return row.figures.*kFigureColumns[column - LoadModel::kRunning];
}

QString figureText(const LoadRow& row, int column) {
  const std::optional<double>& figure = loadFigureOf(row, column);
  if (!figure) return QStringLiteral("—");
  if (column == LoadModel::kCache || column == LoadModel::kHits) return formatPercent(*figure);
  const bool isRate = column == LoadModel::kGenerated || column == LoadModel::kPrompt;
  if (isRate && *figure < 10) return formatDecimal(*figure, 1);
  return formatCount(std::llround(*figure));
}

}  // namespace

LoadModel::LoadModel(Session* session, const LoadWatcher& watcher, QObject* parent)
    : RowsModel(session, parent), m_watcher(watcher) {
  connect(&watcher, &LoadWatcher::changed, this, &LoadModel::update);
  connect(&watcher, &LoadWatcher::reset, this, &LoadModel::update);
  update();
}

LoadRow LoadModel::rowOf(int server) const {
  const connect::LoadHistory& history = m_watcher.history(server);
  LoadRow row{m_watcher.server(server).place(), m_watcher.engine(server), {}, {}, false};
  row.state = m_watcher.trouble(server);
  row.answers = m_watcher.isAnswered(server) && row.state.isEmpty() && !history.moments().empty();
  if (row.answers) row.figures = loadFigures(history, history.moments().size() - 1);
  if (row.state.isEmpty()) row.state = row.answers ? tr("answers") : tr("is asked…");
  return row;
}

void LoadModel::refresh() {
  std::vector<LoadRow> rows;
  for (int server = 0; server < m_watcher.count(); ++server) rows.push_back(rowOf(server));
  setRows(std::move(rows));
}

const TableColumns& LoadModel::columns() const {
  const auto text = [](Column of) { return [of](const LoadRow& row) { return figureText(row, of); }; };
  const auto number = [](Column of) { return [of](const LoadRow& row) { return loadFigureOf(row, of); }; };
  static const ColumnsOf<LoadModel> kAll = {
      {QT_TR_NOOP("Server"), &LoadRow::server},
      {QT_TR_NOOP("Engine"), &LoadRow::engine},
      {QT_TR_NOOP("Running"), text(kRunning), number(kRunning),
       numeric(nullptr, QT_TR_NOOP("Requests in the batch; of a Vitrine: sequences"))},
      {QT_TR_NOOP("Waiting"), text(kWaiting), number(kWaiting),
       numeric(nullptr, QT_TR_NOOP("Requests in the queue; of a Vitrine: sequences"))},
      {QT_TR_NOOP("KV cache"), text(kCache), number(kCache),
       numeric(QT_TR_NOOP("KV cache, share"), QT_TR_NOOP("The share of it that is in use"))},
      {QT_TR_NOOP("Prefix hits"), text(kHits), number(kHits),
       numeric(QT_TR_NOOP("Prefix hits, share"),
               QT_TR_NOOP("Of the prompts' tokens in the last minute, those found in the prefix cache"))},
      {QT_TR_NOOP("Generated tok/s"), text(kGenerated), number(kGenerated),
       numeric(nullptr, QT_TR_NOOP("Generated tokens a second, over the last ten seconds"))},
      {QT_TR_NOOP("Prompt tok/s"), text(kPrompt), number(kPrompt),
       numeric(nullptr, QT_TR_NOOP("Tokens of prompts a second, over the last ten seconds"))},
      {QT_TR_NOOP("Preemptions"), text(kPreemptions), number(kPreemptions),
       numeric(nullptr, QT_TR_NOOP("Since the engine's start; SGLang calls them retractions"))},
      {QT_TR_NOOP("State"), &LoadRow::state},
  };
  return kAll;
}

QString LoadModel::whyNotTold(const LoadRow& row, int column) const {
  if (!row.answers) return row.state;
  if (column == kHits) return tr("not told by this server, or no prompt came in the last minute");
  if (column == kGenerated || column == kPrompt) return tr("not told by this server, or not yet");
  return tr("not told by this server");
}

QVariant LoadModel::otherData(const QModelIndex& index, int role) const {
  const LoadRow& row = at(index.row());
  const int column = index.column();
  const bool isUntold = isFigure(column) && !loadFigureOf(row, column);
  if (role == Qt::AccessibleTextRole && isUntold) return whyNotTold(row, column);
  if (role == Qt::AccessibleDescriptionRole && column == kServer) return describe(index.row());
  if (role != Qt::ToolTipRole) return {};
  if (isUntold) return plainTip(whyNotTold(row, column));
  if (column == kServer) return plainTip(row.server);
  return column == kState ? plainTip(row.state) : QVariant();
}

QString LoadModel::describe(int row) const {
  const LoadRow& one = at(row);
  QStringList parts{one.server};
  if (!one.engine.isEmpty()) parts << one.engine;
  parts << one.state;
  QStringList figures;
  for (int column = kRunning; column <= kPreemptions; ++column)
    if (loadFigureOf(one, column))
      figures << QStringLiteral("%1 %2").arg(headerData(column, Qt::Horizontal).toString(),
                                             figureText(one, column));
  const QString whole = parts.join(QStringLiteral(", "));
  return figures.isEmpty() ? whole : QStringLiteral("%1: %2").arg(whole, figures.join(QStringLiteral(", ")));
}

}  // namespace vitrine

#include "moc_load_model.cpp"
