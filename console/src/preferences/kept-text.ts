/** Begin of the names in the storage of the tab. */
const PREFIX = 'waybill.kept.';

/** Where the browser stores nothing, a text is kept until the page is closed. */
const memory = new Map<string, string>();

/** Whose text it is: another person at the same tab does not get it. */
export interface Keeper {
  readonly account_id: string;
  readonly principal: { readonly id: string };
}

function keyOf({ account_id: accountId, principal }: Keeper, name: string): string {
  return `${PREFIX}${accountId}.${principal.id}.${name}`;
}

/** Keeps a text in this tab until its person signs out, or another one signs in. It must hold no secret. */
export function keepText(keeper: Keeper, name: string, text: string): void {
  const key = keyOf(keeper, name);
  memory.set(key, text);
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The memory has it.
  }
}

/** Returns a text that was kept; null where there is none. */
export function keptText(keeper: Keeper, name: string): string | null {
  const key = keyOf(keeper, name);
  const text = memory.get(key);
  if (text !== undefined) return text;
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Forgets a text. */
export function forgetText(keeper: Keeper, name: string): void {
  forget((key) => key === keyOf(keeper, name));
}

/** Forgets every text that was kept. @param but whose texts stay; default: nobody's */
export function forgetTexts(but?: Keeper): void {
  forget((key) => but === undefined || !key.startsWith(keyOf(but, '')));
}

function forget(isMeant: (key: string) => boolean): void {
  for (const key of memory.keys()) if (isMeant(key)) memory.delete(key);
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX) && isMeant(key)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing was stored.
  }
}
