#include "widgets/markdown/maths_symbols.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace vitrine {
namespace {

using Table = std::unordered_map<std::string_view, std::string_view>;

// Small Greek letters are slanted, capitals are not.
const Table kSmallGreek = {
    {"alpha", "α"},      {"beta", "β"},    {"gamma", "γ"},    {"delta", "δ"}, {"epsilon", "ϵ"},
    {"varepsilon", "ε"}, {"zeta", "ζ"},    {"eta", "η"},      {"theta", "θ"}, {"vartheta", "ϑ"},
    {"iota", "ι"},       {"kappa", "κ"},   {"lambda", "λ"},   {"mu", "μ"},    {"nu", "ν"},
    {"xi", "ξ"},         {"omicron", "ο"}, {"pi", "π"},       {"varpi", "ϖ"}, {"rho", "ρ"},
    {"varrho", "ϱ"},     {"sigma", "σ"},   {"varsigma", "ς"}, {"tau", "τ"},   {"upsilon", "υ"},
    {"phi", "ϕ"},        {"varphi", "φ"},  {"chi", "χ"},      {"psi", "ψ"},   {"omega", "ω"}};

const Table kOrdinary = {
    {"Gamma", "Γ"},       {"Delta", "Δ"},      {"Theta", "Θ"},      {"Lambda", "Λ"},  {"Xi", "Ξ"},
    {"Pi", "Π"},          {"Sigma", "Σ"},      {"Upsilon", "Υ"},    {"Phi", "Φ"},     {"Psi", "Ψ"},
    {"Omega", "Ω"},       {"infty", "∞"},      {"partial", "∂"},    {"nabla", "∇"},   {"forall", "∀"},
    {"exists", "∃"},      {"nexists", "∄"},    {"neg", "¬"},        {"lnot", "¬"},    {"emptyset", "∅"},
    {"varnothing", "∅"},  {"hbar", "ℏ"},       {"ell", "ℓ"},        {"Re", "ℜ"},      {"Im", "ℑ"},
    {"aleph", "ℵ"},       {"angle", "∠"},      {"triangle", "△"},   {"square", "□"},  {"Box", "□"},
    {"blacksquare", "■"}, {"checkmark", "✓"},  {"prime", "′"},      {"top", "⊤"},     {"bot", "⊥"},
    {"degree", "°"},      {"%", "%"},          {"$", "$"},          {"&", "&"},       {"#", "#"},
    {"_", "_"},           {"dag", "†"},        {"dagger", "†"},     {"ddagger", "‡"}, {"imath", "ı"},
    {"jmath", "ȷ"},       {"wp", "℘"},         {"vdots", "⋮"},      {"|", "‖"},       {"Vert", "‖"},
    {"vert", "|"},        {"backslash", "\\"}, {"complement", "∁"}, {"dots", "…"},    {"ldots", "…"},
    {"cdots", "⋯"},       {"ddots", "⋱"},      {"dotsc", "…"},      {"dotsb", "⋯"},   {"colon", ":"},
    {"star", "⋆"},        {"bullet", "∙"}};

const Table kBinary = {{"pm", "±"},     {"mp", "∓"},      {"times", "×"},    {"div", "÷"},
                       {"cdot", "⋅"},   {"ast", "∗"},     {"circ", "∘"},     {"oplus", "⊕"},
                       {"ominus", "⊖"}, {"otimes", "⊗"},  {"odot", "⊙"},     {"oslash", "⊘"},
                       {"cup", "∪"},    {"cap", "∩"},     {"setminus", "∖"}, {"smallsetminus", "∖"},
                       {"land", "∧"},   {"wedge", "∧"},   {"lor", "∨"},      {"vee", "∨"},
                       {"sqcup", "⊔"},  {"sqcap", "⊓"},   {"uplus", "⊎"},    {"amalg", "⨿"},
                       {"wr", "≀"},     {"boxplus", "⊞"}, {"boxtimes", "⊠"}, {"diamond", "⋄"}};

const Table kRelation = {{"le", "≤"},
                         {"leq", "≤"},
                         {"ge", "≥"},
                         {"geq", "≥"},
                         {"leqslant", "⩽"},
                         {"geqslant", "⩾"},
                         {"ne", "≠"},
                         {"neq", "≠"},
                         {"ll", "≪"},
                         {"gg", "≫"},
                         {"approx", "≈"},
                         {"sim", "∼"},
                         {"simeq", "≃"},
                         {"cong", "≅"},
                         {"equiv", "≡"},
                         {"propto", "∝"},
                         {"in", "∈"},
                         {"notin", "∉"},
                         {"ni", "∋"},
                         {"subset", "⊂"},
                         {"subseteq", "⊆"},
                         {"supset", "⊃"},
                         {"supseteq", "⊇"},
                         {"subsetneq", "⊊"},
                         {"perp", "⊥"},
                         {"parallel", "∥"},
                         {"mid", "∣"},
                         {"nmid", "∤"},
                         {"prec", "≺"},
                         {"succ", "≻"},
                         {"preceq", "⪯"},
                         {"succeq", "⪰"},
                         {"models", "⊨"},
                         {"vdash", "⊢"},
                         {"dashv", "⊣"},
                         {"vDash", "⊨"},
                         {"asymp", "≍"},
                         {"doteq", "≐"},
                         {"triangleq", "≜"},
                         {"coloneqq", "≔"},
                         {"to", "→"},
                         {"rightarrow", "→"},
                         {"gets", "←"},
                         {"leftarrow", "←"},
                         {"leftrightarrow", "↔"},
                         {"Rightarrow", "⇒"},
                         {"Leftarrow", "⇐"},
                         {"Leftrightarrow", "⇔"},
                         {"implies", "⟹"},
                         {"impliedby", "⟸"},
                         {"iff", "⟺"},
                         {"longrightarrow", "⟶"},
                         {"longleftarrow", "⟵"},
                         {"Longrightarrow", "⟹"},
                         {"Longleftrightarrow", "⟺"},
                         {"mapsto", "↦"},
                         {"longmapsto", "⟼"},
                         {"hookrightarrow", "↪"},
                         {"rightharpoonup", "⇀"},
                         {"rightleftharpoons", "⇌"},
                         {"uparrow", "↑"},
                         {"downarrow", "↓"},
                         {"updownarrow", "↕"},
                         {"Uparrow", "⇑"},
                         {"Downarrow", "⇓"},
                         {"nearrow", "↗"},
                         {"searrow", "↘"},
                         {"swarrow", "↙"},
                         {"nwarrow", "↖"},
                         {"lesssim", "≲"},
                         {"gtrsim", "≳"},
                         {"therefore", "∴"},
                         {"because", "∵"}};

const Table kOpen = {{"{", "{"},     {"lbrace", "{"}, {"lbrack", "["}, {"langle", "⟨"}, {"lfloor", "⌊"},
                     {"lceil", "⌈"}, {"lvert", "|"},  {"lVert", "‖"},  {"lparen", "("}};
const Table kClose = {{"}", "}"},     {"rbrace", "}"}, {"rbrack", "]"}, {"rangle", "⟩"}, {"rfloor", "⌋"},
                      {"rceil", "⌉"}, {"rvert", "|"},  {"rVert", "‖"},  {"rparen", ")"}};

// Larger in display style. Integrals have their limits beside them.
const Table kBig = {{"sum", "∑"},    {"prod", "∏"},     {"coprod", "∐"},    {"bigcup", "⋃"},
                    {"bigcap", "⋂"}, {"bigoplus", "⨁"}, {"bigotimes", "⨂"}, {"bigodot", "⨀"},
                    {"bigvee", "⋁"}, {"bigwedge", "⋀"}, {"bigsqcup", "⨆"},  {"biguplus", "⨄"}};
const Table kIntegrals = {{"int", "∫"}, {"iint", "∬"}, {"iiint", "∭"}, {"oint", "∮"}};

constexpr auto kWords = std::to_array<std::string_view>(
    {"sin",  "cos",  "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh",
     "tanh", "coth", "log", "ln",  "lg",  "exp", "arg",    "dim",    "ker",    "deg",  "hom"});
const Table kLimitWords = {{"lim", "lim"},        {"max", "max"},        {"min", "min"},
                           {"sup", "sup"},        {"inf", "inf"},        {"det", "det"},
                           {"gcd", "gcd"},        {"Pr", "Pr"},          {"limsup", "lim sup"},
                           {"liminf", "lim inf"}, {"argmax", "arg max"}, {"argmin", "arg min"}};

const std::unordered_map<std::string_view, double> kSpaces = {
    {",", 1.0 / 6},  {"thinspace", 1.0 / 6}, {":", 2.0 / 9},  {">", 2.0 / 9},   {";", 5.0 / 18},
    {"!", -1.0 / 6}, {" ", 1.0 / 4},         {"\n", 1.0 / 4}, {"enspace", 0.5}, {"quad", 1},
    {"qquad", 2}};

const Table kAccents = {{"hat", "^"},       {"widehat", "^"}, {"bar", "¯"},   {"tilde", "~"},
                        {"widetilde", "~"}, {"vec", "→"},     {"dot", "˙"},   {"ddot", "¨"},
                        {"check", "ˇ"},     {"breve", "˘"},   {"acute", "´"}, {"grave", "`"},
                        {"mathring", "˚"}};

MathsNode symbol(std::string_view text, MathsAtom atom, MathsLetters letters = MathsLetters::kUpright) {
  MathsNode node;
  node.kind = MathsKind::kSymbol;
  node.text = text;
  node.atom = atom;
  node.letters = letters;
  return node;
}

bool holds(const Table& table, std::string_view text) {
  return std::ranges::any_of(table, [text](const auto& entry) { return entry.second == text; });
}

}  // namespace

