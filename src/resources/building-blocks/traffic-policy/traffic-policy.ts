import { boundedBytes } from '../../../bounds/bounded.js';
import { phasesOf, policyErrors, type Traffic } from './policy-document.js';

/** Half of the size limit of an event: JSON escaping can double the length of the document. */
export const MAX_POLICY_BYTES = 24_576;

/**
 * A traffic policy in a request: a JSON or YAML document in a string. An error inside the document is an error of the
 * string, and its detail begins with the pointer into the document.
 */
export function trafficPolicy(traffic: Traffic) {
  return boundedBytes(MAX_POLICY_BYTES)
    .superRefine((text, context) => {
      for (const message of policyErrorDetails(text, traffic)) context.addIssue({ code: 'custom', message });
    })
    .meta({
      description: `Traffic policy: a JSON or YAML document in a string, with lists of rules under ${phasesOf(traffic).join(' and ')}. Returned as given. At most ${MAX_POLICY_BYTES} bytes of UTF-8.`,
      maxLength: MAX_POLICY_BYTES,
      contentMediaType: 'application/yaml',
      example: JSON.stringify({
        [phasesOf(traffic)[0] ?? '']: [{ name: 'closed', actions: [{ type: 'deny', config: {} }] }],
      }),
    });
}

/**
 * Checks a policy document when the kind of traffic depends on other fields.
 * @returns an error detail for each fault, such as `in the policy, /on_http_request/0/name: is required`
 */
export function policyErrorDetails(text: string, traffic: Traffic): readonly string[] {
  return policyErrors(text, traffic).map(
    ({ pointer, detail }) => `in the policy${pointer && `, ${pointer}`}: ${detail}`,
  );
}
