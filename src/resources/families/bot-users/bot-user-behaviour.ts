import type { RequestContext } from '../../../http/request/request-context.js';
import { Problem } from '../../../problems/problem.js';
import type { PendingChange, PendingRemoval, ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';

/** Restricts every change of a bot user to admins: a bot could otherwise stop, rename or reactivate principals. */
export class BotUserBehaviour implements ResourceBehaviour {
  prepare({ context, attributes }: PendingChange): Attributes {
    requireAdmin(context);
    return attributes;
  }

  beforeDelete({ context }: PendingRemoval): void {
    requireAdmin(context);
  }
}

/** @throws Problem `forbidden` */
function requireAdmin({ principal }: RequestContext): void {
  if (principal.admin) return;
  throw new Problem('forbidden', 'Only an admin may create, change or delete bot users.');
}
