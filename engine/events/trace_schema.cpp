#include "events/trace_schema.h"

#include "events/event_fields.h"
#include "events/member_count.h"
#include "events/state_json.h"

namespace vitrine {
namespace {

template <typename T>
struct TypeOf {};

// The words of each type. A struct in a field is added to the schema when its first field is met.
class Schema {
 public:
  template <typename... Bodies>
  explicit Schema(const std::variant<Bodies...>*) {
    (addEvent(unboxed(Bodies())), ...);
  }

  JsonOut json() const { return {{"events", m_events}, {"structs", m_structs}}; }

 private:
  template <typename T>
  void addEvent(const T&) {
    m_events[Description<T>::kName] = fieldsOf<T>();
  }

  template <typename T>
  JsonOut fieldsOf() {
    JsonOut fields = JsonOut::array();
    Description<T>::fields([&](const char* name, auto member) { addField(fields, name, words(member)); });
    return fields;
  }

  static void addField(JsonOut& fields, const char* name, const std::string& words);  // a call for each field

  template <typename T, typename M>
  std::string words(M T::*) {
    return words(TypeOf<M>());
  }
  template <typename T>
  std::string words(Hexadecimal<T>) {
    return "hex";
  }
  template <typename T, typename Part, typename M>
  std::string words(Nested<T, Part, M>) {
    return words(TypeOf<M>());
  }
  template <OwnForm F>
  std::string words(F) {
    return F::kWords;
  }

  std::string words(TypeOf<bool>) { return "bool"; }
  std::string words(TypeOf<std::int32_t>) { return "int"; }
  std::string words(TypeOf<std::int64_t>) { return "int64"; }
  std::string words(TypeOf<std::uint64_t>) { return "uint64"; }
  std::string words(TypeOf<float>) { return "float"; }
  std::string words(TypeOf<double>) { return "double"; }
  std::string words(TypeOf<std::string>) { return "text"; }
  template <typename T>
  std::string words(TypeOf<std::vector<T>>) {
    return "list of " + words(TypeOf<T>());
  }
  template <typename T, std::size_t N>
  std::string words(TypeOf<std::array<T, N>>) {
    return "list of " + std::to_string(N) + ' ' + words(TypeOf<T>());
  }
  template <typename T>
  std::string words(TypeOf<std::optional<T>>) {
    return words(TypeOf<T>()) + " or null";
  }
  template <typename Id, typename Value>
  std::string words(TypeOf<std::map<Id, Value>>) {
    return "list of " + words(TypeOf<Value>());
  }
  template <typename T>
  std::string words(TypeOf<std::shared_ptr<const T>>) {
    return words(TypeOf<T>());
  }
  template <Named T>
  std::string words(TypeOf<T>) {
    std::string all = "one of";
    for (const char* name : Names<T>::list) all += std::string(all == "one of" ? " " : ", ") + name;
    return all;
  }
  template <Described T>
  std::string words(TypeOf<T>) {
    if constexpr (!std::is_same_v<T, MachineState>)  // it has fields that are not members
      static_assert(describesAllMembers<T>(),
                    "a struct whose description lacks a member, or names one twice");
    const char* name = Description<T>::kName;
    if (!m_structs.contains(name)) m_structs[name] = fieldsOf<T>();
    return name;
  }

  JsonOut m_events = JsonOut::object(), m_structs = JsonOut::object();
};

void Schema::addField(JsonOut& fields, const char* name, const std::string& words) {
  fields.push_back(std::string(name) + ':' + words);
}

}  // namespace

JsonOut traceSchema() { return Schema(static_cast<const EventBody*>(nullptr)).json(); }

}  // namespace vitrine
