// SPDX-License-Identifier: Apache-2.0
// Between the browser, which counts UTF-16 units, and answers, which count code points.

export const points = (text) => [...text].length;

// UTF-16 offset to code points; one within a pair counts as before it.
export const toPoints = (text, offset) => {
  const within = offset > 0 && offset < text.length
    && /[\udc00-\udfff]/.test(text[offset]) && /[\ud800-\udbff]/.test(text[offset - 1]);
  return points(text.slice(0, within ? offset - 1 : offset));
};

// White space as the server sees it, which also takes in separators of files.
const blank = (text) => /^[\s\x1c-\x1f\x85]*$/.test(text);

// What can be marked: words and signs, or characters as readers see them.
export function tokensOf(text, language, kind) {
  const granularity = kind === "words" ? "word" : "grapheme";
  const segmenter = new Intl.Segmenter(language || undefined, { granularity });
  const tokens = [];
  let start = 0;
  for (const { segment } of segmenter.segment(text)) {
    const end = start + points(segment);
    if (!blank(segment)) tokens.push([start, end]);
    start = end;
  }
  return tokens;
}

// The token at a place, for clicks and keys: else the one that ends there.
export const tokenAt = (tokens, at) =>
  tokens.find(([start, end]) => start <= at && at < end) ?? tokens.find(([, end]) => end === at) ?? null;
