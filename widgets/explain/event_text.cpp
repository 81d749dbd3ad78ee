#include "widgets/explain/event_text.h"

#include "widgets/support/window_language.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

struct SequenceOf {
  template <class Body>
  SequenceId operator()(const Body& body) const {
    if constexpr (requires { body.sequence; })
      return body.sequence;
    else if constexpr (requires { body.child; })
      return body.child;
    else if constexpr (requires { body.firstSequence; })
      return body.firstSequence;
    else
      return 0;
  }
};

}  // namespace

QString eventKindName(EventKind kind) {
  switch (kind) {
    case EventKind::kEngine:
      return Wording::tr("Engine");
    case EventKind::kRequest:
      return Wording::tr("Requests");
    case EventKind::kSequence:
      return Wording::tr("Scheduling");
    case EventKind::kBlock:
      return Wording::tr("Blocks");
    case EventKind::kStep:
      return Wording::tr("Steps");
    case EventKind::kToken:
      return Wording::tr("Tokens");
  }
  return {};
}

QString eventTitle(const Event& event) {
  return QString::fromStdString(prose::describe(event, {}, windowLanguage()).title);
}
QString eventText(const Event& event, const MachineState& state, const SequenceNames& names) {
  return QString::fromStdString(prose::describe(event, names.proseNames(state), windowLanguage()).sentence);
}
SequenceId eventSequence(const Event& event) {
  return std::visit([](const auto& body) { return SequenceOf()(unboxed(body)); }, event.body);
}

}  // namespace vitrine
