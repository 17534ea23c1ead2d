/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, and no list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
