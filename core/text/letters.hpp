// SPDX-License-Identifier: Apache-2.0
// Case and script of single characters.
#pragma once

#include <cstdint>

namespace tertium {

// The lower case of a character, if it is one character too.
char32_t lower_case(char32_t c);

// Writing systems, as far as texts of one language are told from those of another by
// them. Scripts that few texts have, and all that is not a letter, are kUncommon.
enum class Script : std::uint8_t {
  kUncommon, kLatin, kGreek, kCyrillic, kArmenian, kHebrew, kArabic,
  kDevanagari, kBengali, kGurmukhi, kGujarati, kOriya, kTamil, kTelugu, kKannada, kMalayalam,
  kSinhala, kThai, kLao, kTibetan, kMyanmar, kGeorgian, kHangul, kEthiopic, kKhmer, kKana, kHan,
};

Script script_of(char32_t c);

}  // namespace tertium
