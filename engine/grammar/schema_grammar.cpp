#include "grammar/schema_grammar.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "grammar/grammar_checks.h"
#include "grammar/json_rules.h"
#include "grammar/number_ranges.h"
#include "grammar/object_rules.h"
#include "grammar/regex_grammar.h"
#include "grammar/schema_kinds.h"
#include "grammar/schema_source.h"
#include "grammar/string_formats.h"
#include "vitrine/error.h"
#include "vitrine/json_reader.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

using Json = SchemaSource::Json;
using MaybeExpression = std::optional<Expression>;  // without a value: no JSON value satisfies the schema

constexpr int kEndless = Expression::kEndless;
constexpr int kMostUniqueItems = 5;
constexpr std::size_t kMostOptionalPrefixItems = 32;
constexpr int kWorkOfSchema = 20, kWorkOfRange = 200, kWorkOfKeyByte = 12;

// Keywords that say which values are valid and that are followed, with the type that each is about.
const std::map<std::string, std::string, std::less<>>& followedKeywords() {
  static const std::map<std::string, std::string, std::less<>> types{{"$ref", ""},
                                                                     {"additionalItems", ""},
                                                                     {"additionalProperties", "object"},
                                                                     {"allOf", ""},
                                                                     {"anyOf", ""},
                                                                     {"const", ""},
                                                                     {"enum", ""},
                                                                     {"exclusiveMaximum", "number"},
                                                                     {"exclusiveMinimum", "number"},
                                                                     {"format", "string"},
                                                                     {"items", "array"},
                                                                     {"maxItems", "array"},
                                                                     {"maxLength", "string"},
                                                                     {"maxProperties", "object"},
                                                                     {"maximum", "number"},
                                                                     {"minItems", "array"},
                                                                     {"minLength", "string"},
                                                                     {"minProperties", "object"},
                                                                     {"minimum", "number"},
                                                                     {"multipleOf", "number"},
                                                                     {"oneOf", ""},
                                                                     {"pattern", "string"},
                                                                     {"patternProperties", "object"},
                                                                     {"prefixItems", "array"},
                                                                     {"properties", "object"},
                                                                     {"required", "object"},
                                                                     {"type", ""},
                                                                     {"uniqueItems", "array"}};
  return types;
}

// Those that say which values are valid, and that no grammar here can have.
constexpr const char* kRefusedKeywords[] = {"not",
                                            "if",
                                            "then",
                                            "else",
                                            "dependentSchemas",
                                            "dependentRequired",
                                            "contains",
                                            "minContains",
                                            "maxContains",
                                            "propertyNames",
                                            "unevaluatedProperties",
                                            "dependencies",
                                            "$dynamicRef",
                                            "$recursiveRef",
                                            "unevaluatedItems"};

bool saysWhatIsValid(const Json& schema) {
  for (const auto& [key, value] : schema.items())
    if (followedKeywords().contains(key)) return true;
  return false;
}

class SchemaCompiler {
 public:
  explicit SchemaCompiler(std::string_view schema) : m_source(schema), m_json(m_grammar) {}

  Grammar compile() {
    m_grammar.root = ruleOfReference(m_source.root(), {}, "answer");
    while (!m_waiting.empty()) {
      const Waiting next = m_waiting.front();
      m_waiting.pop_front();
      MaybeExpression expression = valueOf(*next.schema, next.place);
      if (!expression)
        refuseSchema(next.place, "no value satisfies it",
                     "Look for false, or for keywords that exclude each other.");
      m_grammar.rules[static_cast<std::size_t>(next.rule)].expression = std::move(*expression);
    }
    check();
    return std::move(m_grammar);
  }

 private:
  struct Waiting {
    const Json* schema;
    SchemaPlace place;
    int rule;
  };

