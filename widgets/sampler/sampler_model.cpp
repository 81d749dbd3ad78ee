#include "widgets/sampler/sampler_model.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "vitrine/option_schema.h"
#include "widgets/support/formats.h"
#include "widgets/support/option_text.h"

namespace vitrine {
namespace {

constexpr QLatin1String kGrammar("grammar");

// A stage that has an option's key bears that option's label.
QString titleOf(const QString& name) {
  if (name == u"logits") return SamplerModel::tr("Model");
  if (name == kGrammar) return SamplerModel::tr("Grammar");
  if (name == u"penalties") return SamplerModel::tr("Penalties");
  QString title = name;
  forEachOption<SamplingOptions>([&](const auto& info, auto) {
    if (name == QLatin1String(info.key)) title = plainLabel(info.label);
  });
  return title;
}

// The most likely tokens that a grammar allows are among the most likely of all, or come behind them: one
// that is missing was forbidden, however short the lists are.
bool isProof(const SamplingStage& stage) {
  return stage.name == "grammar" || stage.kept <= static_cast<int>(stage.top.size());
}

bool isFilterName(const QString& stage) { return stage == u"top_k" || stage == u"top_p"; }

// Candidates in the order of their first stage: the model's own order, then those that penalties moved up.
std::vector<SamplerRow> rowsFrom(const std::vector<SamplingStage>& stages, const TokenText& text) {
  std::vector<SamplerRow> rows;
  std::map<TokenId, std::size_t> places;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (const Candidate& candidate : stages[s].top) {
      const auto [place, isNew] = places.emplace(candidate.token, rows.size());
      if (isNew) {
        SamplerRow row;
        row.token = candidate.token;
        row.probabilities.assign(stages.size(), -1.0);
        row.text = text(row.token);
        rows.push_back(std::move(row));
      }
      rows[place->second].probabilities[s] = candidate.probability;
    }
  }
  return rows;
}

void findRemovals(const std::vector<SamplingStage>& stages, std::vector<SamplerRow>& rows) {
  for (SamplerRow& row : rows) {
    for (std::size_t s = 1; s < stages.size(); ++s) {
      if (row.probabilities[s] < 0 && row.probabilities[s - 1] >= 0 && isProof(stages[s])) {
        row.removedAt = static_cast<int>(s);
        break;
      }
    }
  }
}

// Probabilities are summed anew by each stage, so their last bits may differ.
bool isSame(const SamplingStage& before, const SamplingStage& after) {
  constexpr float kRounding = 1e-6f;
  return before.kept == after.kept &&
         std::ranges::equal(before.top, after.top, [](const Candidate& a, const Candidate& b) {
           return a.token == b.token && std::abs(a.probability - b.probability) <= kRounding;
         });
}

QString choiceText(const SamplerRow& row) {
  if (row.chosen && row.previewed) return SamplerModel::tr("chosen, also in the preview");
  if (row.chosen) return SamplerModel::tr("chosen");
  return row.previewed ? SamplerModel::tr("chosen in the preview") : QString();
}

bool isBeam(const MachineState& state, SequenceId sequence) {
  const auto found = state.sequences.find(sequence);
  if (found == state.sequences.end()) return false;
  const auto request = state.requests.find(found->second.request);
  return request != state.requests.end() && request->second.searches();
}

}  // namespace

SamplerModel::SamplerModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  connect(session, &Session::selectionChanged, this, [this] { update(); });
  refresh();
}

// A token is named by its text among the model's candidates, or as a preview brought it.
QString SamplerModel::textOf(TokenId token, const TokenCandidates& detail) const {
  const std::vector<Candidate>& top = detail.stages.front().top;
  for (std::size_t i = 0; i < std::min(top.size(), detail.pieces.size()); ++i)
    if (top[i].token == token && !detail.pieces[i].empty()) return visibleToken(detail.pieces[i]);
  if (const QString text = session()->recordedText(detail.sequence, detail.position);
      token == detail.chosen && !text.isEmpty())
    return visibleToken(text);
  if (m_preview)
    if (const auto piece = m_preview->pieces.find(token);
        piece != m_preview->pieces.end() && !piece->second.empty())
      return visibleToken(piece->second);
  return QStringLiteral("#%1").arg(token);
}

// That its position draws with; below 0 when it draws none, or the recording does not know the options.
double SamplerModel::numberOf(const TokenCandidates& detail) const {
  const auto& sequences = session()->state().sequences;
  const auto found = sequences.find(detail.sequence);
  if (found == sequences.end() || !session()->engine() || session()->engine()->isFromOutside()) return -1;
  const auto sampling = session()->sampling().inStep(found->second.request, m_step);
  if (!sampling || sampling->temperature <= 0) return -1;
  return drawnNumber({session()->engine()->options.seed, found->second.index, detail.position},
                     sampling->seed);
}

void SamplerModel::refresh() {
  m_sequence = session()->selectedSequence();
  const auto detail = session()->candidates(m_sequence);
  m_step = session()->candidatesStep(m_sequence);
  const int position = detail && !detail->stages.empty() ? detail->position : -1;
  if (m_preview && (m_preview->sequence != m_sequence || m_preview->position != position)) m_preview.reset();
  m_position = position;
  show(position < 0 ? nullptr : detail.get());
}

