import { Global, Module } from '@nestjs/common';
import { MARKER_OF } from '../delivery/recovery/epoch-starts.js';
import { epochStartedMarker } from './catalogue/epoch-started-event.js';

/** The event with which the delivery worker marks the start of an epoch. */
@Global()
@Module({ providers: [{ provide: MARKER_OF, useValue: epochStartedMarker }], exports: [MARKER_OF] })
export class EpochMarkerModule {}
