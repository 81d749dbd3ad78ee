#include "widgets/layers/exits_model.h"

#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"

namespace vitrine {

InsideOptions ExitsModel::optionsFor(int tokens) const {
  return {.exitTop = kTop, .exitsFrom = std::max(0, tokens - kPositions)};
}

void ExitsModel::reportChanged() {
  beginResetModel();
  m_texts.clear();
  m_differences.clear();
  m_exits = report() ? static_cast<int>(report()->exits.size()) : 0;
  m_tokens = m_exits > 0 ? static_cast<int>(report()->exits.front().size()) : 0;
  m_first = reported().tokens - m_tokens;
  if (report())
    for (const auto& [token, piece] : report()->pieces) m_texts[token] = visibleToken(piece);
  endResetModel();
}

const std::vector<ExitGuess>& ExitsModel::guesses(int row, int column) const {
  return report()->exits[static_cast<std::size_t>(exitOf(row))][static_cast<std::size_t>(column)];
}

QString ExitsModel::textOf(TokenId token) const {
  const auto found = m_texts.find(token);
  return found == m_texts.end() || found->second.isEmpty() ? QStringLiteral("#%1").arg(token) : found->second;
}

ExitCell ExitsModel::cell(int row, int column) const {
  const std::vector<ExitGuess>&best = guesses(row, column), &model = guesses(0, column);
  const auto position = static_cast<std::size_t>(positionOf(column));
  const float norm = report()->norms[static_cast<std::size_t>(exitOf(row))][position];
  if (best.empty()) return {.text = tr("not a number"), .norm = norm};
  return {textOf(best[0].token), std::exp(best[0].logprob), !model.empty() && best[0].token == model[0].token,
          norm};
}

QString ExitCell::percent() const { return probability > 0 ? formatPercent(probability) : QString(); }

float ExitsModel::largestNorm(int column) const {
  float most = 0;
  for (const auto& layer : report()->norms)
    most = std::max(most, layer[static_cast<std::size_t>(positionOf(column))]);
  return most;
}

QString ExitsModel::exitName(int row) const {
  const int exit = exitOf(row);
  const auto& engine = session()->engine();
  if (row == 0) return tr("%1 model").arg(exit);
  if (exit == 0) return tr("0 embeddings");
  const bool drafts = engine && engine->options.speculation.drafter == DraftMethod::kEarlyExit &&
                      engine->options.speculation.exitLayer == exit;
  return drafts ? tr("%1 drafts").arg(exit) : QString::number(exit);
}

QString ExitsModel::sampledAt(int column) const {
  const auto found = session()->state().sequences.find(reported().sequence);
  const int next = positionOf(column) + 1;
  if (found == session()->state().sequences.end() || next >= static_cast<int>(found->second.tokens.size()))
    return {};
  return tokenText(next);
}

QString ExitsModel::describe(int row, int column) const {
  const int exit = exitOf(row);
  QStringList lines{
      tr("Behind “%1”, position %2:").arg(tokenText(positionOf(column))).arg(positionOf(column))};
  lines << (row == 0    ? tr("the model says")
            : exit == 0 ? tr("the embeddings alone would say")
                        : tr("after layer %1 the model would say").arg(exit));
  for (const ExitGuess& guess : guesses(row, column))
    lines << tr("%1 %2").arg(textOf(guess.token), formatPercent(std::exp(guess.logprob)));
  lines << tr("Norm of the hidden state: %1").arg(formatDecimal(double{cell(row, column).norm}, 1));
  if (const QString sampled = sampledAt(column); !sampled.isEmpty())
    lines << tr("The sequence goes on with “%1”.").arg(sampled);
  if (!m_differences.empty())
    lines << tr("Largest difference of the layer from libtorch's: %1")
                 .arg(m_differences[static_cast<std::size_t>(exit)], 0, 'g', 2);
  return lines.join(u'\n');
}

void ExitsModel::setDifferences(std::vector<double> differences) {
  if (static_cast<int>(differences.size()) != m_exits) differences.clear();
  m_differences = std::move(differences);
  emit refreshed();
}

QVariant ExitsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (index.column() == 0)
    return role == Qt::DisplayRole || role == Qt::EditRole ? exitName(index.row()) : QVariant();
  const int column = index.column() - 1;
  if (role == Qt::ToolTipRole) return plainTip(describe(index.row(), column));
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  const ExitCell shown = cell(index.row(), column);
  return tr("%1 %2").arg(shown.text, shown.percent()).trimmed();
}

QVariant ExitsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::EditRole))
    return SessionModel::headerData(section, orientation, role);
  if (section == 0) return tr("After layer");
  return tr("%1 %2").arg(positionOf(section - 1)).arg(tokenText(positionOf(section - 1)));
}

}  // namespace vitrine

#include "moc_exits_model.cpp"
