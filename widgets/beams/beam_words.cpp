// The words of BeamTreeModel: for boxes, tooltips, its table twin and screen readers.
#include <utility>

#include "widgets/beams/beam_tree_model.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

constexpr int kDigits = 2, kTableDigits = 4, kMostDigits = 6;

QString number(double value) { return formatDecimal(value, kDigits); }

// Two numbers with as many digits as tell them apart.
std::pair<QString, QString> apart(double one, double other) {
  for (int digits = kDigits;; ++digits) {
    const std::pair texts{formatDecimal(one, digits), formatDecimal(other, digits)};
    if (texts.first != texts.second || digits == kMostDigits) return texts;
  }
}

}  // namespace

QString BeamTreeModel::summary() const {
  const Search* const shown = search();
  if (shown == nullptr || m_rows == 0) return {};
  const QString width = tr("%1 · width %2").arg(requestLetter(m_request)).arg(shown->width);
  return shown->lengthPenalty
             ? tr("%1 · length penalty %2").arg(width, formatDecimal(*shown->lengthPenalty, 1))
             : width;
}

QString BeamTreeModel::textOf(int node) const {
  const BeamNode& one = m_tree.at(node);
  if (node > 0) {
    if (!one.recorded) return QStringLiteral("…");
    return one.text.isEmpty() ? QStringLiteral("#%1").arg(one.token) : visibleToken(one.text);
  }
  const auto request = session()->state().requests.find(m_request);
  if (request == session()->state().requests.end()) return tr("prompt");
  const SequenceId first = request->second.sequences.front();
  const auto sequence = session()->state().sequences.find(first);
  const QString last = sequence == session()->state().sequences.end()
                           ? QString()
                           : session()->tokenText(first, sequence->second.promptTokens - 1);
  return last.isEmpty() ? tr("prompt") : visibleToken(last);
}

QString BeamTreeModel::fateWord(int node) const {
  const BeamNode& one = m_tree.at(node);
  if (node == 0) return tr("prompt");
  if (node == m_tree.best()) return tr("best");
  switch (one.fate) {
    case BeamFate::kKept:
      return one.alive ? QString() : tr("ended");
    case BeamFate::kFinished:
      return one.place > 0 ? tr("rank %1").arg(one.place) : tr("beaten");
    case BeamFate::kWorse:
      return tr("worse");
    case BeamFate::kTooLow:
      return tr("too low");
    case BeamFate::kPruned:
      return tr("pruned");
  }
  return {};
}

// Of a continuation that is neither a beam nor a hypothesis.
QString BeamTreeModel::whyNotKept(int node) const {
  const BeamNode& one = m_tree.at(node);
  const BeamColumn& column = m_tree.columnOf(node);
  if (one.fate == BeamFate::kWorse)
    return tr("worse: complete with score %1, the worst of the %n hypothesis(es) has %2", nullptr,
              column.finished)
        .arg(number(one.score), number(column.worstFinished));
  if (one.fate == BeamFate::kTooLow)
    return tr("too low: complete, but at place %1, and only the first %n continuation(s) count", nullptr,
              m_tree.width())
        .arg(one.rank + 1);
  if (column.kept == 0) return tr("pruned: the search ended with this step");
  const auto [own, lastKept] = apart(one.score, column.lastKept);
  return tr("pruned: score %1, the last kept one has %2").arg(own, lastKept);
}

// Of a beam that was kept and is none any more: in which step, and what the others had.
QString BeamTreeModel::whyEnded(int node) const {
  const int last = m_tree.endColumnOf(node);
  const BeamColumn& column = m_tree.columns()[static_cast<std::size_t>(last)];
  if (last > m_tree.columnIndexOf(node) + 1)
    return tr("kept; the last beam that continued it ended in step %1").arg(column.step);
  const QString ended = tr("kept, but none of its continuations was in step %1").arg(column.step);
  for (int i = column.first; i < column.end && column.kept > 0; ++i) {
    const BeamNode& one = m_tree.at(i);
    if (one.parent != node || one.fate != BeamFate::kPruned) continue;
    const auto [own, lastKept] = apart(one.score, column.lastKept);
    return tr("%1: the best of them has score %2, the last kept one %3").arg(ended, own, lastKept);
  }
  return column.kept == 0 ? ended
                          : tr("%1, whose last kept one has score %2").arg(ended, number(column.lastKept));
}

QString BeamTreeModel::whyOf(int node) const {
  const BeamNode& one = m_tree.at(node);
  if (node == 0) return tr("all answers continue it");
  if (!one.recorded) return tr("the tokens up to here are from before the recording began");
  if (one.fate == BeamFate::kFinished) {
    if (one.place == 0)
      return tr("finished as hypothesis %1; better ones have pushed it out").arg(one.hypothesis);
    const QString rank = tr("finished: hypothesis %1, rank %2 of %3")
                             .arg(one.hypothesis)
                             .arg(one.place)
                             .arg(m_tree.numHypotheses());
    const SequenceId answer = chosenFor(one.hypothesis);
    return answer == 0
               ? rank
               : tr("%1; the answer of %2").arg(rank, session()->names().letter(answer, session()->state()));
  }
  if (one.fate != BeamFate::kKept) return whyNotKept(node);
  if (!one.alive) return whyEnded(node);
  const QString by = session()->names().letter(sequenceOf(node), session()->state());
  if (node == m_tree.best()) return tr("kept: the best beam, carried on by %1").arg(by);
  return one.leaf ? tr("kept: a beam, carried on by %1").arg(by) : tr("kept: %1 continues it").arg(by);
}

