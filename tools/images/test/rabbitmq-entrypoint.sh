#!/bin/sh
set -eu
chown -R rabbitmq:rabbitmq /var/lib/rabbitmq
mkdir -p /var/log/rabbitmq && chown rabbitmq:rabbitmq /var/log/rabbitmq
export HOME=/var/lib/rabbitmq
exec setpriv --reuid=rabbitmq --regid=rabbitmq --clear-groups /usr/lib/rabbitmq/bin/"$@"
