#include "widgets/explain/event_text.h"

#include <QCoreApplication>

#include "widgets/support/window_language.h"

namespace vitrine {
namespace {

struct EventText {
  Q_DECLARE_TR_FUNCTIONS(EventText)
};

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
      return EventText::tr("Engine");
    case EventKind::kRequest:
      return EventText::tr("Requests");
    case EventKind::kSequence:
      return EventText::tr("Scheduling");
    case EventKind::kBlock:
      return EventText::tr("Blocks");
    case EventKind::kStep:
      return EventText::tr("Steps");
    case EventKind::kToken:
      return EventText::tr("Tokens");
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
