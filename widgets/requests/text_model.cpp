#include "widgets/requests/text_model.h"

#include <algorithm>
#include <numbers>

#include "widgets/session/draft_text.h"
#include "widgets/session/packed_bits.h"
#include "widgets/support/formats.h"

namespace vitrine {

TextModel::TextModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  connect(session, &Session::selectionChanged, this, [this] { update(); });
  takeWhatIsThere();
  refresh();
}

void TextModel::restart() {
  m_answers.clear();
  m_beamSteps.clear();
  m_beamPieces.clear();
  m_sequence = 0;
}

void TextModel::take(const Event& event) {
  if (const auto* sampled = bodyOf<TokenSampled>(event)) {
    Answer& answer = m_answers[sampled->sequence];
    if (answer.tokens.empty()) answer.firstPosition = sampled->position;
    if (sampled->position < answer.firstPosition) return;
    TokenFate fate = TokenFate::kSampled;
    if (answer.draftStep == event.step && event.step > 0)
      fate = sampled->position < answer.draftEnd ? TokenFate::kAccepted : TokenFate::kModel;
    answer.tokens.resize(static_cast<std::size_t>(sampled->position - answer.firstPosition));
    answer.tokens.push_back({event.step, packedBits(-sampled->logprob / std::numbers::ln2), fate});
  } else if (const auto* verified = bodyOf<DraftVerified>(event)) {
    Answer& answer = m_answers[verified->sequence];
    answer.draftStep = event.step;
    answer.draftEnd = verified->firstPosition + verified->accepted;
  } else if (const auto* beams = bodyOf<BeamStep>(event)) {
    m_beamSteps[beams->request].push_back(event.step);
    for (const BeamCandidate& candidate : beams->candidates)
      if (candidate.fate == BeamFate::kKept || candidate.fate == BeamFate::kFinished)
        m_beamPieces[candidate.token] = QString::fromStdString(candidate.piece);
  } else if (const auto* finished = bodyOf<SequenceFinished>(event)) {
    if (const auto found = m_answers.find(finished->sequence); found != m_answers.end())
      found->second.tokens.shrink_to_fit();
  }
}

void TextModel::refresh() {
  const MachineState& state = session()->state();
  const auto found = state.sequences.find(session()->selectedSequence());
  std::vector<TextRow> rows;
  m_promptTokens = 0;
  if (found != state.sequences.end()) {
    const SequenceState& sequence = found->second;
    const bool known = std::exchange(m_sequence, sequence.id) == sequence.id;
    m_promptTokens = sequence.promptTokens;
    rows.reserve(sequence.tokens.size());
    for (int position = 0; position < static_cast<int>(sequence.tokens.size()); ++position) {
      TextRow row = rowAt(sequence, position);
      const auto place = static_cast<std::size_t>(position);
      const TextRow* before = known && place < this->rows().size() ? &this->rows()[place] : nullptr;
      const bool same =
          before && before->token == row.token && before->position == position && !before->isDraftGone();
      row.text = same ? before->text : textAt(sequence, position);  // long texts are not made anew
      rows.push_back(std::move(row));
    }
    markComputed(sequence, rows);
    addRejected(sequence, rows);
  }
  setRows(std::move(rows));
}

TextRow TextModel::rowAt(const SequenceState& sequence, int position) const {
  TextRow row;
  row.position = position;
  row.token = sequence.tokens[static_cast<std::size_t>(position)];
  row.surprise = -1;
  if (position < sequence.promptTokens) return row;
  row.fate = TokenFate::kSampled;
  const auto answer = m_answers.find(sequence.id);
  if (answer != m_answers.end() && position >= answer->second.firstPosition) {
    const auto place = static_cast<std::size_t>(position - answer->second.firstPosition);
    if (place < answer->second.tokens.size()) {
      const Sampled& sampled = answer->second.tokens[place];
      row.step = sampled.step;
      row.fate = sampled.fate;
      row.surprise = unpackedBits(sampled.surprise);
    }
  } else if (const auto beams = m_beamSteps.find(sequence.request); beams != m_beamSteps.end()) {
    const auto place = static_cast<std::size_t>(position - sequence.promptTokens);
    if (place < beams->second.size()) row.step = beams->second[place];
  }
  row.now = row.step > 0 && row.step == session()->step();
  return row;
}

