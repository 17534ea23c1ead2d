import type { ExportProgress } from './comparison/waybill-export.js';

const steps: Readonly<Record<ExportProgress['step'], string>> = {
  waiting: 'waits for a worker',
  writing: 'is being written',
  downloading: 'is being compared',
};

/** Returns what shows the progress of Waybill's export on a terminal, a line for each step. Elsewhere it shows none. */
export function showProgress(output: NodeJS.WriteStream): (progress: ExportProgress) => void {
  let last: ExportProgress['step'] | null = null;
  return ({ id, step }) => {
    if (!output.isTTY || step === last) return;
    last = step;
    output.write(`Waybill's export ${id} ${steps[step]}.\n`);
  };
}
