#include "widgets/speculation/speculation_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vitrine/error.h"
#include "vitrine/place_name.h"
#include "widgets/session/draft_text.h"
#include "widgets/support/formats.h"
#include "widgets/support/token_ink.h"

namespace vitrine {
namespace {

constexpr int kDraftTokensBefore = 10;  // of the text that the draft continues

// A ratio to as many digits as it takes to tell it from 1.
QString ratio(double value) { return formatDecimal(value, std::abs(value - 1) < 0.095 ? 2 : 1); }

}  // namespace

double SpeculationModel::shareOf(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}
QString SpeculationModel::wholePercent(double share) { return tr("%1 %").arg(formatDecimal(share * 100, 0)); }

SpeculationModel::SpeculationModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  connect(session, &Session::selectionChanged, this, [this] { update(); });
  takeWhatIsThere();
  refresh();
}

void SpeculationModel::restart() {
  m_history = {};
  m_draftSteps.clear();
}

void SpeculationModel::take(const Event& event) {
  m_history.add(event);
  if (const auto* verified = bodyOf<DraftVerified>(event))
    m_draftSteps[verified->sequence].push_back(event.step);
  else if (const auto* finished = bodyOf<SequenceFinished>(event))
    if (const auto found = m_draftSteps.find(finished->sequence); found != m_draftSteps.end())
      found->second.shrink_to_fit();
}

void SpeculationModel::refresh() {
  const int step = session()->isLive() ? std::numeric_limits<int>::max() : judgedStep();
  m_figures = m_history.at(step);
  m_lastSteps = m_history.lastSteps(step, kLastSteps);
  findDraft();
  setRows(makeRows());
}

// The last step at the cursor whose drafts have been judged.
int SpeculationModel::judgedStep() const {
  const auto judges = [](const Event& event) { return isA<DraftVerified>(event); };
  return std::ranges::any_of(session()->stepEvents(), judges) ? session()->step() : session()->finishedStep();
}

// The newest step up to the cursor that verified a draft of the sequence; 0: none.
int SpeculationModel::draftStep(SequenceId sequence) const {
  const auto found = m_draftSteps.find(sequence);
  if (found == m_draftSteps.end()) return 0;
  const auto behind = std::ranges::upper_bound(found->second, judgedStep());
  return behind == found->second.begin() ? 0 : *std::prev(behind);
}

void SpeculationModel::findDraft() {
  m_draft = {};
  m_draft.sequence = session()->selectedSequence();
  if (m_draft.sequence == 0) return;
  readDraft(session()->stepEvents());
  const int step = draftStep(m_draft.sequence);
  if (m_draft.step != 0 || step == 0) return;
  try {
    readDraft(session()->recording().eventsOf(step));
  } catch (const EngineError&) {  // a part that the disk has lost cannot be shown; the session has said so
  }
}

void SpeculationModel::readDraft(EventBatch events) {
  const DraftProposed* proposed = nullptr;
  for (const Event& event : events) {
    const auto* draft = bodyOf<DraftProposed>(event);
    if (draft != nullptr && draft->sequence == m_draft.sequence) proposed = draft, m_draft.step = event.step;
    const auto* verified = bodyOf<DraftVerified>(event);
    if (verified == nullptr || verified->sequence != m_draft.sequence) continue;
    m_draft.step = event.step;
    return addTokens(events, *verified);
  }
  if (proposed == nullptr) return;
  m_draft.pending = true;
  DraftVerified unjudged{proposed->sequence, proposed->firstPosition, 0, {}};
  for (const TokenId token : proposed->tokens) {
    DraftJudgement judgement;
    judgement.token = token;
    judgement.verdict = DraftVerdict::kUndecided;
    unjudged.judgements.push_back(judgement);
  }
  addTokens(events, unjudged);
}

