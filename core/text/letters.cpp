// SPDX-License-Identifier: Apache-2.0
#include "text/letters.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "text/unicode.hpp"

namespace tertium {

namespace {

struct CaseRange {
  char32_t first, last, step;
  std::int32_t offset;
};

constexpr CaseRange kLower[] = {
#include "text/lower_case.inc"
};

constexpr char32_t kCased = 0x20000;  // nothing above has a case

std::vector<char32_t> make_lower() {
  std::vector<char32_t> table(kCased);
  for (char32_t c = 0; c < kCased; ++c) table[c] = c;
  for (const CaseRange& range : kLower)
    for (char32_t c = range.first; c <= range.last; c += range.step)
      table[c] = static_cast<char32_t>(static_cast<std::int32_t>(c) + range.offset);
  return table;
}

struct Block {
  char32_t first, last;
  Script script;
};

// The blocks of Unicode, rising.
constexpr Block kBlocks[] = {
    {0x0041, 0x024F, Script::kLatin},      {0x0250, 0x02AF, Script::kLatin},
    {0x0370, 0x03FF, Script::kGreek},      {0x0400, 0x052F, Script::kCyrillic},
    {0x0530, 0x058F, Script::kArmenian},   {0x0590, 0x05FF, Script::kHebrew},
    {0x0600, 0x06FF, Script::kArabic},     {0x0750, 0x077F, Script::kArabic},
    {0x08A0, 0x08FF, Script::kArabic},     {0x0900, 0x097F, Script::kDevanagari},
    {0x0980, 0x09FF, Script::kBengali},    {0x0A00, 0x0A7F, Script::kGurmukhi},
    {0x0A80, 0x0AFF, Script::kGujarati},   {0x0B00, 0x0B7F, Script::kOriya},
    {0x0B80, 0x0BFF, Script::kTamil},      {0x0C00, 0x0C7F, Script::kTelugu},
    {0x0C80, 0x0CFF, Script::kKannada},    {0x0D00, 0x0D7F, Script::kMalayalam},
    {0x0D80, 0x0DFF, Script::kSinhala},    {0x0E00, 0x0E7F, Script::kThai},
    {0x0E80, 0x0EFF, Script::kLao},        {0x0F00, 0x0FFF, Script::kTibetan},
    {0x1000, 0x109F, Script::kMyanmar},    {0x10A0, 0x10FF, Script::kGeorgian},
    {0x1100, 0x11FF, Script::kHangul},     {0x1200, 0x139F, Script::kEthiopic},
    {0x1780, 0x17FF, Script::kKhmer},      {0x1E00, 0x1EFF, Script::kLatin},
    {0x1F00, 0x1FFF, Script::kGreek},      {0x3040, 0x30FF, Script::kKana},
    {0x3130, 0x318F, Script::kHangul},     {0x3400, 0x9FFF, Script::kHan},
    {0xA640, 0xA69F, Script::kCyrillic},   {0xA720, 0xA7FF, Script::kLatin},
    {0xAC00, 0xD7A3, Script::kHangul},     {0xF900, 0xFAFF, Script::kHan},
    {0xFB00, 0xFB06, Script::kLatin},      {0xFB50, 0xFDFF, Script::kArabic},
    {0xFE70, 0xFEFF, Script::kArabic},     {0xFF21, 0xFF5A, Script::kLatin},
    {0xFF66, 0xFF9D, Script::kKana},       {0x20000, 0x2FFFF, Script::kHan},
};

}  // namespace

char32_t lower_case(char32_t c) {
  if (c < 0x80) return c >= U'A' && c <= U'Z' ? c + 32 : c;
  static const std::vector<char32_t> table = make_lower();
  return c < kCased ? table[c] : c;
}

Script script_of(char32_t c) {
  if (c < 0x80)
    return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') ? Script::kLatin
                                                               : Script::kUncommon;
  const CharClass kind = char_class(c);
  if (kind != kOther && kind != kSpaceless) return Script::kUncommon;
  const Block* block = std::upper_bound(std::begin(kBlocks), std::end(kBlocks), c,
                                        [](char32_t x, const Block& b) { return x < b.first; });
  if (block == std::begin(kBlocks) || c > std::prev(block)->last) return Script::kUncommon;
  return std::prev(block)->script;
}

}  // namespace tertium
