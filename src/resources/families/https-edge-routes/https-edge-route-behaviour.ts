import { makeSigningPair } from '../../../certificates/reading/self-signed.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { valueAt, withValueAt } from '../../framework/definition/paths.js';
import { samlCertificatePath, samlKeyPath } from './saml-module.js';

/**
 * Creates the SAML key pair of a route when the module is first set. The pair is kept while the route has the module:
 * the identity provider is configured with its certificate.
 */
export class HttpsEdgeRouteBehaviour implements ResourceBehaviour {
  async prepare({ id, before, attributes }: PendingChange): Promise<Attributes> {
    if (valueAt(attributes, 'saml') == null) return attributes;
    const certificate = before && valueAt(before.attributes, samlCertificatePath);
    if (typeof certificate === 'string') return withValueAt(attributes, samlCertificatePath, certificate);
    const pair = await makeSigningPair(id);
    return withValueAt(withValueAt(attributes, samlCertificatePath, pair.certificate), samlKeyPath, pair.privateKey);
  }
}