  void check() const {
    const auto refuseRule = [&](int rule, const std::string& problem, const std::string& mend) {
      refuseSchema({}, "\"" + m_grammar.rules[static_cast<std::size_t>(rule)].name + "\" " + problem, mend);
    };
    if (writtenNodes(m_grammar) > kMostGrammarNodes)
      refuseSchema(
          {}, "more than " + std::to_string(kMostGrammarNodes) + " parts when it is written out",
          "Ask for shorter texts and lists, or leave minLength, maxLength, minItems and maxItems out.");
    if (const int rule = selfBeginningRule(m_grammar); rule != kNoRule)
      refuseRule(rule, "refers to itself without a value between", "Put an object or a list between them.");
    if (const int rule = endlessRule(m_grammar); rule != kNoRule)
      refuseRule(rule, "needs itself, so that no answer ever ends", "Make one of its properties optional.");
  }

  // A schema that is referred to is compiled once, later: so references may lead in circles, and a long chain
  // of them is not deep.
  int ruleOfReference(const Json& schema, const SchemaPlace& place, const std::string& name) {
    if (const auto known = m_references.find(&schema); known != m_references.end()) return known->second;
    const int rule = m_json.add(name);
    m_references.emplace(&schema, rule);
    m_waiting.push_back({&schema, place, rule});
    return rule;
  }

  MaybeExpression reference(const Json& text, const SchemaPlace& place) {
    const Json& schema = m_source.target(text, place);
    const std::string pointer = text.get<std::string>().substr(1);
    const std::string name = pointer.substr(std::min(pointer.rfind('/') + 1, pointer.size()));
    const std::string shown = name.empty() ? "answer" : name;
    return ruleOf(ruleOfReference(schema, {pointer, name}, shown));
  }

  MaybeExpression valueOf(const Json& schema, const SchemaPlace& place) {
    checkSchemaDepth(place);
    m_source.spend(kWorkOfSchema, place);
    if (schema.is_boolean()) return schema.get<bool>() ? MaybeExpression(m_json.value()) : std::nullopt;
    if (!schema.is_object())
      refuseSchema(place, "a schema should be an object, true or false", "Write {\"type\": ...}.");
    refuseKeywords(schema, place);
    const Json* const text = memberOf(schema, "$ref");
    if (text != nullptr && !saysWhatIsValid(without(schema, "$ref"))) return reference(*text, place);
    if (text != nullptr || schema.contains("allOf")) {
      const std::optional<Json> flat = m_source.flat(schema, place);
      return flat ? valueOf(*flat, deeper(place)) : std::nullopt;
    }
    if (schema.contains("anyOf")) return branches(schema, "anyOf", place);
    if (schema.contains("oneOf")) return branches(schema, "oneOf", place);
    if (schema.contains("enum") || schema.contains("const")) return listed(schema, place);
    return typed(schema, place);
  }

  static SchemaPlace deeper(SchemaPlace place) {
    ++place.depth;
    return place;
  }
  static SchemaPlace partOf(const SchemaPlace& place, const char* keyword, std::size_t index) {
    SchemaPlace part = place.below(keyword).below(std::to_string(index));
    part.depth = place.depth + 1;
    return part;
  }

  static void refuseKeywords(const Json& schema, const SchemaPlace& place) {
    for (const char* const keyword : kRefusedKeywords)
      if (schema.contains(keyword))
        refuseSchema(place, "the keyword \"" + std::string(keyword) + "\" is not followed",
                     "Say it with type, properties, required, enum, items, pattern or anyOf.");
    if (!place.pointer.empty() && schema.contains("$id"))
      refuseSchema(place, "the keyword \"$id\" within a schema is not followed",
                   "Refer to #/$defs/... instead.");
  }

  [[noreturn]] static void refuseValue(const SchemaPlace& place, const std::string& keyword,
                                       const std::string& wanted) {
    refuseSchema(place, "\"" + keyword + "\" should be " + wanted, "See json-schema.org for what it takes.");
  }

