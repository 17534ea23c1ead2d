import { Time } from './time.js';
import ui from './ui.module.css';

/** Says since when a list has all deliveries. Nothing where it has all from the beginning. */
export function CompleteSince({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return null;
  return (
    <p className={ui.soft}>
      Complete since <Time at={at} show="absolute" />: earlier deliveries were removed after their retention.
    </p>
  );
}
