import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';

/** Knows the execution that runs: the request of a controller, after its guards. */
export class CurrentExecution implements NestInterceptor {
  private readonly storage = new AsyncLocalStorage<ExecutionContext>();

  /** Returns the execution; undefined outside of one, such as in a job. */
  get(): ExecutionContext | undefined {
    return this.storage.getStore();
  }

  intercept(execution: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    // Nest binds the handler to the context of this call.
    return this.storage.run(execution, () => next.handle());
  }
}