QString TextModel::textAt(const SequenceState& sequence, int position) const {
  const QString text = session()->recordedText(sequence.id, position);
  if (!text.isEmpty()) return text;
  const auto answer = m_answers.find(sequence.id);
  const bool isSampled = position >= sequence.promptTokens && answer != m_answers.end() &&
                         position >= answer->second.firstPosition;
  if (isSampled) return text;  // a part of a character, or the end of the answer
  const TokenId token = sequence.tokens[static_cast<std::size_t>(position)];
  const bool isBeams = position >= sequence.promptTokens && m_beamSteps.contains(sequence.request);
  const auto piece = isBeams ? m_beamPieces.find(token) : m_beamPieces.end();
  return piece == m_beamPieces.end() ? QStringLiteral("#%1").arg(token) : piece->second;
}

void TextModel::markComputed(const SequenceState& sequence, std::vector<TextRow>& rows) const {
  for (const Event& event : session()->stepEvents()) {
    const auto* work = bodyOf<SequenceScheduled>(event);
    if (!work || work->sequence != sequence.id || work->kind != WorkKind::kPrefill) continue;
    const int end = std::min(work->firstPosition + work->tokens, static_cast<int>(rows.size()));
    for (int i = work->firstPosition; i < end; ++i) rows[static_cast<std::size_t>(i)].computed = true;
  }
}

void TextModel::addRejected(const SequenceState& sequence, std::vector<TextRow>& rows) const {
  for (const Event& event : session()->stepEvents()) {
    const auto* verified = bodyOf<DraftVerified>(event);
    if (!verified || verified->sequence != sequence.id || event.step != session()->step()) continue;
    std::vector<TextRow> gone;
    const DraftTexts texts(session()->stepEvents());
    for (std::size_t i = static_cast<std::size_t>(verified->accepted); i < verified->judgements.size(); ++i) {
      const DraftJudgement& judgement = verified->judgements[i];
      TextRow row;
      row.position = verified->firstPosition + static_cast<int>(i);
      row.token = judgement.token;
      row.text = texts.textOf(sequence.id, row.position, row.token);
      row.step = event.step;
      row.surprise = -1;
      row.fate = judgement.verdict == DraftVerdict::kUndecided ? TokenFate::kUnjudged : TokenFate::kRejected;
      row.now = true;
      gone.push_back(std::move(row));
    }
    const auto at =
        std::min(static_cast<std::size_t>(verified->firstPosition + verified->accepted), rows.size());
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(at), gone.begin(), gone.end());
    return;
  }
}

// The words of TextModel: for its table twin, tooltips and screen readers.

QString TextModel::summary() const {
  const MachineState& state = session()->state();
  const auto found = state.sequences.find(session()->selectedSequence());
  if (found == state.sequences.end()) return {};
  const SequenceState& sequence = found->second;
  const auto request = state.requests.find(sequence.request);
  const int answer = static_cast<int>(sequence.tokens.size()) - sequence.promptTokens;
  const int most = request == state.requests.end() ? answer : request->second.maxTokens;
  return tr("%1 · %n prompt token(s) · %2 of %3", nullptr, sequence.promptTokens)
      .arg(session()->names().letter(sequence.id, state))
      .arg(answer)
      .arg(most);
}

QString TextModel::plainText() const {
  QString text;
  for (const TextRow& row : rows())
    if (!row.isDraftGone()) text += row.text;
  return text;
}

QString TextModel::describe(int index) const {
  if (index < 0 || index >= rowCount()) return {};
  const TextRow& row = at(index);
  QStringList lines{tr("“%1”, position %2").arg(visibleToken(row.text), QString::number(row.position)),
                    tokenFateText(row.fate)};
  if (row.fate != TokenFate::kPrompt && row.step > 0) lines << tr("step %1").arg(row.step);
  if (row.surprise >= 0)
    lines << tr("surprise %1 bits").arg(formatDecimal(static_cast<double>(row.surprise), 2));
  if (row.computed) lines << tr("computed in this step");
  return lines.join(u'\n');
}

const TableColumns& TextModel::columns() const {
  using Row = TextRow;
  static const ColumnsOf<TextModel> kColumns = {
      {QT_TR_NOOP("Position"), &Row::position},
      {QT_TR_NOOP("Token"), &Row::token},
      {QT_TR_NOOP("Text"), [](const Row& row) { return visibleToken(row.text); }},
      {QT_TR_NOOP("Step"), [](const Row& row) { return cellIf(row.step > 0, row.step); }},
      {QT_TR_NOOP("Surprise in bits"),
       [](const Row& row) { return cellIf(row.surprise >= 0, formatDecimal(double{row.surprise}, 2)); }},
      {QT_TR_NOOP("Fate"), [](const Row& row) { return tokenFateText(row.fate); }},
  };
  return kColumns;
}

QVariant TextModel::otherData(const QModelIndex& index, int role) const {
  return role == Qt::AccessibleTextRole ? inOneLine(describe(index.row())) : QVariant();
}

}  // namespace vitrine

#include "moc_text_model.cpp"
