#include "widgets/explain/why_model.h"

#include <algorithm>

#include "vitrine/prose/headline.h"
#include "vitrine/step_rate.h"
#include "widgets/support/formats.h"
#include "widgets/support/window_language.h"

namespace vitrine {
namespace {

std::vector<WhyRule> rulesOf(const prose::WhyRow& row) {
  std::vector<WhyRule> rules;
  for (const prose::Rule& rule : row.rules)
    rules.push_back({QString::fromStdString(rule.text), rule.decision});
  return rules;
}

QString textOf(const std::vector<WhyRule>& rules) {
  QStringList texts;
  for (const WhyRule& rule : rules) texts << rule.text;
  return texts.join(u'\n');
}

constexpr int kInStep = -2;  // a section: that of the event's phase

// What an event is about, as far as a row may be told by it.
BreakHit subjectsOf(const Event& event) {
  BreakHit hit;
  std::visit(
      [&hit](const auto& boxed) {
        const auto& body = unboxed(boxed);
        if constexpr (requires { body.sequence; }) hit.sequence = body.sequence;
        if constexpr (requires { body.block; }) hit.block = body.block;
      },
      event.body);
  return hit;
}

bool haveOneInCommon(const std::vector<BlockId>& a, const std::vector<BlockId>& b) {
  return std::ranges::find_first_of(a, b) != a.end();
}

}  // namespace

WhyModel::WhyModel(Session* session, QObject* parent) : RowsModel(session, parent) { refresh(); }

void WhyModel::refresh() {
  const MachineState& state = session()->state();
  const SequenceNames& names = session()->names();
  std::vector<WhyRow> rows;
  for (const prose::WhyRow& row :
       prose::explainStep(session()->stepEvents(), state, session()->proseNames(), windowLanguage())) {
    rows.push_back({row.section, row.sequence, names.requestOf(row.sequence, state),
                    row.sequence == 0 ? QString() : names.letter(row.sequence, state),
                    QString::fromStdString(row.text), row.warning,
                    sentenceLinks(row.text, row.links, *session()), row.blocks, rulesOf(row)});
  }
  setRows(std::move(rows));
  const std::int64_t headline = prose::headlineEvent(session()->stepEvents(), state);
  m_headline = headline < 0 ? -1 : rowOf(headline);
}

// What happened to its sequence in the step shown; the blocks where it names some.
prose::Target WhyModel::about(int index) const {
  const WhyRow& row = at(index);
  prose::Target target{.request = row.request, .sequence = row.sequence, .blocks = row.blocks};
  const bool isInStep = row.section != WhyRow::kBefore && row.section != WhyRow::kAfter;
  if (row.sequence != 0 && isInStep) target.step = session()->step();
  if (row.sequence == 0 && row.blocks.empty() && row.links.size() == 1) target = row.links.front().target;
  return target;
}

// A lane's cell of another step, and its blocks of another sequence, are nothing that it speaks of.
bool WhyModel::speaksOf(int index, const prose::Target& target) const {
  const WhyRow& row = at(index);
  const auto links = [&](auto match) {
    return std::ranges::any_of(row.links, [&](const SentenceLink& link) { return match(link.target); });
  };
  if (!target.blocks.empty())
    return haveOneInCommon(row.blocks, target.blocks) ||
           links([&](const auto& one) { return haveOneInCommon(one.blocks, target.blocks); });
  if (target.sequence == 0 && target.request == 0)
    return target.step != 0 && links([&](const auto& one) { return one.step == target.step; });
  if (target.step != 0 && target.step != session()->step()) return false;
  if (target.sequence == 0)
    return row.request == target.request ||
           links([&](const auto& one) { return one.request == target.request; });
  if (target.position >= 0)
    return links(
        [&](const auto& one) { return one.sequence == target.sequence && one.position == target.position; });
  return row.sequence == target.sequence ||
         links([&](const auto& one) { return one.sequence == target.sequence; });
}

int WhyModel::rowOf(int section, const BreakHit& hit, Told how) const {
  int best = -1, most = 0;
  for (int i = 0; i < rowCount(); ++i) {
    const WhyRow& row = at(i);
    if (row.section != section) continue;
    const bool ofSequence = hit.sequence != 0 && row.sequence == hit.sequence;
    const bool ofBlock = hit.block >= 0 && speaksOf(i, {.blocks = {hit.block}});
    const bool names = how == Told::kAmongOthers && hit.sequence != 0 &&
                       std::ranges::any_of(row.links, [&](const SentenceLink& link) {
                         return link.target.sequence == hit.sequence;
                       });
    // A preemption or a wait is a warning, and what else is said of its sequence is not.
    const int points =
        (ofSequence ? 8 : 0) + (ofBlock ? 4 : 0) + (ofSequence && row.warning ? 2 : 0) + (names ? 1 : 0);
    if (points > most) most = points, best = i;
  }
  return best;
}

int WhyModel::rowOf(std::int64_t number) const {
  int section = WhyRow::kBefore;
  for (const Event& event : session()->stepEvents()) {
    if (event.number == number)
      return rowOf(section == kInStep ? static_cast<int>(event.phase) : section, subjectsOf(event),
                   Told::kAmongOthers);
    if (std::holds_alternative<StepStarted>(event.body)) section = kInStep;
    if (std::holds_alternative<StepFinished>(event.body)) section = WhyRow::kAfter;
  }
  return -1;
}

QString WhyModel::sectionName(int section) {
  if (section == WhyRow::kBefore) return tr("Before the step");
  return section == WhyRow::kAfter ? tr("After the step") : phaseName(static_cast<Phase>(section));
}

QString WhyModel::summary() const {
  const int step = session()->step();
  if (step == 0) return {};
  for (const Event& event : session()->stepEvents())
    if (const auto* finished = std::get_if<StepFinished>(&event.body);
        finished != nullptr && !session()->state().isFromOutside())
      return tr("step %1 · %2").arg(QString::number(step), formatDuration(phasesNs(*finished)));
  return tr("step %1").arg(step);
}

int WhyModel::firstOfSection(int row) const {
  while (row > 0 && at(row - 1).section == at(row).section) --row;
  return row;
}

QString WhyModel::title() const {
  const int step = session()->step();
  if (step == 0) return tr("Before the first step");
  Phase reached = Phase::kAdmit;
  for (const Event& event : session()->stepEvents()) {
    reached = event.phase;
    const auto* finished = std::get_if<StepFinished>(&event.body);
    if (!finished) continue;
    if (session()->state().isFromOutside())
      return tr("Step %1: %n token(s) came", nullptr, finished->sampled).arg(step);
    return tr("Step %1: %2 computed, %3 sampled, in %4")
        .arg(step)
        .arg(tr("%n token(s)", nullptr, finished->tokens))
        .arg(finished->sampled)
        .arg(formatDuration(phasesNs(*finished)));
  }
  return tr("Step %1 in progress, up to %2").arg(QString::number(step), phaseName(reached));
}

const TableColumns& WhyModel::columns() const {
  static const ColumnsOf<WhyModel> kColumns = {
      {QT_TR_NOOP("Phase"), [](const WhyRow& row) { return sectionName(row.section); }},
      {QT_TR_NOOP("Sequence"), &WhyRow::letter},
      {QT_TR_NOOP("What happened, and why"), &WhyRow::text},
      {QT_TR_NOOP("Rule"), [](const WhyRow& row) { return textOf(row.rules); }},
  };
  return kColumns;
}

QVariant WhyModel::otherData(const QModelIndex& index, int role) const {
  const WhyRow& row = at(index.row());
  if (role == Qt::AccessibleDescriptionRole) return textOf(row.rules);
  return role == Qt::AccessibleTextRole ? tr("%1: %2").arg(sectionName(row.section), row.text) : QVariant();
}

}  // namespace vitrine

#include "moc_why_model.cpp"
