import { bytes } from '../../../http/text.js';
import { policyErrors, type Phase } from './policy-document.js';

/** Half of the size limit of an event: JSON escaping can double the length of the document. */
export const MAX_POLICY_BYTES = 24_576;

/**
 * A traffic policy in a request: a JSON document in a string. An error inside the document is an error of the string,
 * and its detail begins with the pointer into the document.
 */
export function trafficPolicy(phases: readonly Phase[]) {
  return bytes(MAX_POLICY_BYTES)
    .superRefine((text, context) => {
      if (Buffer.byteLength(text) > MAX_POLICY_BYTES) return;
      for (const message of policyErrorDetails(text, phases)) context.addIssue({ code: 'custom', message });
    })
    .meta({
      description: `Traffic policy: a JSON document in a string, with lists of rules under ${phases.join(' and ')}. At most ${MAX_POLICY_BYTES} bytes of UTF-8.`,
      maxLength: MAX_POLICY_BYTES,
      example: JSON.stringify({
        [phases[0] ?? '']: [{ name: 'closed', actions: [{ type: 'deny', config: {} }] }],
      }),
    });
}

/**
 * Checks a policy document when the phases depend on other fields.
 * @returns an error detail for each fault, such as `in the policy, /on_http_request/0/name: is required`
 */
export function policyErrorDetails(text: string, phases: readonly Phase[]): readonly string[] {
  return policyErrors(text, phases).map(
    ({ pointer, detail }) => `in the policy${pointer && `, ${pointer}`}: ${detail}`,
  );
}
