import type { Type } from '@nestjs/common';
import { CertificateReader } from '../certificates/reading/certificate-reader.js';
import { CONFIG, ConfigError, type Config } from '../config/config.js';
import { DATABASE } from '../database/database.js';
import { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { EventCatalogue } from '../events/catalogue/event-catalogue.js';
import { EventRecorder } from '../events/fan-out/event-recorder.js';
import { BaseUrl } from '../http/request/base-url.js';
import { opened } from '../lifecycle/lifecycle.js';
import { provide, type Provider } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { SecretStore } from '../secrets/secret-store.js';
import { ServiceNames } from './building-blocks/names/service-names.js';
import { eventCatalogue } from './event-types.js';
import { families, familiesWithoutEvents } from './families.js';
import type { Family } from './framework/definition/family.js';
import { moduleController } from './framework/routes/module-controller.js';
import { resourceController } from './framework/routes/resource-controller.js';
import { References } from './framework/service/references.js';
import {
  FAMILY_SERVICES,
  RESOURCE_SERVICES,
  ResourceService,
  serviceToken,
} from './framework/service/resource-service.js';
import { Quotas } from './framework/writer/quotas.js';
import { CertificateChecks } from './managed-certificates/certificate-checks.js';
import { ManagedCertificates } from './managed-certificates/managed-certificates.js';
import { SnapshotWalker } from './snapshots/snapshot-walker.js';

const all: readonly Family[] = [...families, ...familiesWithoutEvents];
const definitions = all.map(({ definition }) => definition);

/** The routes of every family: its operations, the events of a resource, and what refers to a resource. */
export const familyControllers: readonly Type[] = all.flatMap(controllersOf);

/** The services of every family, and what they are made of. */
export const resourceProviders = [
  provide(Quotas, [CONFIG], quotasOf),
  provide(
    RESOURCE_SERVICES,
    {
      db: DATABASE,
      secrets: SecretStore,
      dispatcher: Dispatcher,
      recorder: EventRecorder,
      addresses: BaseUrl,
      quotas: Quotas,
    },
    (services) => services,
  ),
  provide(ServiceNames, [CONFIG]),
  provide(EventCatalogue, [], () => eventCatalogue),
  ...all.map(serviceOf),
  provide(
    FAMILY_SERVICES,
    definitions.map(serviceToken),
    (...services) => new Map(services.map((service) => [service.definition.name, service])),
  ),
  provide(References, [DATABASE, FAMILY_SERVICES], (db, services) => new References(db, [...services.values()])),
  opened('dispatch', provide(CertificateReader, []), (reader) => reader.close()),
  provide(ManagedCertificates, [RESOURCE_SERVICES, CONFIG, ServiceNames, BaseUrl, CertificateReader]),
  provide(CertificateChecks, [ManagedCertificates, CONFIG, LOGGER]),
  provide(SnapshotWalker, {
    db: DATABASE,
    recorder: EventRecorder,
    dispatcher: Dispatcher,
    services: FAMILY_SERVICES,
    logger: LOGGER,
  }),
];

function controllersOf(family: Family): readonly Type[] {
  const { definition, controllers = [] } = family;
  const modules = definition.modules ?? [];
  return [
    resourceController(definition, families.includes(family)),
    ...modules.map((module) => moduleController(definition, module)),
    ...controllers,
  ];
}

function serviceOf({ definition, behaviour }: Family): Provider<ResourceService> {
  return provide(
    serviceToken(definition),
    [RESOURCE_SERVICES, ...(behaviour?.inject ?? [])],
    (services, ...dependencies) => new ResourceService(definition, services, behaviour?.create(...dependencies)),
  );
}

/** @throws ConfigError when QUOTAS names a family that does not exist */
function quotasOf({ QUOTAS: quotas = {} }: Config): Quotas {
  const names: readonly string[] = families.map(({ definition }) => definition.name);
  const unknown = Object.keys(quotas).filter((name) => !names.includes(name));
  if (unknown.length === 0) return new Quotas(quotas);
  throw new ConfigError(`QUOTAS names ${unknown.join(', ')}. The families are ${names.join(', ')}.`);
}
