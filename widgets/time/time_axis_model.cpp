#include "widgets/time/time_axis_model.h"

#include <bit>

#include "widgets/support/formats.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/breakpoint_list.h"

namespace vitrine {
namespace {

std::uint8_t bitOf(StepMark mark) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(mark)); }

StepMark markFor(const Event& event) {
  if (isA<SequencePreempted>(event)) return StepMark::kPreempted;
  if (isA<BlockSwappedOut>(event) || isA<BlockSwappedIn>(event)) return StepMark::kSwapped;
  if (isA<SequenceFinished>(event)) return StepMark::kFinished;
  if (isA<RequestSubmitted>(event)) return StepMark::kArrived;
  if (isA<StepStarted>(event)) return StepMark::kPlain;
  return StepMark::kNone;
}

}  // namespace

QString stepMarkText(StepMark mark) {
  switch (mark) {
    case StepMark::kArrived:
      return TimeAxisModel::tr("a request arrived");
    case StepMark::kFinished:
      return TimeAxisModel::tr("a sequence finished");
    case StepMark::kSwapped:
      return TimeAxisModel::tr("blocks were swapped");
    case StepMark::kPreempted:
      return TimeAxisModel::tr("a sequence was preempted");
    case StepMark::kNone:
    case StepMark::kPlain:
      break;
  }
  return {};
}

void AxisSteps::add(const AxisSteps& other) {
  tokensPerSecond = std::max(tokensPerSecond, other.tokensPerSecond);
  prefillTokens = std::max(prefillTokens, other.prefillTokens);
  decodeTokens = std::max(decodeTokens, other.decodeTokens);
  usedBlocks = std::max(usedBlocks, other.usedBlocks);
  marks = static_cast<std::uint8_t>(marks | other.marks);
}

StepMark AxisSteps::strongest() const {
  return marks == 0 ? StepMark::kNone : static_cast<StepMark>(std::bit_width(marks) - 1);
}

TimeAxisModel::TimeAxisModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  followWholeRun();
  refresh();
}

void TimeAxisModel::setMarks(const BreakpointList* breakpoints, const Bookmarks* bookmarks) {
  m_breakpoints = breakpoints;
  m_bookmarks = bookmarks;
  connect(breakpoints, &BreakpointList::changed, this, &TimeAxisModel::marksChanged);
  connect(bookmarks, &Bookmarks::changed, this, &TimeAxisModel::marksChanged);
}

void TimeAxisModel::addStop(const QString& reason, int step) {
  m_stops[step] = reason;
  marksChanged();
}

QString TimeAxisModel::stopAt(int step) const {
  const auto found = m_stops.find(step);
  return found == m_stops.end() ? QString() : found->second;
}

void TimeAxisModel::marksChanged() {
  if (m_shown > 0) emit dataChanged(index(0, kMarks), index(m_shown - 1, kMarks));
  emit refreshed();
}

void TimeAxisModel::restart() {
  beginResetModel();
  m_steps.clear();
  m_stretches.clear();
  m_stops.clear();
  m_shown = m_changed = 0;
  m_rate = {};
  m_numBlocks = 0;
  endResetModel();
}

void TimeAxisModel::note(int step, const AxisSteps& what) {
  const int place = step - session()->firstStep();
  if (place < 0) return;
  const auto put = [&what](std::deque<AxisSteps>& list, int at) {
    if (at >= static_cast<int>(list.size())) list.resize(static_cast<std::size_t>(at) + 1);
    list[static_cast<std::size_t>(at)].add(what);
  };
  put(m_steps, place);
  put(m_stretches, place / kStretch);
  m_changed = std::min(m_changed, place);
}

void TimeAxisModel::take(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) m_numBlocks = loaded->options.numBlocks;
  if (const auto* joined = bodyOf<Snapshot>(event))
    m_numBlocks = static_cast<int>(joined->state->blocks.size());
  AxisSteps what;
  if (const StepMark mark = markFor(event); mark != StepMark::kNone) what.marks = bitOf(mark);
  if (const auto* planned = bodyOf<StepPlanned>(event)) {
    what.prefillTokens = planned->prefillTokens;
    what.decodeTokens = planned->decodeTokens;
  } else if (const auto* finished = bodyOf<StepFinished>(event)) {
    m_rate.add(*finished);
    what.tokensPerSecond = static_cast<float>(m_rate.tokensPerSecond());
    what.usedBlocks = m_numBlocks - finished->freeBlocks;
  } else if (what.marks == 0) {
    return;
  }
  note(event.step, what);
}

AxisSteps TimeAxisModel::rangeOf(int first, int last) const {
  AxisSteps sum;
  const int origin = session()->firstStep();
  const int end = std::min(last - origin + 1, static_cast<int>(m_steps.size()));
  for (int place = std::max(0, first - origin); place < end;) {
    const bool whole = place % kStretch == 0 && place + kStretch <= end;
    sum.add(whole ? m_stretches[static_cast<std::size_t>(place / kStretch)]
                  : m_steps[static_cast<std::size_t>(place)]);
    place += whole ? kStretch : 1;
  }
  return sum;
}

void TimeAxisModel::refresh() {
  const int rows = static_cast<int>(m_steps.size());
  if (m_changed < m_shown) emit dataChanged(index(m_changed, 0), index(m_shown - 1, columnCount() - 1));
  tellNewRows(m_shown, rows);
  m_changed = rows;
}

QString TimeAxisModel::eventsText(const AxisSteps& step) {
  QStringList texts;
  for (const StepMark mark :
       {StepMark::kArrived, StepMark::kFinished, StepMark::kSwapped, StepMark::kPreempted})
    if (step.has(mark)) texts << stepMarkText(mark);
  return texts.join(QStringLiteral(", "));
}

QString TimeAxisModel::marksText(int step) const {
  QStringList texts;
  if (m_breakpoints)
    for (const Breakpoint& one : m_breakpoints->all())
      if (one.kind == BreakKind::kStep && one.step == step) texts << tr("breakpoint");
  if (m_bookmarks && m_bookmarks->steps().contains(step)) texts << tr("bookmark");
  if (step == branchStep()) texts << tr("branch");
  if (const QString why = stopAt(step); !why.isEmpty()) texts << why;
  return texts.join(QStringLiteral(", "));
}

const TableColumns& TimeAxisModel::columns() const {
  using Model = TimeAxisModel;
  const auto ofStep = [](auto of) {
    return [of](const Model& model, int row) {
      return std::invoke(of, model.m_steps[static_cast<std::size_t>(row)]);
    };
  };
  static const ColumnsOf<Model> kColumns = {
      {QT_TR_NOOP("Step"), [](const Model& model, int row) { return model.session()->firstStep() + row; }},
      {QT_TR_NOOP("Tokens per second"),
       ofStep([](const AxisSteps& step) { return formatDecimal(double{step.tokensPerSecond}, 1); })},
      {QT_TR_NOOP("Prefill tokens"), ofStep(&AxisSteps::prefillTokens)},
      {QT_TR_NOOP("Decode tokens"), ofStep(&AxisSteps::decodeTokens)},
      {QT_TR_NOOP("Blocks used"), ofStep(&AxisSteps::usedBlocks)},
      {QT_TR_NOOP("What happened"), ofStep(eventsText)},
      {QT_TR_NOOP("Marks"),
       [](const Model& model, int row) { return model.marksText(model.session()->firstStep() + row); }},
  };
  return kColumns;
}

}  // namespace vitrine

#include "moc_time_axis_model.cpp"
