"""The calls of generated-clients.process.test.ts with the client of openapi-python-client."""

import json
import os
import sys
from datetime import datetime

from waybill_client import AuthenticatedClient
from waybill_client.api.bot_users import create_bot_user
from waybill_client.api.event_destinations import (
    create_event_destination,
    delete_event_destination,
    get_event_destination,
    list_event_destinations,
    update_event_destination,
)
from waybill_client.api.event_subscriptions import create_event_subscription
from waybill_client.api.event_types import get_event_type
from waybill_client.api.events import list_events, publish_events
from waybill_client.api.ip_policies import create_ip_policy, delete_ip_policy, get_ip_policy, list_ip_policies
from waybill_client.api.ip_policies import update_ip_policy
from waybill_client.api.ip_policy_rules import create_ip_policy_rule
from waybill_client.models import (
    CloudRoleInput,
    CreateBotUser,
    CreateCloudAuth,
    CreateCloudCredentials,
    CreateDataStreamTarget,
    CreateDeliveryStreamTarget,
    CreateEventDestination,
    CreateEventDestinationTarget,
    CreateEventSubscription,
    CreateEventSubscriptionSourcesItem,
    CreateIpPolicy,
    CreateIpPolicyRule,
    CreateIpPolicyRuleAction,
    CreateLogGroupTarget,
    CreateLogIngestionTarget,
    CreateMonitoringTarget,
    DeliveredEvent,
    IpPolicyCreatedPayload,
    PublishedEventInput,
    PublishedEventInputObject,
    PublishEvents,
    UpdateEventDestination,
    UpdateEventDestinationTarget,
    UpdateIpPolicy,
    UpdateMonitoringTarget,
)

values = json.loads(os.environ["VALUES"])
client = AuthenticatedClient(
    base_url=os.environ["WAYBILL_URL"],
    token=os.environ["WAYBILL_API_KEY"],
    headers={"Service-Version": "2"},
    raise_on_unexpected_status=True,
)

policy = create_ip_policy.sync(client=client, body=CreateIpPolicy(description="office"))
assert isinstance(policy.created_at, datetime)
rule = create_ip_policy_rule.sync(
    client=client,
    body=CreateIpPolicyRule(ip_policy_id=policy.id, cidr="203.0.113.0/24", action=CreateIpPolicyRuleAction.ALLOW),
)
update_ip_policy.sync(policy.id, client=client, body=UpdateIpPolicy(description="second floor"))
read = get_ip_policy.sync(policy.id, client=client)
policies = list_ip_policies.sync(client=client, limit=100)
spare = create_ip_policy.sync(client=client)
delete_ip_policy.sync(spare.id, client=client)
gone = get_ip_policy.sync_detailed(spare.id, client=client)
bot = create_bot_user.sync(client=client, body=CreateBotUser(name="pipeline"))

creds = CreateCloudAuth(
    creds=CreateCloudCredentials(cloud_access_key_id=values["key_id"], cloud_secret_access_key="secret"),
)
role = CreateCloudAuth(role=CloudRoleInput(role_arn=values["role_arn"]))
targets = [
    CreateEventDestinationTarget(
        delivery_stream=CreateDeliveryStreamTarget(auth=role, delivery_stream_arn=values["delivery_stream_arn"])
    ),
    CreateEventDestinationTarget(data_stream=CreateDataStreamTarget(auth=creds, stream_arn=values["stream_arn"])),
    CreateEventDestinationTarget(log_group=CreateLogGroupTarget(auth=creds, log_group_arn=values["log_group_arn"])),
    CreateEventDestinationTarget(monitoring=CreateMonitoringTarget(api_key=values["api_key"])),
    CreateEventDestinationTarget(log_ingestion=CreateLogIngestionTarget(**values["log_ingestion"])),
]
destinations = [
    create_event_destination.sync(client=client, body=CreateEventDestination(target=target)) for target in targets
]
monitoring = destinations[3]
changed = UpdateEventDestinationTarget(monitoring=UpdateMonitoringTarget(service="audit"))
update_event_destination.sync(monitoring.id, client=client, body=UpdateEventDestination(target=changed))
shown = get_event_destination.sync(monitoring.id, client=client)
listed = list_event_destinations.sync(client=client)
subscription = create_event_subscription.sync(
    client=client,
    body=CreateEventSubscription(
        sources=[CreateEventSubscriptionSourcesItem(type_="bot_user_created.v0")], destination_ids=[shown.id]
    ),
)
delete_event_destination.sync(destinations[4].id, client=client)
order = PublishedEventInput(
    type_="order_created.v0", resource_id="order-1", object_=PublishedEventInputObject.from_dict({"total": 7})
)
published = publish_events.sync(client=client, body=PublishEvents(events=[order]))
events = list_events.sync(client=client, type_=["ip_policy_created.v0"], object_id=policy.id)
event_type = get_event_type.sync("ip_policy_created.v0", client=client)

arrived = []
for line in sys.stdin:
    event = DeliveredEvent.from_dict(json.loads(line))
    description = None
    if event.event_type == "ip_policy_created.v0":
        description = IpPolicyCreatedPayload.from_dict(json.loads(line)).object_.description
    arrived.append([event.event_type, event.resource_id, event.sequence, description])

print(
    json.dumps(
        {
            "policy": [policy.description, read.description, rule.cidr, policy.id in [one.id for one in policies.ip_policies]],
            "gone": [int(gone.status_code), gone.parsed.error_code],
            "bot": bot.name,
            "roleAndKey": [
                destinations[0].target.delivery_stream.auth.role.role_arn,
                destinations[1].target.data_stream.auth.creds.cloud_access_key_id,
            ],
            "secrets": [
                destinations[2].target.log_group.auth.creds.cloud_secret_access_key,
                monitoring.target.monitoring.api_key,
                destinations[4].target.log_ingestion.client_secret,
            ],
            "others": [shown.target.data_stream, shown.target.monitoring.service, shown.paused],
            "listed": len(listed.event_destinations) >= 5,
            "sources": [source.type_ for source in subscription.sources],
            "published": len(published.events),
            "event": events.events[0].payload.object_.description,
            "schema": event_type.schema["title"],
            "arrived": arrived,
        }
    )
)
