#!/bin/sh
# Starts the service. An installation that was a demo keeps the certificate of the sandbox in its volume. Without the settings
# of demo.env its destinations would be those of the real clouds, so the service does not start.
# Usage: start.sh COMMAND...
set -eu
certificate=${DEMO_CERTIFICATE:-/sandbox/ca.pem}
if [ -e "$certificate" ]; then
  for endpoint in AWS_ENDPOINT_URL_FIREHOSE AWS_ENDPOINT_URL_KINESIS AWS_ENDPOINT_URL_CLOUDWATCH_LOGS AWS_ENDPOINT_URL_STS \
    MONITORING_ENDPOINT LOG_INGESTION_ENDPOINT LOG_INGESTION_AUTHORITY; do
    eval "value=\${$endpoint:-}"
    if [ -z "$value" ]; then
      echo "This is a demo installation ($certificate exists), and $endpoint is unset: the service would send to real clouds." >&2
      echo "Repeat the command with the options of the demo: docker compose --env-file .env --env-file demo.env --profile demo ..." >&2
      echo "To end the demo: docker compose --profile demo down --volumes. This deletes its data." >&2
      exit 1
    fi
  done
fi
exec docker-entrypoint.sh "$@"
