import type { EventRecorder } from '../../../events/fan-out/event-recorder.js';
import type { BaseUrl } from '../../../http/request/base-url.js';
import type { SecretStore } from '../../../secrets/secret-store.js';

/** Dependencies of the writers of changes. */
export interface WriterServices {
  readonly secrets: SecretStore;
  readonly recorder: EventRecorder;
  /** Addresses of the installation, apart from those of a request. */
  readonly addresses: Pick<BaseUrl, 'saml'>;
}
