/**
 * Returns the one-time code of the address (`#code=…`), and removes it from the address: neither the history nor a copy
 * of the address has it afterwards. Null without one.
 */
export function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (code === null || code === '') return null;
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  return code;
}
