import { diag, DiagLogLevel } from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, expect, it, vi } from 'vitest';
import { endSpan } from './span.js';

afterEach(() => diag.disable());

it('leaves an ended span alone, without a warning of the SDK', () => {
  const warn = vi.fn<(message: string) => void>();
  const ignore = () => {};
  diag.setLogger({ warn, error: warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ALL);
  const span = new TracerProvider().getTracer('test').startSpan('attempt');
  endSpan(span);
  endSpan(span, 'fault');
  expect(warn).not.toHaveBeenCalled();
});
