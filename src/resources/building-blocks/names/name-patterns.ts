/** Patterns of names for the OpenAPI document, without anchors. They describe names in ASCII. */

/** A label of a host name. */
export const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** The last label of a host name. A URL takes a host whose last label is a number for an IPv4 address. */
const TOP = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** A host name of two labels or more. */
export const HOST_NAME = `(?:${LABEL}\\.)+${TOP}`;

/** A host name, also of one label. */
export const ANY_HOST_NAME = `(?:${LABEL}\\.)*${TOP}`;

/** `*.` or nothing. */
export const WILDCARD = '(?:\\*\\.)?';

/** A port from 1 to 65535. */
export const PORT = '(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