  // anyOf, and oneOf where no value satisfies two of its schemas. What stands beside it holds for each.
  MaybeExpression branches(const Json& schema, const char* keyword, const SchemaPlace& place) {
    const Json& list = schema[keyword];
    if (!list.is_array() || list.empty()) refuseValue(place, keyword, "a list of schemas");
    const bool exclusive = std::string_view(keyword) == "oneOf";
    const Json base = without(schema, keyword);
    const bool alone = !saysWhatIsValid(base);
    std::vector<Expression> choices;
    std::vector<SchemaKinds> kinds;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const SchemaPlace there = partOf(place, keyword, i);
      std::optional<Json> flat;
      if (exclusive || !alone) {
        flat = m_source.flat(list[i], there);
        if (flat && !alone) flat = m_source.both(base, *flat, there);
        if (!flat) continue;
      }
      if (exclusive) {
        SchemaKinds kind = kindsOf(*flat, m_source, there);
        for (const SchemaKinds& other : kinds) {
          m_source.spend(1 + workOf(kind) * workOf(other), there);
          if (!areDisjoint(kind, other))
            refuseSchema(
                there, "a value may satisfy this and another schema of \"oneOf\"",
                "Write \"anyOf\", or give each a type, a const or a required property with a const.");
        }
        kinds.push_back(std::move(kind));
      }
      MaybeExpression choice = valueOf(alone ? list[i] : *flat, there);
      if (choice) choices.push_back(std::move(*choice));
    }
    if (choices.empty()) return std::nullopt;
    return choiceOf(std::move(choices));
  }

  static std::int64_t workOf(const SchemaKinds& kinds) {
    std::size_t values = 1 + kinds.types.size() + (kinds.values ? kinds.values->size() : 0);
    for (const auto& [name, tagged] : kinds.tags) values += tagged.size();
    return static_cast<std::int64_t>(values);
  }

  // enum and const.
  MaybeExpression listed(const Json& schema, const SchemaPlace& place) {
    for (const auto& [key, value] : schema.items())
      if (key != "enum" && key != "const" && key != "type" && followedKeywords().contains(key))
        refuseSchema(place, "the keyword \"" + key + "\" beside \"enum\" or \"const\" is not followed",
                     "List only the values that it allows, and leave it out.");
    const std::vector<std::string> types = typesIn(schema, place);
    const Json* const list = memberOf(schema, "enum");
    const Json* const only = memberOf(schema, "const");
    if (list != nullptr && !list->is_array()) refuseValue(place, "enum", "a list of values");
    std::vector<Expression> choices;
    const auto add = [&](const Json& value) {
      const bool fits = types.empty() || std::ranges::any_of(types, [&](const std::string& type) {
                          return isOfType(value, type);
                        });
      if (!fits || (only != nullptr && value != *only)) return;
      std::string text = writtenJson(value);
      m_source.spend(static_cast<std::int64_t>(text.size()), place);
      choices.push_back(textOf(std::move(text)));
    };
    if (list != nullptr)
      for (const Json& value : *list) add(value);
    else
      add(*only);
    if (choices.empty()) return std::nullopt;
    return choiceOf(std::move(choices));
  }

  // As they are declared; empty: nothing is said.
  static std::vector<std::string> typesIn(const Json& schema, const SchemaPlace& place) {
    const Json* const type = memberOf(schema, "type");
    std::vector<std::string> types;
    if (type == nullptr) return types;
    const Json list = type->is_array() ? *type : Json::array({*type});
    for (const Json& one : list) {
      static const std::set<std::string> known{"null",   "boolean", "object", "array",
                                               "string", "number",  "integer"};
      if (!one.is_string() || !known.contains(one.get<std::string>()))
        refuseValue(place, "type",
                    "null, boolean, object, array, string, number or integer, or a list of them");
      if (std::ranges::find(types, one.get<std::string>()) == types.end())
        types.push_back(one.get<std::string>());
    }
    if (types.empty()) refuseValue(place, "type", "a type, or a list of types");
    if (std::ranges::find(types, "number") != types.end()) std::erase(types, "integer");
    return types;
  }

  MaybeExpression typed(const Json& schema, const SchemaPlace& place) {
    std::vector<std::string> types = typesIn(schema, place);
    if (types.empty())  // a schema about objects means an object
      for (const auto& [key, value] : schema.items()) {
        const auto about = followedKeywords().find(key);
        if (about != followedKeywords().end() && !about->second.empty() &&
            std::ranges::find(types, about->second) == types.end())
          types.push_back(about->second);
      }
    if (types.empty()) return m_json.value();
    std::vector<Expression> choices;
    for (const std::string& type : types)
      if (MaybeExpression choice = ofType(type, schema, place)) choices.push_back(std::move(*choice));
    if (choices.empty()) return std::nullopt;
    return choiceOf(std::move(choices));
  }

  MaybeExpression ofType(const std::string& type, const Json& schema, const SchemaPlace& place) {
    if (type == "null") return textOf("null");
    if (type == "boolean") return m_json.boolean();
    if (type == "string") return string(schema, place);
    if (type == "array") return array(schema, place);
    if (type == "object") return object(schema, place);
    return number(schema, place, type == "integer");
  }

  // A number of things; without a value: nothing is said.
  static std::optional<int> countIn(const Json& schema, const char* keyword, const SchemaPlace& place) {
    const Json* const found = memberOf(schema, keyword);
    if (found == nullptr) return std::nullopt;
    const double count = isOfType(*found, "integer") ? found->get<double>() : -1;
    if (count < 0) refuseValue(place, keyword, "a whole number from 0 on");
    return static_cast<int>(std::min(count, 1e9));
  }

  // The value's schema as a rule of that name.
  MaybeExpression asRule(const Json& schema, const SchemaPlace& place, const std::string& name) {
    MaybeExpression expression = valueOf(schema, place);
    if (!expression) return std::nullopt;
    return ruleOf(m_json.add(name, std::move(*expression)));
  }

  // --- strings

  MaybeExpression string(const Json& schema, const SchemaPlace& place) {
    const int least = countIn(schema, "minLength", place).value_or(0);
    const int most = countIn(schema, "maxLength", place).value_or(kEndless);
    if (most != kEndless && most < least) return std::nullopt;
    const Json* const pattern = memberOf(schema, "pattern");
    const Json* const format = memberOf(schema, "format");
    const std::string formatText =
        format != nullptr && format->is_string() ? formatPattern(format->get_ref<const std::string&>()) : "";
    if (pattern == nullptr && formatText.empty()) {
      if (least == 0 && most == kEndless) return m_json.string();
      return sequenceOf({textOf("\""), repeatOf(m_json.character(), least, most), textOf("\"")});
    }
    if (pattern != nullptr && !formatText.empty())
      refuseSchema(place, "\"pattern\" beside \"format\" is not followed", "Leave one of them out.");
    const Expression value = pattern != nullptr ? patternIn(*pattern, place.below("pattern"))
                                                : patternExpression(formatText, PatternFit::kWhole);
    const TextLengths lengths = lengthsOf(value);
    if (lengths.least < least || (most != kEndless && (lengths.most == kEndless || lengths.most > most)))
      refuseSchema(place,
                   "\"minLength\" and \"maxLength\" beside a pattern or a format whose texts are of other "
                   "lengths are not followed",
                   "Say the lengths in the pattern, as in ^[a-z]{2,8}$.");
    if (pattern != nullptr) return m_json.stringOf(value, shownName(place, "text"));
    const std::string name = format->get<std::string>();
    const auto [known, isNew] = m_formats.try_emplace(name, kNoRule);
    if (isNew) known->second = m_json.add(name, m_json.stringOf(value, name));
    return ruleOf(known->second);
  }

  // JSON schema's patterns match a part of the text.
  Expression patternIn(const Json& pattern, const SchemaPlace& place) {
    if (!pattern.is_string())
      refuseSchema(place, "a pattern should be a text", "Write a regular expression.");
    const std::string& text = pattern.get_ref<const std::string&>();
    m_source.spend(static_cast<std::int64_t>(text.size()) * 4, place);
    try {
      return patternExpression(text, PatternFit::kPart);
    } catch (const EngineError& error) {
      refuseSchema(place, error.what(), error.hint());
    }
  }

  static std::string shownName(const SchemaPlace& place, const char* otherwise) {
    return place.path.empty() ? otherwise : place.path;
  }
  static std::string nameWithin(const char* what, const SchemaPlace& place) {
    return place.path.empty() ? what : std::string(what) + " of " + place.path;
  }

  // --- numbers

  struct Bound {
    std::int64_t value;
    bool isOut;  // the value itself is outside
  };

  // Of a keyword; without a value: nothing is said. Those of integers are within the range.
  static std::optional<Bound> boundIn(const Json& schema, const char* keyword, bool isLeast, bool integer,
                                      const SchemaPlace& place) {
    const Json* const found = memberOf(schema, keyword);
    if (found == nullptr) return std::nullopt;
    if (!found->is_number()) refuseValue(place, keyword, "a number");
    const bool isOut = std::string_view(keyword).starts_with("exclusive");
    const double exact = found->get<double>();
    const bool tooSmall = exact<-kMostJsonInteger, tooLarge = exact> kMostJsonInteger;
    if (isLeast ? tooLarge : tooSmall)
      refuseSchema(place, "\"" + std::string(keyword) + "\" asks for numbers of more than 15 digits",
                   "Write a bound that is nearer to 0.");
    if (tooSmall || tooLarge) return Bound{tooSmall ? -kMostJsonInteger : kMostJsonInteger, false};
    const auto floor = static_cast<std::int64_t>(std::floor(exact));
    const bool isWhole = static_cast<double>(floor) == exact;
    if (!integer) {
      if (!isWhole)
        refuseSchema(place, "\"" + std::string(keyword) + "\" of a number should be a whole number",
                     "Write the next whole number.");
      return Bound{floor, isOut};
    }
    if (isLeast) return Bound{isWhole && !isOut ? floor : floor + 1, false};
    return Bound{isWhole && isOut ? floor - 1 : floor, false};
  }

  MaybeExpression number(const Json& schema, const SchemaPlace& place, bool integer) {
    int zeros = 0;
    if (const Json* const multiple = memberOf(schema, "multipleOf")) {
      std::int64_t power = 1;
      for (; zeros < 14 && *multiple != power; ++zeros) power *= 10;
      if (*multiple != power)
        refuseSchema(place, "\"multipleOf\" of " + forMessage(multiple->dump(), 40) + " is not followed",
                     "Multiples of 1, 10, 100 and so on are.");
      integer = true;
    }
    NumberRange range;
    bool bounded = false;
    for (const char* const keyword : {"minimum", "exclusiveMinimum"})
      if (const auto bound = boundIn(schema, keyword, true, integer, place)) {
        if (bounded && bound->value < range.least) continue;
        const bool wasOut = bounded && bound->value == range.least && range.leastIsOut;
        range.least = bound->value;
        range.leastIsOut = bound->isOut || wasOut;
        bounded = true;
      }
    bool boundedAbove = false;
    for (const char* const keyword : {"maximum", "exclusiveMaximum"})
      if (const auto bound = boundIn(schema, keyword, false, integer, place)) {
        if (boundedAbove && bound->value > range.most) continue;
        const bool wasOut = boundedAbove && bound->value == range.most && range.mostIsOut;
        range.most = bound->value;
        range.mostIsOut = bound->isOut || wasOut;
        boundedAbove = true;
      }
    if (!bounded && !boundedAbove && zeros == 0) return integer ? m_json.integer() : m_json.number();
    m_source.spend(kWorkOfRange, place);
    if (!integer) return numbersBetween(range);
    std::int64_t power = 1;
    for (int i = 0; i < zeros; ++i) power *= 10;
    const auto least =
        static_cast<std::int64_t>(range.least / power + (range.least > 0 && range.least % power > 0));
    const auto most =
        static_cast<std::int64_t>(range.most / power - (range.most < 0 && range.most % power < 0));
    if (most < least) return std::nullopt;
    return integersBetween(least, most, zeros);
  }

  // --- arrays

  MaybeExpression array(const Json& schema, const SchemaPlace& place) {
    const int least = countIn(schema, "minItems", place).value_or(0);
    int most = countIn(schema, "maxItems", place).value_or(kEndless);
    const Json* first = memberOf(schema, "prefixItems");
    const Json* rest = memberOf(schema, "items");
    const char *firstKeyword = "prefixItems", *restKeyword = "items";
    if (rest != nullptr && rest->is_array()) {  // as draft 07 has them
      if (first != nullptr) refuseValue(place, "items", "a schema");
      first = rest, firstKeyword = "items";
      rest = memberOf(schema, "additionalItems"), restKeyword = "additionalItems";
    }
    if (first != nullptr && !first->is_array()) refuseValue(place, firstKeyword, "a list of schemas");
    const auto tooFew = [&] { return most != kEndless && most < least; };
    const Json* const unique = memberOf(schema, "uniqueItems");
    if (unique != nullptr && *unique != false && (most == kEndless || most > 1))
      return uniqueItems(first == nullptr ? rest : nullptr, least, most, place);

    const std::string itemName = nameWithin("item", place);
    std::vector<Expression> items;
    const std::size_t listed = first == nullptr ? 0 : first->size();
    const auto atMost = [&](std::size_t count) {
      most = most == kEndless ? static_cast<int>(count) : std::min(most, static_cast<int>(count));
    };
    for (std::size_t i = 0; i < listed && (most == kEndless || items.size() < static_cast<std::size_t>(most));
         ++i) {
      MaybeExpression item = asRule((*first)[i], partOf(place, firstKeyword, i),
                                    nameWithin(("item " + std::to_string(i + 1)).c_str(), place));
      if (item)
        items.push_back(std::move(*item));
      else
        atMost(i);
    }
    MaybeExpression further;
    if (most == kEndless || static_cast<std::size_t>(most) > items.size()) {
      if (rest == nullptr)
        further = m_json.value();
      else
        further = asRule(*rest, place.below(restKeyword), itemName);
      if (!further) atMost(items.size());
    }
    if (tooFew()) return std::nullopt;
    return arrayOf(items, further, least, most, place);
  }

  MaybeExpression arrayOf(const std::vector<Expression>& items, const MaybeExpression& further, int least,
                          int most, const SchemaPlace& place) {
    if (most == 0) return sequenceOf({textOf("["), m_json.blanks(), textOf("]")});
    const auto needed = std::min(items.size(), static_cast<std::size_t>(least));
    if (items.size() - needed > kMostOptionalPrefixItems)
      refuseSchema(
          place,
          "more than " + std::to_string(kMostOptionalPrefixItems) + " listed items that may be left out",
          "Set minItems to the number of items that must be there.");
    const int listed = static_cast<int>(items.size());
    const auto behind = [&](int index, const Expression& item) {
      return index == 0 ? item : sequenceOf({m_json.comma(), item});
    };
    Expression tail;
    if (further) {
      const int before = std::max(1, listed);  // items in front of those with a comma
      Expression more = repeatOf(sequenceOf({m_json.comma(), *further}), std::max(0, least - before),
                                 most == kEndless ? kEndless : std::max(0, most - before));
      tail = listed > 0 ? std::move(more) : sequenceOf({*further, std::move(more)});
    }
    for (std::size_t i = items.size(); i-- > needed;) {
      tail = sequenceOf({behind(static_cast<int>(i), items[i]), std::move(tail)});
      if (i > 0) tail = optional(std::move(tail));
    }
    std::vector<Expression> parts;
    for (std::size_t i = 0; i < needed; ++i) parts.push_back(behind(static_cast<int>(i), items[i]));
    parts.push_back(std::move(tail));
    return m_json.bracketed("[", sequenceOf(std::move(parts)), "]", least == 0);
  }

  // Different items: all orders of a few listed values.
  MaybeExpression uniqueItems(const Json* items, int least, int most, const SchemaPlace& place) {
    const std::optional<Json> flat =
        items == nullptr ? std::nullopt : m_source.flat(*items, place.below("items"));
    std::vector<Json> values;
    if (flat && flat->contains("enum") && (*flat)["enum"].is_array())
      for (const Json& value : (*flat)["enum"])
        if (std::ranges::find(values, value) == values.end() && values.size() <= kMostUniqueItems)
          values.push_back(value);
    if (values.empty() || values.size() > kMostUniqueItems)
      refuseSchema(place, "\"uniqueItems\" is not followed",
                   "Leave it out, or let the items be an \"enum\" of up to " +
                       std::to_string(kMostUniqueItems) + " values.");
    std::vector<Expression> texts;
    for (const Json& value : values) {
      Json one = without(*flat, "enum");
      one["const"] = value;
      // Only values that what stands beside the enum allows.
      if (flat->contains("const") && (*flat)["const"] != value) continue;
      if (MaybeExpression text = listed(one, deeper(place.below("items")))) texts.push_back(std::move(*text));
    }
    const int count = static_cast<int>(texts.size());
    const int limit = most == kEndless ? count : std::min(most, count);
    if (limit < least) return std::nullopt;
    if (limit == 0) return sequenceOf({textOf("["), m_json.blanks(), textOf("]")});
    m_source.spend(kWorkOfRange * 10, place);
    std::vector<bool> used(texts.size(), false);
    return m_json.bracketed("[", moreUnique(texts, used, 0, least, limit), "]", least == 0);
  }

  Expression moreUnique(const std::vector<Expression>& texts, std::vector<bool>& used, int count, int least,
                        int most) {
    if (count == most) return {};
    std::vector<Expression> choices;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (used[i]) continue;
      used[i] = true;
      std::vector<Expression> parts;
      if (count > 0) parts.push_back(m_json.comma());
      parts.push_back(texts[i]);
      parts.push_back(moreUnique(texts, used, count + 1, least, most));
      used[i] = false;
      choices.push_back(sequenceOf(std::move(parts)));
    }
    Expression next = choiceOf(std::move(choices));
    return count > 0 && count >= least ? optional(std::move(next)) : next;
  }

  // --- objects

  static std::set<std::string> requiredIn(const Json& schema, const SchemaPlace& place) {
    std::set<std::string> names;
    const Json* const list = memberOf(schema, "required");
    if (list == nullptr) return names;
    if (!list->is_array()) refuseValue(place, "required", "a list of names");
    for (const Json& name : *list) {
      if (!name.is_string()) refuseValue(place, "required", "a list of names");
      names.insert(name.get<std::string>());
    }
    return names;
  }

  MaybeExpression object(const Json& schema, const SchemaPlace& place) {
    const Json* const properties = memberOf(schema, "properties");
    if (properties != nullptr && !properties->is_object())
      refuseValue(place, "properties", "an object of schemas");
    std::set<std::string> required = requiredIn(schema, place);
    const Json* const patterns = memberOf(schema, "patternProperties");
    if (patterns != nullptr && !(patterns->is_object() && patterns->empty()))
      return objectOfPattern(schema, *patterns, place);
    const std::optional<int> fewest = countIn(schema, "minProperties", place);
    const std::optional<int> mostMembers = countIn(schema, "maxProperties", place);
    const Json* const additional = memberOf(schema, "additionalProperties");
    if ((properties == nullptr || properties->empty()) && required.empty() && !fewest && !mostMembers &&
        (additional == nullptr || *additional == true))
      return m_json.object();

    ObjectMembers members;
    std::vector<std::string> keys;
    const auto add = [&](const std::string& key, Expression value, bool isRequired) {
      std::string text = Json(key).dump();
      m_source.spend(static_cast<std::int64_t>(text.size()), place);
      members.named.push_back({key, m_json.member(textOf(std::move(text)), std::move(value)), isRequired});
    };
    if (properties != nullptr)
      for (const auto& [key, property] : properties->items()) {
        const SchemaPlace there = place.property("properties", key);
        MaybeExpression value = asRule(property, there, there.path.empty() ? "\"\"" : there.path);
        const bool isRequired = required.erase(key) > 0;
        if (!value && isRequired) return std::nullopt;
        if (value) add(key, std::move(*value), isRequired);
        keys.push_back(key);
      }
    const SchemaPlace furtherPlace = place.below("additionalProperties");
    const auto furtherValue = [&](const std::string& name) -> MaybeExpression {
      if (additional == nullptr || *additional == true) return m_json.value();
      if (*additional == false) return std::nullopt;
      return asRule(*additional, furtherPlace, name);
    };
    for (const std::string& key : required) {  // which no property describes
      MaybeExpression value = furtherValue(place.property("properties", key).path);
      if (!value) return std::nullopt;
      add(key, std::move(*value), true);
      keys.push_back(key);
    }
    if (MaybeExpression value = furtherValue(nameWithin("other value", place)))
      members.further = m_json.member(otherKey(keys, place), std::move(*value));
    return countedObject(members, fewest, mostMembers, place);
  }

  Expression otherKey(const std::vector<std::string>& keys, const SchemaPlace& place) {
    if (keys.empty()) return m_json.string();
    for (const std::string& key : keys)
      m_source.spend(kWorkOfKeyByte * static_cast<std::int64_t>(std::min<std::size_t>(key.size(), 24) + 1),
                     place);
    return ruleOf(m_json.add(nameWithin("other key", place), m_json.keyBeside(keys)));
  }

  // Free members may have the same key, so that only one of them counts for minProperties.
  MaybeExpression countedObject(ObjectMembers& members, std::optional<int> fewest,
                                std::optional<int> mostMembers, const SchemaPlace& place) {
    const int named = static_cast<int>(members.named.size());
    const int required =
        static_cast<int>(std::ranges::count_if(members.named, &ObjectMembers::Named::required));
    if (mostMembers && *mostMembers < required) return std::nullopt;
    if (mostMembers && *mostMembers < named)
      refuseSchema(place, "\"maxProperties\" below the number of properties is not followed",
                   "Leave it out, or describe fewer properties.");
    if (mostMembers) members.furtherMost = *mostMembers - named;
    const int missing = fewest.value_or(0) - required;
    if (missing > 0) {
      const bool hasFurther = members.further && members.furtherMost != 0;
      if (!hasFurther && named < *fewest) return std::nullopt;
      if (named == required && missing == 1)
        members.furtherLeast = 1;
      else if (*fewest == 1)
        members.notEmpty = true;
      else
        refuseSchema(place, "\"minProperties\" above the number of required properties is not followed",
                     "Name the properties that must be there in \"required\".");
    }
    return objectOf(members, place.path, m_json);
  }

  // One pattern and no named properties: all keys match it.
  MaybeExpression objectOfPattern(const Json& schema, const Json& patterns, const SchemaPlace& place) {
    const auto hasSome = [&](const char* keyword) {
      const Json* const found = memberOf(schema, keyword);
      return found != nullptr && !found->empty();
    };
    if (!patterns.is_object()) refuseValue(place, "patternProperties", "an object of schemas");
    if (patterns.size() != 1 || hasSome("properties") || hasSome("required"))
      refuseSchema(place,
                   "\"patternProperties\" with another pattern or with named properties is not followed",
                   "Write one pattern and no properties, or properties and additionalProperties.");
    const std::string pattern = patterns.begin().key();
    const SchemaPlace there = place.below("patternProperties").below(pattern);
    Expression key = m_json.stringOf(patternIn(pattern, there), nameWithin("key", place));
    ObjectMembers members;
    SchemaPlace valuePlace = there;
    valuePlace.depth = place.depth + 1;
    if (MaybeExpression value = asRule(patterns.front(), valuePlace, nameWithin("value", place))) {
      const int rule = m_json.add(nameWithin("key", place), std::move(key));
      members.further = m_json.member(ruleOf(rule), std::move(*value));
    }
    return countedObject(members, countIn(schema, "minProperties", place),
                         countIn(schema, "maxProperties", place), place);
  }

  SchemaSource m_source;
  Grammar m_grammar;
  JsonRules m_json;
  std::map<const Json*, int> m_references;
  std::map<std::string, int> m_formats;
  std::deque<Waiting> m_waiting;
};

}  // namespace

Grammar schemaGrammar(std::string_view schema) { return SchemaCompiler(schema).compile(); }

Grammar jsonGrammar() {
  Grammar grammar;
  JsonRules json(grammar);
  grammar.root = json.object().rule;
  return grammar;
}

}  // namespace vitrine
