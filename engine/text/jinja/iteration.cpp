#include "text/jinja/iteration.h"

#include <algorithm>
#include <string>

#include "text/jinja/fault.h"
#include "text/jinja/printer.h"
#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

// The items of something that has a number of them.
template <typename Source, typename ItemAt>
class Counted : public Iterator {
 public:
  Counted(Source source, std::size_t count, ItemAt itemAt)
      : m_source(std::move(source)), m_count(count), m_itemAt(itemAt) {}
  bool next(Value& item) override {
    if (m_next == m_count) return false;
    item = m_itemAt(*m_source, m_next++);
    return true;
  }

 private:
  Source m_source;
  std::size_t m_count, m_next = 0;
  ItemAt m_itemAt;
};

template <typename Source, typename ItemAt>
std::unique_ptr<Iterator> counted(Source source, std::size_t count, ItemAt itemAt) {
  return std::make_unique<Counted<Source, ItemAt>>(std::move(source), count, itemAt);
}

class Letters : public Iterator {
 public:
  explicit Letters(Value text) : m_text(std::move(text)) {}
  bool next(Value& item) override {
    const utf8::Step step = utf8::decode(std::string_view(m_text.text()).substr(m_at));
    if (step.length == 0) return false;
    item = Value::string(m_text.marked().part(m_at, m_at + step.length));
    m_at += step.length;
    return true;
  }

 private:
  Value m_text;
  std::size_t m_at = 0;
};

class Rest : public Iterator {
 public:
  explicit Rest(std::shared_ptr<Generator> generator) : m_generator(std::move(generator)) {}
  bool next(Value& item) override { return m_generator->next(item); }

 private:
  std::shared_ptr<Generator> m_generator;
};

// A value that stays while it is iterated.
struct Held {
  Value value;
  const Value& operator*() const { return value; }
};

}  // namespace

std::unique_ptr<Iterator> tryIterate(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      return counted(Held{value}, 0, [](const Value& held, std::size_t) { return held; });
    case Kind::kString:
      return std::make_unique<Letters>(value);
    case Kind::kSequence:
      return counted(Held{value}, value.items().size(),
                     [](const Value& held, std::size_t index) { return held.items()[index]; });
    case Kind::kMapping:
      return counted(Held{value}, value.asMapping().size(), [](const Value& held, std::size_t index) {
        return held.asMapping().entries()[index].key;
      });
    case Kind::kObject:
      return value.asObject()->iterate();
    default:
      return nullptr;
  }
}

std::unique_ptr<Iterator> iterate(const Value& value) {
  auto items = tryIterate(value);
  if (!items) fail("A value of type " + std::string(typeName(value)) + " has no items to go through.");
  return items;
}

Values itemsOf(const Value& value, Budget& budget) {
  if (value.isSequence()) {
    budget.take(value.items().size());
    return value.items();
  }
  Values items;
  const auto source = iterate(value);
  for (Value item; source->next(item); items.push_back(item)) budget.step();
  return items;
}

std::optional<std::int64_t> lengthOf(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      return 0;
    case Kind::kString:
      return static_cast<std::int64_t>(value.asString().letters);
    case Kind::kSequence:
      return static_cast<std::int64_t>(value.items().size());
    case Kind::kMapping:
      return static_cast<std::int64_t>(value.asMapping().size());
    case Kind::kObject:
      return value.asObject()->length();
    default:
      return std::nullopt;
  }
}

Range::Range(std::int64_t start, std::int64_t stop, std::int64_t step)
    : m_start(start), m_stop(stop), m_step(step), m_length(0) {
  constexpr std::uint64_t kLongest = 100'000;  // as Jinja's sandbox has it
  const bool up = step > 0;
  if (up ? start >= stop : start <= stop) return;
  const auto distance = up ? static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start)
                           : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(stop);
  const std::uint64_t stride =
      up ? static_cast<std::uint64_t>(step) : std::uint64_t{0} - static_cast<std::uint64_t>(step);
  const std::uint64_t length = (distance - 1) / stride + 1;
  if (length > kLongest) fail("A range has more than " + std::to_string(kLongest) + " numbers.");
  m_length = static_cast<std::int64_t>(length);
}

void Range::print(Printer& printer) const {
  const std::string step = m_step == 1 ? "" : ", " + std::to_string(m_step);
  printer.write("range(" + std::to_string(m_start) + ", " + std::to_string(m_stop) + step + ")");
}

std::optional<Value> Range::item(std::int64_t index) const {
  return Value::integer(m_start + index * m_step);
}

std::unique_ptr<Iterator> Range::iterate() {
  return counted(
      shared_from_this(), static_cast<std::size_t>(m_length),
      [](Object& range, std::size_t index) { return *range.item(static_cast<std::int64_t>(index)); });
}

bool Range::equals(const Object& other) const {
  const auto* range = dynamic_cast<const Range*>(&other);
  if (!range || range->m_length != m_length) return false;
  return m_length == 0 || (range->m_start == m_start && (m_length == 1 || range->m_step == m_step));
}

std::string_view MappingView::typeName() const {
  return m_part == Part::kKeys ? "dict_keys" : m_part == Part::kValues ? "dict_values" : "dict_items";
}

void MappingView::print(Printer& printer) const {
  printer.write(std::string(typeName()) + "(");
  Values items;
  for (std::size_t i = 0; i < mapping().size(); ++i) items.push_back(itemAt(i));
  printer.printRepr(Value::list(std::move(items), mapping().mark()));
  printer.write(")");
}

std::optional<std::int64_t> MappingView::length() const {
  return static_cast<std::int64_t>(mapping().size());
}

Value MappingView::itemAt(std::size_t index) const {
  const auto& [key, value] = mapping().entries()[index];
  if (m_part == Part::kItems) return Value::tuple({key, value});
  return m_part == Part::kKeys ? key : value;
}

bool MappingView::equals(const Object& other) const {
  const auto* view = dynamic_cast<const MappingView*>(&other);
  if (!view || view->m_part != m_part || m_part == Part::kValues) return this == &other;
  if (m_mapping.isSameAs(view->m_mapping)) return true;
  return m_part == Part::kKeys && mapping().size() == view->mapping().size() &&
         std::all_of(mapping().entries().begin(), mapping().entries().end(),
                     [&](const Mapping::Entry& entry) { return view->mapping().find(entry.key) != nullptr; });
}

std::unique_ptr<Iterator> MappingView::iterate() {
  auto self = std::static_pointer_cast<MappingView>(shared_from_this());
  const std::size_t count = mapping().size();
  return counted(std::move(self), count,
                 [](const MappingView& view, std::size_t index) { return view.itemAt(index); });
}

Generator::Generator(Values items, std::string_view typeName)
    : m_typeName(typeName), m_items(std::move(items)) {
  for (const Value& item : m_items) m_extent.add(item);
}

bool Generator::next(Value& item) {
  if (m_next == m_items.size()) return false;
  item = m_items[m_next++];
  return true;
}

std::unique_ptr<Iterator> Generator::iterate() {
  return std::make_unique<Rest>(std::static_pointer_cast<Generator>(shared_from_this()));
}

}  // namespace vitrine::jinja
