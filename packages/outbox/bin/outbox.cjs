#!/usr/bin/env node
// Outside of dist, because npm links a command only to a file that exists: `npm ci` runs before the build.
// oxlint-disable-next-line import/no-unassigned-import
require('../dist/cli.js');