std::optional<MathsNode> mathsSymbol(std::string_view command) {
  static const std::array<std::pair<const Table*, MathsAtom>, 5> kTables = {
      {{&kOrdinary, MathsAtom::kOrdinary},
       {&kBinary, MathsAtom::kBinary},
       {&kRelation, MathsAtom::kRelation},
       {&kOpen, MathsAtom::kOpen},
       {&kClose, MathsAtom::kClose}}};
  if (const auto found = kSmallGreek.find(command); found != kSmallGreek.end())
    return symbol(found->second, MathsAtom::kOrdinary, MathsLetters::kItalic);
  for (const auto& [table, atom] : kTables)
    if (const auto found = table->find(command); found != table->end()) {
      MathsNode node = symbol(found->second, atom);
      if (command == "colon" || command == "dotsc") node.atom = MathsAtom::kPunctuation;
      if (command == "ldots" || command == "dots" || command == "cdots") node.atom = MathsAtom::kInner;
      return node;
    }
  for (const Table* const table : {&kBig, &kIntegrals, &kLimitWords})
    if (const auto found = table->find(command); found != table->end()) {
      MathsNode node = symbol(found->second, MathsAtom::kOperator);
      node.limits = table != &kIntegrals;
      node.big = table != &kLimitWords;
      if (!node.big) node.letters = MathsLetters::kText;
      return node;
    }
  if (std::ranges::find(kWords, command) != kWords.end())
    return symbol(command, MathsAtom::kOperator, MathsLetters::kText);
  if (const auto found = kSpaces.find(command); found != kSpaces.end()) {
    MathsNode node;
    node.kind = MathsKind::kSpace;
    node.em = found->second;
    return node;
  }
  return {};
}

