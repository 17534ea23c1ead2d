export { canonicalJson, isObject } from './canonical-json.js';
export { isRow, withoutColumns, type EventForm } from './event-form.js';
export { eventsOfLine, FIRST_EPOCH, type EventNumber, type ExportedEvent } from './event-line.js';
export { LineError } from './line-error.js';
export { LineSplitter } from './line-splitter.js';
