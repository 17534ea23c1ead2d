import { makeSigningPair } from '../../../certificates/self-signed.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';
import { valueAt, withValueAt } from '../../framework/paths.js';
import { samlCertificatePath, samlKeyPath } from './saml-module.js';

/**
 * A route with SAML is a service provider with a key pair: made when the module is first set, and kept for as long as the route
 * has the module, since the identity provider has been told of its certificate.
 */
export class HttpsEdgeRouteBehaviour implements ResourceBehaviour {
  async prepare({ id, before, attributes }: PendingChange): Promise<Attributes> {
    if (valueAt(attributes, 'saml') == null) return attributes;
    const certificate = before && valueAt(before.attributes, samlCertificatePath);
    if (typeof certificate === 'string') return withValueAt(attributes, samlCertificatePath, certificate);
    const pair = await makeSigningPair(id);
    return withValueAt(
      withValueAt(attributes, samlCertificatePath, pair.certificate),
      samlKeyPath,
      pair.privateKey,
    );
  }
}
