// The syntax tree of a template: what the parser makes and the interpreter walks.
//
// Thread: immutable once it is parsed, so any number of threads may render it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "text/jinja/builtin.h"
#include "text/jinja/place.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

using NameId = std::uint32_t;  // an index into Program::names

struct Expression;
using ExpressionPointer = std::unique_ptr<const Expression>;
using Expressions = std::vector<ExpressionPointer>;

struct Literal {
  Value value;
};
struct Name {
  NameId id;
};
struct ListLiteral {
  Expressions items;
  bool isTuple;
};
struct MappingLiteral {
  std::vector<std::pair<ExpressionPointer, ExpressionPointer>> entries;
};
struct AttributeOf {
  ExpressionPointer object;
  std::string name;
};
struct ItemOf {
  ExpressionPointer object, key;
};
struct SliceOf {
  ExpressionPointer object, start, stop, step;  // of the last three any may be null
};

struct ArgumentList {
  Expressions positional;
  std::vector<std::pair<std::string, ExpressionPointer>> named;
  ExpressionPointer morePositional, moreNamed;  // *a and **b, or null
};
struct CallOf {
  ExpressionPointer callee;
  ArgumentList arguments;
};
struct Filter {
  ExpressionPointer value;  // null in a filter block: the text of the block
  std::string name;
  const Builtin* builtin;  // null for an unknown name, which fails when it is used
  ArgumentList arguments;
};
struct Test {
  ExpressionPointer value;
  std::string name;
  const Builtin* builtin;  // as that of a filter
  ArgumentList arguments;
};

enum class UnarySign { kMinus, kPlus, kNot };
struct Unary {
  UnarySign sign;
  ExpressionPointer operand;
};
enum class BinarySign { kAdd, kSubtract, kMultiply, kDivide, kDivideFloor, kModulo, kPower, kAnd, kOr };
struct Binary {
  BinarySign sign;
  ExpressionPointer left, right;
};
enum class ComparisonSign { kEqual, kUnequal, kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kIn, kNotIn };
struct Comparison {
  ExpressionPointer first;
  std::vector<std::pair<ComparisonSign, ExpressionPointer>> rest;  // a < b < c
};
struct Concatenation {
  Expressions parts;  // a ~ b
};
struct Conditional {
  ExpressionPointer condition, then, otherwise;  // the last may be null
};

struct Expression {
  Place place;
  std::variant<Literal, Name, ListLiteral, MappingLiteral, AttributeOf, ItemOf, SliceOf, CallOf, Filter, Test,
               Unary, Binary, Comparison, Concatenation, Conditional>
      body;
  int height;  // of the tree below
};

// What an assignment writes to: a name, an attribute of a namespace, or several of them.
struct Target {
  Place place;
  NameId name = 0;
  std::optional<std::string> attribute;
  std::vector<Target> parts;
  bool isTuple = false;
};

struct Statement;
using Block = std::vector<Statement>;

struct Text {
  std::string text;
};
struct Output {
  ExpressionPointer value;
};
struct Assignment {
  Target target;
  ExpressionPointer value;
};
struct BlockAssignment {
  Target target;
  ExpressionPointer filter;  // a Filter without a value of its own, or null
  Block body;
};
struct For {
  Target target;
  ExpressionPointer items, condition;  // the last may be null
  bool isRecursive;
  Block body, otherwise;
};
struct If {
  std::vector<std::pair<ExpressionPointer, Block>> branches;
  Block otherwise;
};
struct With {
  std::vector<std::pair<Target, ExpressionPointer>> variables;
  Block body;
};

struct Parameter {
  NameId name;
  ExpressionPointer otherwise;  // null: undefined when it is not given
};
// Of a macro, or of what a call block hands to one.
struct MacroBody {
  std::string name;
  std::vector<Parameter> parameters;
  Block body;
  // Whether the body uses these names, which then stand for what was given beyond the parameters.
  bool usesCaller = false, usesPositional = false, usesNamed = false;
};
struct MacroDefinition {
  NameId name;
  std::shared_ptr<const MacroBody> macro;
};
struct CallBlock {
  ExpressionPointer call;  // a CallOf
  std::shared_ptr<const MacroBody> caller;
};
struct FilterBlock {
  ExpressionPointer filter;  // a Filter without a value of its own
  Block body;
};
// {% generation %}: what an assistant writes, for training. It renders its body.
struct Generation {
  Block body;
};
struct Break {};
struct Continue {};

struct Statement {
  Place place;
  std::variant<Text, Output, Assignment, BlockAssignment, For, If, With, MacroDefinition, CallBlock,
               FilterBlock, Generation, Break, Continue>
      body;
};

struct Program {
  Block body;
  std::vector<std::string> names;
};

// Names that the interpreter itself gives values to. They stand first in Program::names.
enum SpecialName : NameId { kLoopName, kCallerName, kPositionalName, kNamedName, kSpecialNames };

}  // namespace vitrine::jinja