void SpeculationModel::addTokens(EventBatch events, const DraftVerified& verified) {
  const SequenceId sequence = m_draft.sequence;
  for (int at = std::max(0, verified.firstPosition - kDraftTokensBefore); at < verified.firstPosition; ++at)
    m_draft.before += session()->recordedText(sequence, at);
  const DraftTexts texts(events);
  for (std::size_t i = 0; i < verified.judgements.size(); ++i) {
    const DraftJudgement& judgement = verified.judgements[i];
    const int position = verified.firstPosition + static_cast<int>(i);
    TokenFate fate = TokenFate::kUnjudged;
    if (static_cast<int>(i) < verified.accepted)
      fate = TokenFate::kAccepted;
    else if (judgement.verdict != DraftVerdict::kUndecided)
      fate = TokenFate::kRejected;
    m_draft.tokens.push_back(
        {position, judgement.token, texts.textOf(sequence, position, judgement.token), fate, judgement});
  }
  const int own = verified.firstPosition + verified.accepted;
  for (const Event& event : events) {
    const auto* sampled = bodyOf<TokenSampled>(event);
    if (m_draft.pending || !sampled || sampled->sequence != sequence || sampled->position != own) continue;
    m_draft.tokens.push_back(
        {own, sampled->token, QString::fromStdString(inkOf(*sampled)), TokenFate::kModel, {}});
  }
}

SpeculationVerdict SpeculationModel::verdict() const {
  if (m_figures.drafts == 0)
    return m_figures.options.drafter == DraftMethod::kNone ? SpeculationVerdict::kOff
                                                           : SpeculationVerdict::kNoDraft;
  const std::optional<double> speedUp = m_figures.speedUp();
  if (!speedUp) return SpeculationVerdict::kNotMeasured;
  if (*speedUp >= 1) return SpeculationVerdict::kPays;
  const std::optional<double> needed = m_figures.breakEvenAcceptance();
  return needed && *needed > 1 ? SpeculationVerdict::kCannotPay : SpeculationVerdict::kDoesNotPay;
}

std::optional<double> SpeculationModel::keptTokens() const {
  const std::optional<double> speedUp = m_figures.speedUp(), cost = m_figures.relativeCost();
  return speedUp && cost ? std::optional(*speedUp * *cost) : std::nullopt;
}

// The words of SpeculationModel: its verdict, the rows of its table twin, tooltips and screen readers.

QString SpeculationModel::summary() const {
  const SpeculationOptions& options = m_figures.options;
  QString drafter;
  switch (options.drafter) {
    case DraftMethod::kNone:
      return tr("off");
    case DraftMethod::kEarlyExit:
      drafter = tr("own first %n layer(s)", nullptr, options.exitLayer);
      break;
    case DraftMethod::kModel:
      drafter = tr("draft model %1").arg(QString::fromStdString(placeName(options.draftModel)));
      break;
    case DraftMethod::kNgram:
      drafter = tr("n-grams of up to %n token(s)", nullptr, options.ngramLength);
      break;
  }
  const QString length =
      options.adaptive ? tr("up to K %1").arg(options.draftLength) : tr("K %1").arg(options.draftLength);
  return drafter + QStringLiteral(" · ") + length;
}

QString SpeculationModel::verdictText() const {
  switch (verdict()) {
    case SpeculationVerdict::kOff:
      return tr("This machine does not draft.");
    case SpeculationVerdict::kNoDraft:
      return tr("No draft has been verified yet.");
    case SpeculationVerdict::kNotMeasured:
      return tr("Not measured yet: there is no plain step with as many sequences to compare with.");
    case SpeculationVerdict::kPays:
      return tr("Speculation pays here: %1 times as fast.").arg(ratio(*m_figures.speedUp()));
    case SpeculationVerdict::kDoesNotPay:
      return tr("Speculation does not pay here: %1 times as fast.").arg(ratio(*m_figures.speedUp()));
    case SpeculationVerdict::kCannotPay:
      return tr("Speculation cannot pay here: %1 times as fast, and no acceptance would be enough.")
          .arg(ratio(*m_figures.speedUp()));
  }
  return {};
}

