import { stallNotice } from './comparison/export-wait.js';
import type { ExportProgress } from './comparison/waybill-export.js';

const steps: Readonly<Record<ExportProgress['step'], string>> = {
  waiting: 'waits for a worker',
  writing: 'is being written',
  downloading: 'is being compared',
};

/**
 * Returns what shows the progress of Waybill's export: on a terminal, a line for each step; elsewhere, and there, a
 * line when it makes no progress.
 */
export function showProgress(output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): (progress: ExportProgress) => void {
  let last: ExportProgress['step'] | null = null;
  let lastStall: string | null = null;
  return (progress) => {
    const { id, step } = progress;
    if (output.isTTY && step !== last) output.write(`Waybill's export ${id} ${steps[step]}.\n`);
    last = step;
    const stall = progress.step === 'downloading' ? null : stallNotice(progress);
    if (stall !== null && stall !== lastStall) output.write(`${stall}\n`);
    lastStall = stall;
  };
}
