/** Longest sentence, in characters: about 30 words. Tables and code are not counted. */
export const LONGEST_SENTENCE = 200;

/** Product names with their spelling. */
const names = ['BullMQ', 'Datadog', 'NestJS', 'OpenTelemetry', 'Prometheus', 'Valkey'];

/** Words that this project does not write, as regular expressions, and what to write instead. */
const replacements: readonly (readonly [pattern: string, instead: string])[] = [
  ['(?:some|every)body', 'the role: the operator, a client, another process'],
  ['who(?:ever|soever)', 'the role: the operator, a client, another process'],
  ['for the one who', 'the subject itself'],
  ['rooms?', 'layer, module or (disk) space'],
  ['foundation', 'base layer'],
  ['crew', 'processes'],
  ['wish(?:es)?', 'request'],
  ['in vain', 'without success'],
  ['goes behind', 'is queued after'],
  ['by the way of', 'through'],
  ['hurr(?:y|ies|ied)', 'promote, start at once'],
  ['(?:goes|go|went) on', 'continue'],
  ['(?:gets|get|got) on', 'make progress'],
  ['(?:gets|get|got) nowhere', 'makes no progress'],
  ['mend(?:s|ed|ing)?', 'fix, repair'],
  ['(?:has|have|in) a word', 'say it directly'],
  ['unless told', 'by default'],
  ['meanwhile', 'during that time; name the interval'],
  ['for ever', 'forever, without a limit'],
  ['tells? of', 'describes, reports'],
  ['what becomes? of', 'the result of'],
  ['what became of', 'the result of'],
  ['has the turn', 'runs the task'],
  ['held against', 'compared with'],
  ['hold(?:s|ing)? .{1,40} against', 'compare ... with'],
];

/** The terms of `textlint-rule-terminology`. */
export const terms: readonly (string | readonly [string, string])[] = [
  ...names,
  ...replacements.map(([pattern, instead]) => [pattern.replaceAll(' ', '\\s+'), instead] as const),
];
