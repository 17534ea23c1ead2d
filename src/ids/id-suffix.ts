/** Pattern of what follows the prefix of an id and its underscore: 26 characters of a UUIDv7 in Crockford base 32. */
export const ID_SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}';
