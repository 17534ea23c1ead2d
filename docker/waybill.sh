#!/bin/sh
# The command `waybill` of the image.
exec node /app/packages/cli/waybill.mjs "$@"