void SamplerModel::show(const TokenCandidates* detail) {
  std::vector<Stage> stages;
  std::vector<SamplerRow> rows;
  DrawBar drawn, previewed;
  QString place, expects;
  if (detail) {
    for (const std::string& rule : detail->rules)
      place += (place.isEmpty() ? QString() : QStringLiteral(" › ")) + visibleToken(rule);
    expects = visibleToken(detail->expected);
    const TokenText text = [&](TokenId token) { return textOf(token, *detail); };
    const std::vector<SamplingStage>& shown = m_preview ? m_preview->draw.stages : detail->stages;
    rows = rowsFrom(shown, text);
    findRemovals(shown, rows);
    const auto list = [&](TokenId token) {
      if (std::ranges::find(rows, token, &SamplerRow::token) != rows.end()) return;
      SamplerRow row;
      row.token = token;
      row.text = text(token);
      row.probabilities.assign(shown.size(), -1.0);
      rows.push_back(std::move(row));
    };
    list(detail->chosen);
    if (m_preview) list(m_preview->draw.chosen);
    for (SamplerRow& row : rows) {
      row.chosen = row.token == detail->chosen;
      row.previewed = m_preview && row.token == m_preview->draw.chosen;
    }
    for (std::size_t s = 0; s < shown.size(); ++s)
      stages.push_back(
          {QString::fromStdString(shown[s].name), shown[s].kept, s == 0 || !isSame(shown[s - 1], shown[s])});
    drawn = drawBar(detail->stages, detail->chosen, numberOf(*detail), text);
    if (session()->state().isFromOutside()) drawn.rule = DrawBar::Rule::kUntold;
    if (m_preview) previewed = drawBar(shown, m_preview->draw.chosen, m_preview->draw.number, text);
  }
  const bool beam = isBeam(session()->state(), m_sequence);
  if (stages == m_stages && rows == m_rows && beam == m_isOfBeam && drawn == m_drawn &&
      previewed == m_previewed && place == m_grammarPlace && expects == m_grammarExpects)
    return;
  beginResetModel();
  m_isOfBeam = beam;
  m_grammarPlace = place;
  m_grammarExpects = expects;
  m_stages = std::move(stages);
  m_rows = std::move(rows);
  m_drawn = std::move(drawn);
  m_previewed = std::move(previewed);
  endResetModel();
}

void SamplerModel::setPreview(SamplerPreview preview) {
  if (preview.sequence != m_sequence || preview.position != m_position || m_position < 0) return;
  m_preview = std::move(preview);
  update();
}

void SamplerModel::clearPreview() {
  if (!m_preview) return;
  m_preview.reset();
  update();
}

QString SamplerModel::stageTitle(int stage) const {
  return stage >= 0 && stage < stages() ? titleOf(m_stages[static_cast<std::size_t>(stage)].name) : QString();
}

bool SamplerModel::isMask(int stage) const {
  return stage >= 0 && stage < stages() && m_stages[static_cast<std::size_t>(stage)].name == kGrammar;
}

int SamplerModel::keptAt(int stage) const {
  return stage >= 0 && stage < stages() ? m_stages[static_cast<std::size_t>(stage)].kept : 0;
}

bool SamplerModel::stageChanges(int stage) const {
  return stage >= 0 && stage < stages() && m_stages[static_cast<std::size_t>(stage)].changes;
}

std::vector<StageColumn> SamplerModel::stageColumns(bool every, int most) const {
  std::vector<StageColumn> columns;
  std::size_t warmed = 0;  // the temperature's column; 0: it has none
  bool filters = false;    // the last column is that of top-k and top-p
  const auto behind = [&] { return columns.back().last + 1; };
  for (int stage = 0; stage < stages(); ++stage) {
    const QString& name = m_stages[static_cast<std::size_t>(stage)].name;
    const bool isFilter = isFilterName(name);
    if (every || stage == 0)
      columns.push_back({stageTitle(stage), stage, stage});
    else if (isFilter && filters)
      columns.back().last = stage;
    else if (isFilter)
      columns.push_back({tr("k, p"), stage, stage});
    else if (name == u"temperature")
      warmed = columns.size(), columns.push_back({tr("T"), stage, stage});
    else if (stageChanges(stage))
      columns.push_back({stageTitle(stage), stage, stage});
    filters = isFilter;
    const bool isNextFilter =
        stage + 1 < stages() && isFilterName(m_stages[static_cast<std::size_t>(stage) + 1].name);
    if (!every && name == u"temperature" && !isNextFilter) columns.push_back({tr("k, p"), behind(), stage});
  }
  if (every || warmed == 0 || static_cast<int>(columns.size()) <= most) return columns;
  const bool hasMore = columns.size() > warmed + 2;
  columns[warmed] = {hasMore ? tr("T, k, p, …") : tr("T, k, p"), columns[warmed].first, columns.back().last};
  columns.resize(warmed + 1);
  return columns;
}

// Columns: token, id, the stages, removed by, chosen.
QVariant SamplerModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole) return {};
  const SamplerRow& row = at(index.row());
  const int column = index.column();
  if (column == 0) return row.text;
  if (column == 1) return row.token >= 0 ? QVariant(row.token) : QVariant();
  if (column == stages() + 2) return row.removedAt >= 0 ? stageTitle(row.removedAt) : QString();
  if (column == stages() + 3) return choiceText(row);
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

#include "moc_sampler_model.cpp"
