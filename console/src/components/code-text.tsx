/** A text of the API: parts between backticks are shown as code. */
export function CodeText({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    // The parts have no other identity than their position: every second one is code.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
