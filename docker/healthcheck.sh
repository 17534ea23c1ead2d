#!/bin/bash
# Exits with 0 when the process of this container responds to a path with 200. Bash makes the request itself: a check costs
# a few milliseconds, and the image needs no HTTP client.
# Usage: healthcheck.sh PORT PATH
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$2" >&3
read -r -t 9 _ status _ <&3
[ "$status" = 200 ]