QString SpeculationModel::costText() const {
  switch (verdict()) {
    case SpeculationVerdict::kOff:
      return tr("Machine options has its drafters, on the page Speculation.");
    case SpeculationVerdict::kNoDraft:
      return tr("A draft begins with the first decoding step of a sequence.");
    case SpeculationVerdict::kNotMeasured:
      return tr("One decoding step in 64 is plain, so that there is a cost to compare with.");
    default:
      break;
  }
  const bool several = !m_figures.sizes.empty() && m_figures.sizes.rbegin()->first > 1;
  const QString kept = ratio(*keptTokens());
  const QString costs =
      tr("A drafted step costs %1 plain steps and keeps %2: %3×.")
          .arg(ratio(*m_figures.relativeCost()),
               several ? tr("%1 tokens of each sequence").arg(kept) : tr("%1 tokens").arg(kept),
               ratio(*m_figures.speedUp()));
  const bool breaksEven = m_figures.acceptance() >= m_figures.breakEvenAcceptance().value_or(2);
  if (verdict() != SpeculationVerdict::kDoesNotPay || !breaksEven) return costs;
  return costs + u' ' +
         tr("The acceptance is above the break-even, which counts drafts alone: sequences without a draft "
            "gain "
            "nothing.");
}

QString SpeculationModel::draftsText() const {
  if (m_figures.drafts == 0) return {};
  return tr("%n draft(s) · mean accepted length %1 · %2 of the judged tokens accepted", nullptr,
            static_cast<int>(m_figures.drafts))
      .arg(formatDecimal(m_figures.meanAcceptedLength(), 1), wholePercent(m_figures.acceptance()));
}

QString SpeculationModel::measuredText() const {
  int drafted = 0, plain = 0;
  for (const auto& [sequences, size] : m_figures.sizes) {
    if (size.plain.steps == 0 || size.drafted.steps == 0) continue;
    drafted += static_cast<int>(size.drafted.steps);
    plain += static_cast<int>(size.plain.steps);
  }
  if (drafted == 0) return {};
  return tr("Medians of %1 and %2 that only decode, with as many sequences.")
      .arg(tr("%n drafted step(s)", nullptr, drafted), tr("%n plain step(s)", nullptr, plain));
}

QString SpeculationModel::breakEvenText() const {
  const std::optional<double> needed = m_figures.breakEvenAcceptance();
  if (!needed) return {};
  const QString words =
      *needed > 1 ? tr("break-even above 100 %") : tr("break-even %1").arg(wholePercent(*needed));
  return QString(words).replace(QStringLiteral(" %"),
                                QStringLiteral("\u00a0%"));  // a line may break before it
}

QString SpeculationModel::draftTitle() const {
  if (m_draft.step == 0) return {};
  const QString letter = session()->names().letter(m_draft.sequence, session()->state());
  return m_draft.pending ? tr("Draft of %1 in this step, not verified yet").arg(letter)
                         : tr("Newest draft of %1, step %2").arg(letter).arg(m_draft.step);
}

QString SpeculationModel::lastStepsText() const {
  std::int64_t judged = 0, accepted = 0;
  for (const SpeculationHistory::Step& step : m_lastSteps) judged += step.judged, accepted += step.accepted;
  return tr("last %n drafted step(s): %1 accepted", nullptr, static_cast<int>(m_lastSteps.size()))
      .arg(wholePercent(shareOf(accepted, judged)));
}

QString SpeculationModel::fateText(const DraftToken& token) const {
  if (m_draft.pending) return tr("draft, not verified yet");
  const bool rejects = std::ranges::any_of(
      m_draft.tokens, [](const DraftToken& one) { return one.fate == TokenFate::kRejected; });
  return token.fate == TokenFate::kUnjudged && !rejects ? tr("draft, not judged: the answer ended before it")
                                                        : tokenFateText(token.fate);
}

QString SpeculationModel::describeToken(int index) const {
  if (index < 0 || index >= static_cast<int>(m_draft.tokens.size())) return {};
  const DraftToken& token = m_draft.tokens[static_cast<std::size_t>(index)];
  QStringList lines{tr("“%1”, position %2").arg(visibleToken(token.text), QString::number(token.position))};
  lines << fateText(token);
  const DraftJudgement& judgement = token.judgement;
  if (judgement.q > 0)
    lines << tr("probability %1 under the model, %2 under the drafter")
                 .arg(formatPercent(judgement.p), formatPercent(judgement.q));
  return lines.join(u'\n');
}

