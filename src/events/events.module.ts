import { Module } from '@nestjs/common';
import { EventRecorder } from './event-recorder.js';

/** Recording of events, in the transaction of the change. */
@Module({ providers: [EventRecorder], exports: [EventRecorder] })
export class EventsModule {}
