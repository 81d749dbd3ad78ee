#include "text/jinja/filters.h"

namespace vitrine::jinja {

const Builtin* findFilter(std::string_view name) {
  for (const BuiltinTable* table : {&textFilters(), &listFilters(), &valueFilters()})
    if (const Builtin* found = table->find(name)) return found;
  return nullptr;
}

}  // namespace vitrine::jinja
