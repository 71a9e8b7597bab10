/* SPDX-License-Identifier: BSD-2-Clause */
// Is a text JSON? Says where not; keeps nothing.
#ifndef SOFTHCA_TESTS_JSON_CHECK_H
#define SOFTHCA_TESTS_JSON_CHECK_H

#include <cctype>
#include <cstring>
#include <sstream>
#include <string>

class JsonCheck {
 public:
  explicit JsonCheck(const std::string &text) : p(text.c_str()), begin(p) {
    ok = Value() && (Space(), !*p);
  }
  bool Ok() const { return ok; }
  size_t Where() const { return static_cast<size_t>(p - begin); }

 private:
  void Space() {
    while (*p == ' ')
      p++;
  }
  bool Take(char c) {
    Space();
    return *p == c && p++;
  }
  bool Word(const char *w) { return !strncmp(p, w, strlen(w)) && (p += strlen(w)); }
  bool String() {
    if (!Take('"'))
      return false;
    for (; *p && *p != '"'; p++) {
      if (static_cast<unsigned char>(*p) < 0x20)
        return false;
      if (*p == '\\' && !strchr("\"\\/bfnrtu", *++p))
        return false;
    }
    return *p && p++;
  }
  bool Number() {
    const char *from = p;
    p += *p == '-';
    while (isdigit(static_cast<unsigned char>(*p)))
      p++;
    return p > from;
  }
  bool Member() { return String() && Take(':') && Value(); }
  template <typename Element> bool List(char close, Element element) {
    if (Take(close))
      return true;
    do {
      if (!element())
        return false;
    } while (Take(','));
    return Take(close);
  }
  bool Value() {
    Space();
    if (Take('{'))
      return List('}', [this] { return Member(); });
    if (Take('['))
      return List(']', [this] { return Value(); });
    if (*p == '"')
      return String();
    return Word("true") || Word("false") || Word("null") || Number();
  }
  const char *p, *begin;
  bool ok;
};

// "" if each line is a JSON value; else what is wrong.
inline std::string JsonLinesProblem(const std::string &text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    JsonCheck check(line);
    if (!check.Ok())
      return "no JSON from byte " + std::to_string(check.Where()) + " of: " + line;
  }
  return "";
}

#endif