QString BeamTreeModel::endOf(const BeamColumn& column) const {
  switch (column.verdict) {
    case BeamEnd::kNone:
      return {};
    case BeamEnd::kEnough:
      return tr("the search ends: it has as many hypotheses as beams");
    case BeamEnd::kNoImprovement:
      return tr("the search ends: the best beam can reach %1, the worst hypothesis has %2")
          .arg(number(column.bestPossible), number(column.worstFinished));
    case BeamEnd::kNothingLeft:
      return tr("the search ends: all continuations are complete");
  }
  return {};
}

QString BeamTreeModel::describe(int node) const {
  if (node < 0 || node >= m_rows) return {};
  const BeamNode& one = m_tree.at(node);
  QStringList lines;
  if (node == 0)
    lines << tr("The prompt, up to “%1”").arg(textOf(0));
  else
    lines << tr("“%1”, token %2 of the answer").arg(textOf(node)).arg(one.length);
  if (node > 0 && one.recorded)
    lines << tr("logprob %1, sum %2, score %3")
                 .arg(number(one.logprob), number(one.cumulative), number(one.score));
  lines << whyOf(node);
  if (node > 0 && m_tree.columnOf(node).step > 0) lines << tr("step %1").arg(m_tree.columnOf(node).step);
  return lines.join(u'\n');
}

QString BeamTreeModel::describeStep(int col) const {
  if (col <= 0 || col >= static_cast<int>(m_tree.columns().size())) return {};
  const BeamColumn& column = m_tree.columns()[static_cast<std::size_t>(col)];
  if (column.step == 0) return tr("token %1: from before the recording began").arg(column.length);
  QStringList lines{
      tr("token %1, chosen in step %2").arg(column.length).arg(column.step),
      tr("%n continuation(s), %1 kept", nullptr, column.end - column.first + column.left).arg(column.kept)};
  if (column.left > 0) lines << tr("%n worse continuation(s) not shown", nullptr, column.left);
  if (column.finished > 0) lines << tr("%n hypothesis(es) so far", nullptr, column.finished);
  if (const QString end = endOf(column); !end.isEmpty()) lines << end;
  return lines.join(u'\n');
}

const TableColumns& BeamTreeModel::columns() const {
  using Model = BeamTreeModel;
  // What the event says of a node; empty for the prompt and for tokens that are not recorded.
  const auto told = [](auto of) {
    return [of](const BeamNode& one) { return cellIf(one.length > 0 && one.recorded, of(one)); };
  };
  const auto score = [&](double BeamNode::*of) {
    return told([of](const BeamNode& one) { return formatDecimal(one.*of, kTableDigits); });
  };
  static const ColumnsOf<Model> kColumns = {
      {QT_TR_NOOP("Node"), [](const Model&, int node) { return node; }},
      {QT_TR_NOOP("Length"), &BeamNode::length},
      {QT_TR_NOOP("Token"), told([](const BeamNode& one) { return one.token; })},
      {QT_TR_NOOP("Text"), &Model::textOf},
      {QT_TR_NOOP("Continues node"), [](const BeamNode& one) { return cellIf(one.parent >= 0, one.parent); }},
      {QT_TR_NOOP("Logprob"), score(&BeamNode::logprob)},
      {QT_TR_NOOP("Sum of logprobs"), score(&BeamNode::cumulative)},
      {QT_TR_NOOP("Score"), score(&BeamNode::score)},
      {QT_TR_NOOP("Fate"),
       [](const Model& model, int node) {
         const QString word = model.fateWord(node);
         return word.isEmpty() ? tr("kept") : word;
       }},
      {QT_TR_NOOP("Rank"), [](const BeamNode& one) { return cellIf(one.place > 0, one.place); }},
      {QT_TR_NOOP("Sequence"),
       [](const Model& model, int node) {
         const SequenceId sequence = model.sequenceOf(node);
         const Session& session = *model.session();
         return sequence == 0 ? QString() : session.names().letter(sequence, session.state());
       }},
      {QT_TR_NOOP("Step"),
       [](const Model& model, int node) {
         const BeamNode& one = model.at(node);
         return cellIf(one.length > 0 && one.recorded, model.tree().columnOf(node).step);
       }},
  };
  return kColumns;
}

QVariant BeamTreeModel::otherData(const QModelIndex& index, int role) const {
  if (role == Qt::ToolTipRole) return describe(index.row());
  return role == Qt::AccessibleTextRole ? inOneLine(describe(index.row())) : QVariant();
}

}  // namespace vitrine
