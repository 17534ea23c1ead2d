import { Badge, type Look } from '../../components/badge.js';
import type { IconName } from '../../components/icon.js';
import { verdictLooks, type Verdict } from './verdicts.js';

const icons: Readonly<Record<Exclude<Look['tone'], 'plain'>, IconName>> = {
  good: 'healthy',
  calm: 'pending',
  warn: 'stopped',
  bad: 'misconfigured',
};

/** A verdict as colour, picture and word. */
export function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  const { word, tone } = verdictLooks[verdict];
  return <Badge look={{ tone, word, icon: icons[tone] }} />;
}
