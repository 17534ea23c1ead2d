import { ProblemError } from '../api/problem.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { Icon } from './icon.js';
import styles from './problem-panel.module.css';
import ui from './ui.module.css';

interface ProblemPanelProps {
  /** What was thrown. */
  readonly error: unknown;
  /** What failed: `The destinations could not be loaded`. Without it, the title of the problem document. */
  readonly title?: string;
  /** Tries again. */
  readonly onRetry?: () => void;
}

/** Says what went wrong, where in the input, and the id by which an operator finds the request in the log. */
export function ProblemPanel({ error, title, onRetry }: ProblemPanelProps) {
  const problem = error instanceof ProblemError ? error.problem : null;
  // Where it has errors, its detail repeats them.
  const errors = problem?.errors ?? [];
  const detail = error instanceof Error ? error.message : 'The reason is not known.';
  return (
    <div className={`${ui.card} ${ui.stack} ${styles.panel}`} role="alert" data-tone="bad">
      <p className={`${ui.strong} ${ui.bad}`}>
        <Icon name="misconfigured" /> {title ?? problem?.title ?? 'The request failed'}
      </p>
      {errors.length === 0 && <p>{detail}</p>}
      {errors.length > 0 && (
        <ul>
          {errors.map(({ pointer, detail: reason }) => (
            <li key={`${pointer} ${reason}`}>
              <code>{nameAt(pointer)}</code> {reason}
            </li>
          ))}
        </ul>
      )}
      {problem?.conflicts && problem.conflicts.length > 0 && <p>In conflict: {problem.conflicts.join(', ')}</p>}
      {problem && (
        <p className={ui.line}>
          Operation <code>{problem.operation_id}</code>
          <CopyButton text={problem.operation_id} label="Copy the operation id" />
        </p>
      )}
      {onRetry && (
        <Button icon="retrying" onPress={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Returns the name of the input that a pointer leads to: of a member of the body, a parameter of query or path. */
function nameAt(pointer: string): string {
  return pointer === '' ? 'body' : pointer.replace(/^[?/]/, '').replaceAll('/', '.');
}
