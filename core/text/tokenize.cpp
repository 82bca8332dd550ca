// SPDX-License-Identifier: Apache-2.0
#include "text/tokenize.hpp"

#include <array>
#include <cstring>

namespace tertium {

namespace {

// ---------------------------------------------------------------- ASCII classes

// kLead: the first byte of some white-space character beyond ASCII.
enum Byte : std::uint8_t { kText, kSpaceByte, kMark, kPoint, kDigit, kDash, kLead };

// The characters that mteval-v13a always cuts off: {-~ [-` space-& (-+ :-@ /
constexpr bool is_mark(char32_t c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}
constexpr bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
constexpr bool is_point(char32_t c) { return c == '.' || c == ','; }

constexpr std::array<std::uint8_t, 256> make_bytes() {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = 0; c < 256; ++c) {
    if (c == 0xC2 || c == 0xE1 || c == 0xE2 || c == 0xE3) table[c] = kLead;
    else if (c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F)) table[c] = kSpaceByte;
    else if (is_mark(c)) table[c] = kMark;
    else if (is_point(c)) table[c] = kPoint;
    else if (is_digit(c)) table[c] = kDigit;
    else if (c == '-') table[c] = kDash;
  }
  return table;
}
constexpr std::array<std::uint8_t, 256> kBytes = make_bytes();

// Bytes that may be or begin white space, and all bytes that 13a looks at:
// everything but letters, digits, apostrophes and most of Unicode.
constexpr ByteRange kSpaceStops[] = {{0, ' '}, {0xC2, 0xC2}, {0xE1, 0xE3}};
// All but ASCII letters and digits; of other characters the first byte.
constexpr ByteRange kStopsWords[] = {
    {0, '/'}, {':', '@'}, {'[', '`'}, {'{', 0x7F}, {0xC2, 0xF4}};
constexpr ByteRange kStops13a[] = {{0, '&'},   {'(', '/'},   {':', '@'},  {'[', '`'},
                                   {'{', '~'}, {0xC2, 0xC2}, {0xE1, 0xE3}};

std::uint8_t byte_class(std::string_view text, std::size_t i) {
  return kBytes[static_cast<unsigned char>(text[i])];
}

// The length of the white-space character at i, 0 if there is none.
std::size_t space_length(std::string_view text, std::size_t i) {
  const std::uint8_t kind = byte_class(text, i);
  if (kind == kSpaceByte) return 1;
  if (kind != kLead) return 0;
  std::size_t next = i;
  return is_space(next_point(text, next)) ? next - i : 0;
}

bool holds(std::string_view text, char c) {
  return !text.empty() && std::memchr(text.data(), c, text.size()) != nullptr;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t start = 0;
  while ((start = text.find(from, start)) != std::string::npos) {
    text.replace(start, from.size(), to);
    start += to.size();
  }
}

