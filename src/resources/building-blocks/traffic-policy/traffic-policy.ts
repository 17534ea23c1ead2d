import { bytes } from '../../../http/text.js';
import { policyErrors, type Phase } from './policy-document.js';

/** Half of what an event has room for: escaped as JSON within JSON, a document may become twice as long. */
export const MAX_POLICY_BYTES = 24_576;

/**
 * A traffic policy in a request: a JSON document in a string. What is wrong inside the document is an error of the string, whose
 * words begin with the pointer into the document.
 */
export function trafficPolicy(phases: readonly Phase[]) {
  return bytes(MAX_POLICY_BYTES)
    .superRefine((text, context) => {
      if (Buffer.byteLength(text) > MAX_POLICY_BYTES) return;
      for (const message of policyComplaints(text, phases)) context.addIssue({ code: 'custom', message });
    })
    .meta({
      description: `A traffic policy: a JSON document in a string, with lists of rules under ${phases.join(' and ')}. At most ${MAX_POLICY_BYTES} bytes of UTF-8.`,
      maxLength: MAX_POLICY_BYTES,
      example: JSON.stringify({
        [phases[0] ?? '']: [{ name: 'closed', actions: [{ type: 'deny', config: {} }] }],
      }),
    });
}

/**
 * What is wrong with a policy document, as details of the field that holds it: `in the policy, /on_http_request/0/name: is
 * required`. Empty when nothing is. For those who know the phases only when they have seen other fields.
 */
export function policyComplaints(text: string, phases: readonly Phase[]): readonly string[] {
  return policyErrors(text, phases).map(
    ({ pointer, detail }) => `in the policy${pointer && `, ${pointer}`}: ${detail}`,
  );
}
