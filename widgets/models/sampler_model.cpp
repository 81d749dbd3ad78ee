#include "widgets/models/sampler_model.h"

#include <algorithm>
#include <map>

#include "vitrine/option_schema.h"
#include "widgets/support/formats.h"
#include "widgets/support/option_text.h"

namespace vitrine {
namespace {

// A stage that has an option's key bears that option's label.
QString titleOf(const QString& name) {
  if (name == u"logits") return SamplerModel::tr("Model");
  if (name == u"penalties") return SamplerModel::tr("Penalties");
  QString title = name;
  forEachOption<SamplingOptions>([&](const auto& info, auto) {
    if (name == QLatin1String(info.key)) title = plainLabel(info.label);
  });
  return title;
}

// Candidates in the order of their first stage: the model's own order, then those that penalties moved up.
std::vector<SamplerRow> rowsFrom(const TokenCandidates& detail) {
  std::vector<SamplerRow> rows;
  std::map<TokenId, std::size_t> places;
  const auto stages = detail.stages.size();
  for (std::size_t s = 0; s < stages; ++s) {
    const auto& top = detail.stages[s].top;
    for (std::size_t i = 0; i < top.size(); ++i) {
      const auto [place, isNew] = places.emplace(top[i].token, rows.size());
      if (isNew) {
        SamplerRow row;
        row.token = top[i].token;
        row.chosen = row.token == detail.chosen;
        row.probabilities.assign(stages, -1.0);
        row.text = s == 0 && i < detail.pieces.size() ? visibleToken(detail.pieces[i])
                                                      : QStringLiteral("#%1").arg(row.token);
        rows.push_back(std::move(row));
      }
      rows[place->second].probabilities[s] = top[i].probability;
    }
  }
  return rows;
}

void findRemovals(const TokenCandidates& detail, std::vector<SamplerRow>& rows) {
  for (SamplerRow& row : rows) {
    for (std::size_t s = 1; s < detail.stages.size(); ++s) {
      const SamplingStage& stage = detail.stages[s];
      const bool complete = stage.kept <= static_cast<int>(stage.top.size());
      if (row.probabilities[s] < 0 && row.probabilities[s - 1] >= 0 && complete) {
        row.removedAt = static_cast<int>(s);
        break;
      }
    }
  }
}

bool isBeam(const MachineState& state, SequenceId sequence) {
  const auto found = state.sequences.find(sequence);
  if (found == state.sequences.end()) return false;
  const auto request = state.requests.find(found->second.request);
  return request != state.requests.end() && request->second.beamWidth > 1;
}

}  // namespace

SamplerModel::SamplerModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  connect(session, &Session::selectionChanged, this, [this] { update(); });
  refresh();
}

void SamplerModel::refresh() {
  m_sequence = session()->selectedSequence();
  const auto detail = session()->candidates(m_sequence);
  std::vector<Stage> stages;
  std::vector<SamplerRow> rows;
  if (detail) {
    rows = rowsFrom(*detail);
    findRemovals(*detail, rows);
    for (const SamplingStage& stage : detail->stages) {
      stages.push_back({QString::fromStdString(stage.name), stage.kept});
    }
  }
  m_position = detail ? detail->position : -1;
  const bool beam = isBeam(session()->state(), m_sequence);
  if (stages == m_stages && rows == m_rows && beam == m_isOfBeam) return;
  beginResetModel();
  m_isOfBeam = beam;
  m_stages = std::move(stages);
  m_rows = std::move(rows);
  endResetModel();
}

QString SamplerModel::stageTitle(int stage) const {
  return stage >= 0 && stage < stages() ? titleOf(m_stages[static_cast<std::size_t>(stage)].name) : QString();
}

int SamplerModel::keptAt(int stage) const {
  return stage >= 0 && stage < stages() ? m_stages[static_cast<std::size_t>(stage)].kept : 0;
}

int SamplerModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SamplerModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : stages() + 4; }

// Columns: token, id, the stages, removed by, chosen.
QVariant SamplerModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole) return {};
  const SamplerRow& row = at(index.row());
  const int column = index.column();
  if (column == 0) return row.text;
  if (column == 1) return row.token;
  if (column == stages() + 2) return row.removedAt >= 0 ? stageTitle(row.removedAt) : QString();
  if (column == stages() + 3) return row.chosen ? tr("chosen") : QString();
  const double probability = row.probabilities[static_cast<std::size_t>(column - 2)];
  return probability >= 0 ? formatPercent(probability) : QString();
}

QVariant SamplerModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  if (section == 0) return tr("Token");
  if (section == 1) return tr("Id");
  if (section == stages() + 2) return tr("Removed by");
  if (section == stages() + 3) return tr("Chosen");
  return stageTitle(section - 2);
}

}  // namespace vitrine
