/** Returns a list without an item that it has, or with one that it has not, at the end. */
export function toggled<Item>(list: readonly Item[], item: Item): readonly Item[] {
  return list.includes(item) ? list.filter((one) => one !== item) : [...list, item];
}
