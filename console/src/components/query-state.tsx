import type { UseQueryResult } from '@tanstack/react-query';
import { ProblemPanel } from './problem-panel.js';
import { Progress } from './progress.js';
import ui from './ui.module.css';

interface QueryStateProps {
  readonly query: Pick<UseQueryResult, 'data' | 'error' | 'refetch'>;
  /** What is read, in small letters: `deliveries`. */
  readonly what: string;
}

/** Says that something is being read, or why it could not be. Nothing where it was read. */
export function QueryState({ query: { data, error, refetch }, what }: QueryStateProps) {
  if (error) {
    return <ProblemPanel error={error} title={`The ${what} could not be read`} onRetry={() => void refetch()} />;
  }
  if (data !== undefined) return null;
  return (
    <div className={ui.skeleton}>
      <Progress label={`Reading the ${what}`} />
    </div>
  );
}