void unescape(std::string& text) {
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

// ------------------------------------------------------------------------- 13a

// mteval-v13a in one pass over the bytes. The original runs four regular
// expressions one after the other over a line padded with spaces:
//
//   1  (mark)            -> ' \1 '     marks stand alone
//   2  ([^0-9])([.,])    -> '\1 \2 '   cut at . and , unless after a digit
//   3  ([.,])([^0-9])    -> ' \1 \2'   cut at . and , unless before a digit
//   4  ([0-9])(-)        -> '\1 \2 '   cut at a dash after a digit
//
// Only runs of points need care, because 2 consumes them two by two. In a run
// of k points with neighbours c and e, all points are apart when k > 1; the
// run is cut from c unless c is a digit, k is 1 and e is a digit; it is cut
// from e if e is not a digit, or if rule 2 consumed the last point: k odd with c
// no digit, or k even with c a digit.
void tokenize_13a(std::string_view line, Stops& stops, std::vector<std::string_view>& tokens) {
  stops.scan(line, kStops13a);
  const std::size_t n = line.size();
  std::size_t start = 0;  // of the token under construction
  std::size_t ahead = 0;  // stops before this place are done with
  const auto cut = [&](std::size_t end, std::size_t next) {
    if (end > start) tokens.push_back(line.substr(start, end - start));
    start = next;
  };
  stops.for_each([&](std::size_t i) {
    if (i < ahead) return;
    switch (byte_class(line, i)) {
      case kSpaceByte:
        return cut(i, i + 1);
      case kMark:
        cut(i, i);
        return cut(i + 1, i + 1);
      case kDash:
        if (i == 0 || byte_class(line, i - 1) != kDigit) return;
        cut(i, i);
        return cut(i + 1, i + 1);
      case kPoint: {
        std::size_t end = i + 1;
        while (end < n && byte_class(line, end) == kPoint) ++end;
        const std::size_t k = end - i;
        const bool digit_before = i > 0 && byte_class(line, i - 1) == kDigit;
        const bool digit_after = end < n && byte_class(line, end) == kDigit;
        const bool consumed = (k % 2 == 1) != digit_before;
        if (!digit_before || k > 1 || !digit_after) cut(i, i);
        for (std::size_t p = i + 1; p < end; ++p) cut(p, p);
        if (consumed || !digit_after) cut(end, end);
        ahead = end;
        return;
      }
      case kLead:
        if (const std::size_t length = space_length(line, i)) cut(i, i + length);
        return;
      default:  // control characters
        return;
    }
  });
  cut(n, n);
}

// ----------------------------------------------------------------------- words

// Marks inside of words: points of numbers, apostrophes (and Catalan's and Hebrew's
// like them), hyphens.
constexpr bool is_number_point(char32_t c) {
  return c == '.' || c == ',' || c == 0x066B || c == 0x066C;
}
constexpr bool is_apostrophe(char32_t c) {
  return c == '\'' || c == 0x2019 || c == 0x00B7 || c == 0x05F3 || c == 0x05F4;
}
constexpr bool is_hyphen(char32_t c) { return c == '-' || c == 0x2010 || c == 0x2011; }

struct Character {
  char32_t point = ' ';
  std::size_t end = 0;
  CharClass kind = kOther;

  // Whether it can stand in the middle of a word.
  bool joins() const { return (kind == kOther && !is_space(point)) || kind == kNumber; }
};

Character character_at(std::string_view line, std::size_t i) {
  Character found;
  found.end = i;
  if (i >= line.size()) return found;
  found.point = next_point(line, found.end);
  found.kind = char_class(found.point);
  return found;
}

// The last character of a text that is not empty.
Character last_character(std::string_view text) {
  std::size_t i = text.size() - 1;
  while (i > 0 && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) --i;
  return character_at(text, i);
}

// Words of any script, without punctuation unless it stands inside a number (1,000.50)
// or a word (don't, well-known; a hyphen after a digit parts words as in 13a). Symbols
// ($, emoji) are words of their own, and so are letters of scripts without spaces (Han,
// Hiragana, Thai, ...). Combining marks stay with what they follow.
void tokenize_words(std::string_view line, Stops& stops, std::vector<std::string_view>& tokens) {
  stops.scan(line, kStopsWords);
  std::size_t start = 0;  // of the token under construction
  std::size_t ahead = 0;  // stops before this place are done with
  const auto cut = [&](std::size_t end, std::size_t next) {
    if (end > start) tokens.push_back(line.substr(start, end - start));
    start = next;
  };
  const auto stays = [&](std::size_t i, const Character& mark) {
    if (i == start) return false;
    const Character next = character_at(line, mark.end);
    const bool after_number = last_character(line.substr(start, i - start)).kind == kNumber;
    if (is_number_point(mark.point)) return after_number && next.kind == kNumber;
    if (is_apostrophe(mark.point)) return next.joins();
    return is_hyphen(mark.point) && !after_number && next.joins();
  };
  stops.for_each([&](std::size_t i) {
    if (i < ahead) return;
    Character found = character_at(line, i);
    if (is_space(found.point)) return cut(i, found.end);
    if (found.kind == kOther || found.kind == kNumber || found.kind == kCombining) return;
    if (found.kind != kSpaceless && stays(i, found)) return;
    cut(i, i);
    std::size_t end = found.end;
    const bool dropped = found.kind == kPunctuation;
    while ((found = character_at(line, end)).kind == kCombining) end = found.end;
    if (dropped) start = end;
    cut(end, end);
    ahead = end;
  });
  cut(line.size(), line.size());
}

// ------------------------------------------ regular expressions, pass by pass

// Put spaces around every character of a class.
template <class Member>
std::u32string set_apart(std::u32string_view text, Member&& member) {
  std::u32string out;
  out.reserve(text.size() * 2);
  for (const char32_t c : text) {
    if (member(c)) {
      out += U' ';
      out += c;
      out += U' ';
    } else {
      out += c;
    }
  }
  return out;
}

// (left)(right) -> '\1 \2 ' (Cut::kAround the right one) or ' \1 \2'.
enum class Cut { kRight, kLeft };

template <class Left, class Right>
std::u32string cut_pairs(std::u32string_view text, Left&& left, Right&& right, Cut cut) {
  std::u32string out;
  out.reserve(text.size() * 2);
  std::size_t i = 0;
  while (i < text.size()) {
    if (i + 1 < text.size() && left(text[i]) && right(text[i + 1])) {
      if (cut == Cut::kLeft) out += U' ';
      out += text[i];
      out += U' ';
      out += text[i + 1];
      if (cut == Cut::kRight) out += U' ';
      i += 2;
    } else {
      out += text[i++];
    }
  }
  return out;
}

bool not_digit(char32_t c) { return !is_digit(c); }

// Rules 2 to 4 of mteval-v13a (see above).
std::u32string cut_points_and_dashes(std::u32string text) {
  text = cut_pairs(text, not_digit, is_point, Cut::kRight);
  text = cut_pairs(text, is_point, not_digit, Cut::kLeft);
  return cut_pairs(text, is_digit, [](char32_t c) { return c == '-'; }, Cut::kRight);
}

// ------------------------------------------------------------------------ intl

std::u32string tokenize_intl(std::u32string text) {
  const auto is_p = [](char32_t c) { return char_class(c) == kPunctuation; };
  const auto not_n = [](char32_t c) { return char_class(c) != kNumber; };
  text = cut_pairs(text, not_n, is_p, Cut::kRight);
  text = cut_pairs(text, is_p, not_n, Cut::kLeft);
  return set_apart(text, [](char32_t c) { return char_class(c) == kSymbol; });
}

// -------------------------------------------------------------------------- zh

struct PointRange {
  char32_t first, last;
};

template <std::size_t N>
bool within(const PointRange (&ranges)[N], char32_t c) {
  for (const PointRange& range : ranges)
    if (range.first <= c && c <= range.last) return true;
  return false;
}

// sacreBLEU writes two ranges beyond the BMP with \u instead of \U and so
// compares with two-character strings; what they really cover is
// U+2001-U+2A6D and U+2F81-U+2FA1, and we keep that.
constexpr PointRange kChinese[] = {
    {0x3400, 0x4DB5}, {0x4E00, 0x9FA5}, {0x9FA6, 0x9FBB}, {0xF900, 0xFA2D},
    {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0x2001, 0x2A6D}, {0x2F81, 0x2FA1},
    {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF}, {0x3000, 0x303F}, {0x31C0, 0x31EF},
    {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
    {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0x2600, 0x26FF}, {0x2700, 0x27BF},
    {0x3200, 0x32FF}, {0x3300, 0x33FF}};

std::u32string tokenize_zh(std::u32string_view text) {
  std::u32string out = set_apart(text, [](char32_t c) { return within(kChinese, c); });
  out = set_apart(out, is_mark);
  return cut_points_and_dashes(std::move(out));
}

// ---------------------------------------------------------------------- Tercom

constexpr PointRange kAsian[] = {  // 3200-3F22 as in Tercom's port, not 32FF
    {0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x31C0, 0x31EF}, {0x2E80, 0x2EFF},
    {0x3300, 0x33FF}, {0xF900, 0xFAFF}, {0xFE30, 0xFE4F}, {0x3200, 0x3F22}};
constexpr PointRange kAsianMarks[] = {
    {0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0xFF61, 0xFF65},
    {0x30FB, 0x30FB}, {0xFF0E, 0xFF0E}, {0xFF0C, 0xFF0C}, {0xFF1F, 0xFF1F},
    {0xFF1A, 0xFF1B}, {0xFF01, 0xFF02}, {0xFF08, 0xFF09}};

bool is_asian_mark(char32_t c) { return within(kAsianMarks, c); }

std::u32string replace_all(std::u32string_view text, std::u32string_view from,
                           std::u32string_view to) {
  std::u32string out;
  std::size_t start = 0;
  for (;;) {
    const std::size_t found = text.find(from, start);
    out += text.substr(start, found - start);
    if (found == std::u32string_view::npos) return out;
    out += to;
    start = found + from.size();
  }
}

std::u32string tercom_normalize(std::string_view line, bool asian) {
  std::string bytes(line);
  replace_all(bytes, "\n-", "");
  replace_all(bytes, "\n", " ");
  unescape(bytes);
  std::u32string text = U' ' + decode(bytes) + U' ';
  text = set_apart(text, is_mark);
  text = replace_all(text, U"'s ", U" 's ");
  text = cut_points_and_dashes(std::move(text));
  if (asian) {
    // Repeated set_apart equals one pass over the union: only spaces are added.
    // The kana rules of the original cannot match a line padded with spaces.
    text = set_apart(text, [](char32_t c) { return within(kAsian, c) || is_asian_mark(c); });
  }
  return text;
}

void erase_marks(std::u32string& text, bool asian) {
  std::erase_if(text, [&](char32_t c) {
    if (c < 0x80) return c != 0 && std::strchr(".,?:;!\"()", static_cast<int>(c)) != nullptr;
    return asian && is_asian_mark(c);
  });
}

}  // namespace

void split(std::string_view line, Stops& stops, std::vector<std::string_view>& tokens) {
  stops.scan(line, kSpaceStops);
  std::size_t start = 0;
  stops.for_each([&](std::size_t i) {
    const std::size_t length = space_length(line, i);
    if (length == 0) return;
    if (i > start) tokens.push_back(line.substr(start, i - start));
    start = i + length;
  });
  if (line.size() > start) tokens.push_back(line.substr(start));
}

std::string& Tokenizer::buffer() {
  if (used_ == buffers_.size()) buffers_.emplace_back();
  return buffers_[used_++];
}

void Tokenizer::operator()(std::string_view line, std::vector<std::string_view>& tokens) {
  tokens.clear();
  switch (scheme_) {
    case Scheme::kNone:
      return split(line, stops_, tokens);
    case Scheme::k13a: {
      if (!holds(line, '\n') && !holds(line, '&') && !holds(line, '<'))
        return tokenize_13a(line, stops_, tokens);
      std::string& text = buffer();
      text = strip_right(line);
      replace_all(text, "<skipped>", "");
      replace_all(text, "-\n", "");
      replace_all(text, "\n", " ");
      unescape(text);
      return tokenize_13a(text, stops_, tokens);
    }
    case Scheme::kIntl:
      return split(encode(tokenize_intl(decode(strip_right(line))), buffer()), stops_, tokens);
    case Scheme::kZh:
      return split(encode(tokenize_zh(decode(strip(line))), buffer()), stops_, tokens);
    case Scheme::kChar:
      for (std::size_t i = 0; i < line.size();) {
        const std::size_t start = i;
        if (!is_space(next_point(line, i))) tokens.push_back(line.substr(start, i - start));
      }
      return;
    case Scheme::kWords:
      return tokenize_words(line, stops_, tokens);
    case Scheme::kTercom: {
      if (!tercom_.normalized && !tercom_.no_punct) return split(line, stops_, tokens);
      line = strip_right(line);
      std::u32string text = tercom_.normalized && !line.empty()
                                ? tercom_normalize(line, tercom_.asian_support)
                                : decode(line);
      if (tercom_.no_punct) erase_marks(text, tercom_.asian_support);
      return split(encode(text, buffer()), stops_, tokens);
    }
  }
}

}  // namespace tertium
