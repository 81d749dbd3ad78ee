#include "widgets/sampler/uncertainty_model.h"

#include <algorithm>
#include <numbers>

#include "widgets/session/packed_bits.h"
#include "widgets/support/formats.h"

namespace vitrine {

UncertaintyModel::UncertaintyModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  connect(session, &Session::selectionChanged, this, [this] { update(); });
  takeWhatIsThere();
  refresh();
}

void UncertaintyModel::take(const Event& event) {
  if (const auto* sampled = bodyOf<TokenSampled>(event)) {
    Answer& answer = m_answers[sampled->sequence];
    if (answer.tokens.empty()) answer.firstPosition = sampled->position;
    if (sampled->position < answer.firstPosition) return;
    answer.tokens.resize(static_cast<std::size_t>(sampled->position - answer.firstPosition));
    answer.tokens.push_back(
        {event.step, packedBits(-sampled->logprob / std::numbers::ln2),
         sampled->entropy < 0 ? kBitsUnknown : packedBits(static_cast<double>(sampled->entropy))});
  } else if (const auto* finished = bodyOf<SequenceFinished>(event)) {
    if (const auto found = m_answers.find(finished->sequence); found != m_answers.end())
      found->second.tokens.shrink_to_fit();
  }
}

void UncertaintyModel::refresh() {
  m_sequence = session()->selectedSequence();
  const auto& sequences = session()->state().sequences;
  const auto shown = sequences.find(m_sequence);
  const auto answer = m_answers.find(m_sequence);
  std::vector<UncertaintyRow> rows;
  if (shown != sequences.end() && answer != m_answers.end()) {
    const std::vector<TokenId>& tokens = shown->second.tokens;
    const auto first = static_cast<std::size_t>(answer->second.firstPosition);
    const std::size_t end = std::min(tokens.size(), first + answer->second.tokens.size());
    for (std::size_t position = first; position < end; ++position) {
      const Sampled& sampled = answer->second.tokens[position - first];
      rows.push_back({static_cast<int>(position), sampled.step, tokens[position],
                      unpackedBits(sampled.surprise), unpackedBits(sampled.entropy),
                      sampled.step == session()->step()});
    }
  }
  m_mostBits = 1;
  for (const UncertaintyRow& row : rows) m_mostBits = std::max({m_mostBits, row.surprise, row.entropy});
  setRows(std::move(rows));
}

double UncertaintyModel::entropyAt(int position) const {
  const auto row = std::ranges::find(rows(), position, &UncertaintyRow::position);
  return row == rows().end() ? -1 : static_cast<double>(row->entropy);
}

QString UncertaintyModel::textAt(int row) const {
  const UncertaintyRow& token = at(row);
  const QString text = session()->recordedText(m_sequence, token.position);
  return text.isEmpty() ? QStringLiteral("#%1").arg(token.token) : visibleToken(text);
}

QString UncertaintyModel::describe(int row) const {
  const UncertaintyRow& token = at(row);
  const QString surprise = tr("Token %1, “%2”: %3 bits of surprise")
                               .arg(token.position)
                               .arg(textAt(row), formatDecimal(static_cast<double>(token.surprise), 1));
  return token.entropy < 0 ? tr("%1; the entropy was not measured").arg(surprise)
                           : tr("%1, and %2 were to be expected, the entropy of the model's distribution")
                                 .arg(surprise, formatDecimal(static_cast<double>(token.entropy), 1));
}

const TableColumns& UncertaintyModel::columns() const {
  using Row = UncertaintyRow;
  static const ColumnsOf<UncertaintyModel> kColumns = {
      {QT_TR_NOOP("Position"), &Row::position},
      {QT_TR_NOOP("Text"), &UncertaintyModel::textAt},
      {QT_TR_NOOP("Step"), &Row::step},
      {QT_TR_NOOP("Surprise in bits"), [](const Row& row) { return formatDecimal(double{row.surprise}, 2); }},
      {QT_TR_NOOP("Entropy in bits"),
       [](const Row& row) { return cellIf(row.entropy >= 0, formatDecimal(double{row.entropy}, 2)); }},
  };
  return kColumns;
}

}  // namespace vitrine

#include "moc_uncertainty_model.cpp"
