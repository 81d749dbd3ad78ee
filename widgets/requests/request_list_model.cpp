#include "widgets/requests/request_list_model.h"

#include <algorithm>
#include <unordered_map>

#include "widgets/support/formats.h"
#include "widgets/support/token_ink.h"
#include "widgets/support/window_language.h"

namespace vitrine {

namespace {

std::unordered_map<SequenceId, std::string> sampledIn(EventBatch events) {
  std::unordered_map<SequenceId, std::string> all;
  for (const Event& event : events)
    if (const auto* sampled = bodyOf<TokenSampled>(event)) all[sampled->sequence] += inkOf(*sampled);
  return all;
}

}  // namespace

RequestListModel::RequestListModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  takeWhatIsThere();
  refresh();
}

void RequestListModel::restart() {
  m_taken = 0;
  m_forgotten.clear();
}

void RequestListModel::take(const Event& event) {
  if (isA<RequestForgotten>(event)) m_forgotten.push_back(m_taken);
  ++m_taken;
}

void RequestListModel::refresh() {
  const MachineState& state = session()->state();
  const auto fresh = sampledIn(session()->stepEvents());
  std::unordered_map<RequestId, RequestFamily> families;
  std::array<int, kRequestGroups> counts{};
  for (const auto& [id, request] : state.requests)
    ++counts[static_cast<std::size_t>((families[id] = requestFamily(request, state)).group)];
  int finishedLeft = counts[static_cast<std::size_t>(RequestGroup::kFinished)];
  RequestId last = 0;
  std::string named;
  std::vector<RequestRow> rows;
  rows.reserve(state.sequences.size());
  for (const auto& [id, sequence] : state.sequences) {
    const auto request = state.requests.find(sequence.request);
    if (request == state.requests.end()) continue;
    const auto added = fresh.find(id);
    RequestRow& row = rows.emplace_back(
        requestRow(sequence, request->second,
                   newestWords(session()->writtenText(sequence, named), request->second.prompt,
                               added == fresh.end() ? std::string_view() : added->second)));
    const RequestFamily& family = families[row.request];
    row.requestGroup = family.group;
    row.siblings = family.siblings;
    if (family.group == RequestGroup::kFinished) {
      if (row.request != last) --finishedLeft;  // sequences have the order of their requests
      row.finishedAfter = finishedLeft;
    }
    last = row.request;
    if (!sequence.prefixMiss) continue;
    Event missed;
    missed.body = *sequence.prefixMiss;
    row.miss =
        QString::fromStdString(prose::describe(missed, session()->proseNames(), windowLanguage()).sentence);
  }
  m_requests = counts;
  const auto shown = std::ranges::lower_bound(m_forgotten, session()->shownEnd());
  m_allFinished = counts[static_cast<std::size_t>(RequestGroup::kFinished)] +
                  static_cast<int>(std::distance(m_forgotten.begin(), shown));
  setRows(std::move(rows));
}

QString RequestListModel::summary() const {
  QStringList parts;
  if (const int run = requests(RequestGroup::kRunning); run > 0) parts << tr("%n run(s)", nullptr, run);
  if (const int wait = requests(RequestGroup::kWaiting); wait > 0) parts << tr("%n wait(s)", nullptr, wait);
  if (parts.isEmpty() && allFinished() > 0) parts << tr("%1 finished").arg(formatCount(allFinished()));
  return parts.join(QStringLiteral(" · "));
}

int RequestListModel::rowOf(SequenceId sequence) const {
  for (int row = 0; row < rowCount(); ++row) {
    if (at(row).sequence == sequence) return row;
  }
  return -1;
}

const TableColumns& RequestListModel::columns() const {
  using Row = RequestRow;
  static const ColumnsOf<RequestListModel> kColumns = {
      {QT_TR_NOOP("Letter"), &Row::letter},
      {QT_TR_NOOP("Name"), &Row::name},
      {QT_TR_NOOP("Status"), &Row::status},
      {QT_TR_NOOP("Computed"), &Row::computedTokens},
      {QT_TR_NOOP("Tokens"), &Row::totalTokens},
      {QT_TR_NOOP("Blocks"), &Row::blocks},
      {QT_TR_NOOP("Cached"), &Row::cachedTokens},
      {QT_TR_NOOP("Preemptions"), &Row::preemptions},
      {QT_TR_NOOP("Priority"), &Row::priority},
      {QT_TR_NOOP("Deadline"),
       [](const Row& row) {
         return cellIf(row.deadlineMs > 0, formatDuration(static_cast<std::int64_t>(row.deadlineMs * 1e6)));
       }},
      {QT_TR_NOOP("First token"),
       [](const Row& row) { return cellIf(row.ttftNs > 0, formatDuration(row.ttftNs)); }},
      {QT_TR_NOOP("Text"), &RequestListModel::answerOf},
  };
  return kColumns;
}

QVariant RequestListModel::otherData(const QModelIndex& index, int role) const {
  const RequestRow& row = at(index.row());
  if (role == kGroupRole) return static_cast<int>(row.group);
  if (role == kSequenceRole) return row.sequence;
  if (role == kRequestRole) return row.request;
  if (role == Qt::AccessibleTextRole) {
    QStringList parts{
        tr("%1, %2: %3. %4").arg(row.letter, requestGroupName(row.group), row.name, row.status)};
    parts << row.siblings << row.words.text << row.miss;
    parts.removeAll(QString());
    return parts.join(QStringLiteral(". "));
  }
  if (role != Qt::ToolTipRole) return {};
  return plainTip(
      tr("%1 (%2)\nPrompt: %3\nTokens: %4 of %5 computed, at most %6 more to generate\n"
         "Blocks: %7 · from the prefix cache: %8 tokens · preempted %9 times")
          .arg(row.letter, row.name, promptOf(row), formatCount(row.computedTokens),
               formatCount(row.totalTokens),
               formatCount(std::max(0, row.promptTokens + row.maxTokens - row.totalTokens)),
               formatCount(row.blocks), formatCount(row.cachedTokens), formatCount(row.preemptions)) +
      u'\n' + tr("Status: %1").arg(row.status) + (row.miss.isEmpty() ? QString() : u'\n' + row.miss));
}

QString RequestListModel::promptOf(const RequestRow& row) const {
  const auto& requests = session()->state().requests;
  const auto found = requests.find(row.request);
  return found == requests.end() ? QString() : QString::fromStdString(found->second.prompt.substr(0, 200));
}

QString RequestListModel::answerOf(const RequestRow& row) const {
  const auto& sequences = session()->state().sequences;
  const auto found = sequences.find(row.sequence);
  return found == sequences.end() ? QString() : QString::fromStdString(found->second.text);
}

}  // namespace vitrine

#include "moc_request_list_model.cpp"
