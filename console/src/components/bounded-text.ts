/** Returns a count as a text: `7`, or `100+` where the real number is higher. */
export function boundedText(value: number, atLeast: boolean): string {
  return `${value.toLocaleString('en')}${atLeast ? '+' : ''}`;
}
