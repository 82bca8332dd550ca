// SPDX-License-Identifier: Apache-2.0
// What can be undone and redone: answers as text, before and after the one that is shown.

export const begin = (now) => ({ past: [], now, future: [] });

// A move; one that changes nothing keeps what was undone.
export const record = (history, next) =>
  (next === history.now ? history : { past: [...history.past, history.now], now: next, future: [] });

export function back({ past, now, future }) {
  if (past.length === 0) return { past, now, future };
  return { past: past.slice(0, -1), now: past[past.length - 1], future: [now, ...future] };
}

export function forward({ past, now, future }) {
  if (future.length === 0) return { past, now, future };
  return { past: [...past, now], now: future[0], future: future.slice(1) };
}