QString SpeculationModel::describePosition(int index) const {
  if (index < 0 || index >= static_cast<int>(m_figures.positions.size())) return {};
  const auto& [judged, accepted] = m_figures.positions[static_cast<std::size_t>(index)];
  return tr("Token %1 of a draft: %2 accepted, %3 of %n judged. It is judged when all before it were "
            "accepted.",
            nullptr, static_cast<int>(judged))
      .arg(index + 1)
      .arg(wholePercent(shareOf(accepted, judged)), formatCount(accepted));
}

QString SpeculationModel::describeStep(int index) const {
  if (index < 0 || index >= static_cast<int>(m_lastSteps.size())) return {};
  const SpeculationHistory::Step& step = m_lastSteps[static_cast<std::size_t>(index)];
  return tr("Step %1: %2 of %n draft token(s) accepted", nullptr, static_cast<int>(step.judged))
      .arg(step.step)
      .arg(step.accepted);
}

std::vector<SpeculationRow> SpeculationModel::makeRows() const {
  std::vector<SpeculationRow> rows{{tr("drafter"), summary(), -1, -1}};
  for (const DraftToken& token : m_draft.tokens)
    rows.push_back(
        {tr("step %1, position %2: %3").arg(m_draft.step).arg(token.position).arg(visibleToken(token.text)),
         fateText(token), -1, -1});
  for (std::size_t i = 0; i < m_figures.positions.size(); ++i) {
    const auto& [judged, accepted] = m_figures.positions[i];
    const double share = shareOf(accepted, judged);
    rows.push_back({tr("acceptance at position %1").arg(i + 1), formatPercent(share), share, judged});
  }
  addFigures(rows);
  return rows;
}

void SpeculationModel::addFigures(std::vector<SpeculationRow>& rows) const {
  if (m_figures.drafts == 0) return;
  std::int64_t judged = 0, drafted = 0;
  for (const SpeculationFigures::Position& position : m_figures.positions) judged += position.judged;
  for (const auto& [sequences, size] : m_figures.sizes)
    if (size.plain.steps > 0) drafted += size.drafted.steps;
  const auto percent = [&](const QString& name, double share) {
    rows.push_back({name, formatPercent(share), share, judged});
  };
  const auto measured = [&](const QString& name, std::optional<double> value) {
    if (value) rows.push_back({name, formatDecimal(*value, 2), *value, drafted});
  };
  percent(tr("acceptance"), m_figures.acceptance());
  rows.push_back({tr("mean accepted length"), formatDecimal(m_figures.meanAcceptedLength(), 2),
                  m_figures.meanAcceptedLength(), m_figures.drafts});
  if (const auto needed = m_figures.breakEvenAcceptance())
    rows.push_back({tr("break-even acceptance"), *needed > 1 ? tr("above 100 %") : formatPercent(*needed),
                    *needed, drafted});
  measured(tr("cost of a drafted step, in plain steps"), m_figures.relativeCost());
  measured(tr("tokens that it keeps of a sequence"), keptTokens());
  measured(tr("times as fast"), m_figures.speedUp());
}

const TableColumns& SpeculationModel::columns() const {
  using Row = SpeculationRow;
  static const ColumnsOf<SpeculationModel> kColumns = {
      {QT_TR_NOOP("Figure"), &Row::figure},
      {QT_TR_NOOP("Value"), &Row::value, [](const Row& row) { return cellIf(row.number >= 0, row.number); }},
      {QT_TR_NOOP("Counted"), [](const Row& row) { return cellIf(row.counted >= 0, row.counted); }},
  };
  return kColumns;
}

QVariant SpeculationModel::otherData(const QModelIndex& index, int role) const {
  const SpeculationRow& row = at(index.row());
  return role == Qt::AccessibleTextRole ? tr("%1: %2").arg(row.figure, row.value) : QVariant();
}

}  // namespace vitrine

#include "moc_speculation_model.cpp"
