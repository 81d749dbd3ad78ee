// Objects whose members are known: in their order, some of them optional, then free ones.
//
// Thread: as the JsonRules that they are made with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grammar/json_rules.h"

namespace vitrine {

struct ObjectMembers {
  struct Named {
    std::string key;    // its value, as UTF-8
    Expression member;  // "key": value
    bool required = false;
  };
  std::vector<Named> named = {};
  std::optional<Expression> further = {};  // a free member
  int furtherLeast = 0, furtherMost = Expression::kEndless;
  bool notEmpty = false;
};

// Without a value when no object is such. `name` is the object's, for the names of rules.
std::optional<Expression> objectOf(const ObjectMembers& members, const std::string& name, JsonRules& json);

}  // namespace vitrine
