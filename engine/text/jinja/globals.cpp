#include "text/jinja/globals.h"

#include <memory>
#include <string>

#include "text/jinja/date_text.h"
#include "text/jinja/fault.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/iteration.h"
#include "text/jinja/namespace.h"
#include "text/jinja/printer.h"

namespace vitrine::jinja {
namespace {

Value range(Call& call) {
  const std::int64_t first = call.whole(0);
  const std::int64_t step = call.wholeOr(2, 1);
  if (step == 0) fail("The step of a range is zero.");
  if (!call.has(1)) return Value::object(std::make_shared<Range>(0, first, 1));
  return Value::object(std::make_shared<Range>(first, call.whole(1), step));
}

// What dict() makes of a mapping or of pairs, and of arguments with names.
Mapping mappingOf(Call& call) {
  Mapping mapping;
  if (call.has(0) && call.value(0).isMapping()) {
    call.budget().take(call.value(0).asMapping().size());
    mapping = call.value(0).asMapping();
  } else if (call.has(0)) {
    for (const Value& pair : itemsOf(call.value(0), call.budget())) {
      const Values both = itemsOf(pair, call.budget());
      if (both.size() != 2) fail("A dict is made of pairs.");
      call.budget().take(both[0].extent().weight);
      mapping.set(both[0], both[1]);
    }
  }
  Arguments named = call.takeRest();
  for (auto& [name, value] : named.named) mapping.set(Value::string(name), std::move(value));
  return mapping;
}
Value dict(Call& call) { return Value::mapping(mappingOf(call)); }

Value makeNamespace(Call& call) {
  auto space = std::make_shared<Namespace>(mappingOf(call));
  call.interpreter().track(space);
  return Value::object(std::move(space));
}

// joiner(sep): nothing at the first call, then the separator.
class Joiner : public Object {
 public:
  explicit Joiner(Value separator) : m_separator(std::move(separator)) { m_extent.add(m_separator); }
  std::string_view typeName() const override { return "Joiner"; }
  Extent extent() const override { return m_extent; }
  bool isCallable() const override { return true; }
  Value call(Interpreter&, Arguments&&) override {
    return std::exchange(m_used, true) ? m_separator : Value::string("");
  }

 private:
  Value m_separator;
  bool m_used = false;
  Extent m_extent;
};
Value makeJoiner(Call& call) {
  return Value::object(std::make_shared<Joiner>(call.valueOr(0, Value::string(", "))));
}

// cycler(a, b, ...): one after another, again and again.
class Cycler : public Object {
 public:
  explicit Cycler(Values items) : m_items(std::move(items)) {
    for (const Value& item : m_items) m_extent.add(item);
  }
  std::string_view typeName() const override { return "Cycler"; }
  Extent extent() const override { return m_extent; }
  std::optional<Value> attribute(std::string_view name) override;

  const Value& current() const { return m_items[m_at]; }
  Value next() {
    Value item = current();
    m_at = (m_at + 1) % m_items.size();
    return item;
  }
  void reset() { m_at = 0; }

 private:
  Values m_items;
  std::size_t m_at = 0;
  Extent m_extent;
};

Value nextOfCycler(Call& call) { return call.self().objectAs<Cycler>()->next(); }
Value resetOfCycler(Call& call) {
  call.self().objectAs<Cycler>()->reset();
  return Value::none();
}

std::optional<Value> Cycler::attribute(std::string_view name) {
  static const BuiltinTable methods = {{"next", "", nextOfCycler}, {"reset", "", resetOfCycler}};
  if (name == "current") return current();
  const Builtin* method = methods.find(name);
  if (!method) return std::nullopt;
  return Value::object(std::make_shared<BoundBuiltin>(*method, Value::object(shared_from_this())));
}

Value makeCycler(Call& call) {
  if (call.rest().empty()) fail("cycler needs at least one value.");
  return Value::object(std::make_shared<Cycler>(call.rest()));
}

Value raiseException(Call& call) {
  throw Fault{ErrorKind::kRefused, printed(call.value(0), call.budget()).text()};
}

Value strftimeNow(Call& call) {
  const std::string& format = call.text(0).text.text();
  call.budget().takeLetters(format.size() * 8);  // no letter makes more than that of text
  return Value::string(MarkedText(dateText(call.interpreter().options().now, format)));
}

}  // namespace

const Builtin* findGlobal(std::string_view name) {
  static const BuiltinTable table = {
      {"cycler", "*", makeCycler},
      {"dict", "/ [values] **", dict},
      {"joiner", "[sep]", makeJoiner},
      {"namespace", "/ [values] **", makeNamespace},
      {"raise_exception", "message", raiseException},
      {"range", "/ start [stop] [step]", range},
      {"strftime_now", "format", strftimeNow},
  };
  return table.find(name);
}

}  // namespace vitrine::jinja
