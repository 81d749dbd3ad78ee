// JsonRules: the rules of JSON texts in a grammar, each made when it is first needed.
//
// White space between tokens is at most one space, or a line break and up to 20 spaces: a model that writes
// at random cannot write blanks without an end. A number has up to 15 significant digits and an exponent of
// up to two, so that every reader holds it. Keys of an object without a schema may repeat, which is legal
// JSON: no grammar of this kind can tell them apart. Thread: one at a time. Read next: schema_grammar.h.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "grammar/grammar.h"

namespace vitrine {

class JsonRules {
 public:
  explicit JsonRules(Grammar& grammar) : m_grammar(grammar) {}

  // A new rule; a name that another rule has gets a number behind it. Names are cut at 60 bytes.
  int add(const std::string& name, Expression expression = {});

  Expression blanks();     // between two tokens, or nothing
  Expression character();  // one code point of a string's value
  Expression string();
  Expression integer();  // up to 15 digits
  Expression number();
  Expression boolean();
  Expression value();  // any
  Expression object();
  Expression array();

  // A token with the blanks around it.
  Expression comma();
  // "key": value; the key is written as JSON with its quotation marks.
  Expression member(Expression key, Expression memberValue);
  // The brackets around a content, which may be left out when `emptyToo`.
  Expression bracketed(const char* open, Expression content, const char* close, bool emptyToo);

  // A string with a value of the expression, which refers to no rule: what JSON must escape is escaped.
  // `name` names rules for its characters.
  Expression stringOf(const Expression& text, const std::string& name);
  // The key of a free member: another one than these. It has neither control characters nor escapes but \"
  // and
  // \\, so that no other spelling of a key passes. Keys that share their first 24 code points with a longer
  // one of these are left out, too.
  Expression keyBeside(const std::vector<std::string>& keys);

 private:
  Expression ruleFor(const char* name, Expression (JsonRules::*make)());
  Expression makeBlanks();
  Expression makeCharacter();
  Expression makeString();
  Expression makeInteger();
  Expression makeNumber();
  Expression makeBoolean();
  Expression makeValue();
  Expression makeObject();
  Expression makeArray();
  Expression escapedText(const Expression& text, const std::string& name);
  Expression escapedClass(const std::vector<CodeRange>& ranges, const std::string& name);

  Grammar& m_grammar;
  std::map<std::string, int, std::less<>> m_made;     // the rules of this class
  std::map<std::string, int, std::less<>> m_names;    // of all rules: how often each was wanted
  std::map<std::string, int, std::less<>> m_classes;  // characters with escapes: their ranges as a key
};

}  // namespace vitrine