MathsNode mathsCharacter(std::string_view character) {
  const char c = character.front();
  const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (isLetter) return symbol(character, MathsAtom::kOrdinary, MathsLetters::kItalic);
  if (c == '-') return symbol("−", MathsAtom::kBinary);
  if (c == '*') return symbol("∗", MathsAtom::kBinary);
  if (c == '+') return symbol(character, MathsAtom::kBinary);
  if (c == '=' || c == '<' || c == '>' || c == ':') return symbol(character, MathsAtom::kRelation);
  if (c == '(' || c == '[') return symbol(character, MathsAtom::kOpen);
  if (c == ')' || c == ']' || c == '!' || c == '?') return symbol(character, MathsAtom::kClose);
  if (c == ',' || c == ';') return symbol(character, MathsAtom::kPunctuation);
  if (static_cast<unsigned char>(c) < 0x80) return symbol(character, MathsAtom::kOrdinary);
  if (holds(kRelation, character)) return symbol(character, MathsAtom::kRelation);
  if (holds(kBinary, character) || character == "·") return symbol(character, MathsAtom::kBinary);
  if (holds(kSmallGreek, character)) return symbol(character, MathsAtom::kOrdinary, MathsLetters::kItalic);
  for (const Table* const table : {&kBig, &kIntegrals})
    if (holds(*table, character)) {
      MathsNode node = symbol(character, MathsAtom::kOperator);
      node.limits = table == &kBig;
      node.big = true;
      return node;
    }
  return symbol(character, MathsAtom::kOrdinary);
}

std::optional<std::string_view> mathsFence(std::string_view token) {
  static constexpr auto kPlain =
      std::to_array<std::string_view>({"(", ")", "[", "]", "|", "/", "⟨", "⟩", "‖", "⌊", "⌋", "⌈", "⌉"});
  if (token == ".") return "";
  if (token == "<") return "⟨";
  if (token == ">") return "⟩";
  if (const auto found = std::ranges::find(kPlain, token); found != kPlain.end()) return *found;
  if (!token.starts_with('\\')) return {};
  token.remove_prefix(1);
  if (token == "|" || token == "Vert") return "‖";
  if (token == "vert") return "|";
  for (const Table* const table : {&kOpen, &kClose})
    if (const auto found = table->find(token); found != table->end()) return found->second;
  return {};
}

std::string_view mathsAccent(std::string_view command) {
  const auto found = kAccents.find(command);
  return found == kAccents.end() ? std::string_view() : found->second;
}

}  // namespace vitrine
