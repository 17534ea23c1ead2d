"""The calls of generated-clients.process.test.ts with the Python client of openapi-generator."""

import json
import os
import sys

import openapi_client as waybill
from openapi_client.exceptions import NotFoundException

values = json.loads(os.environ["VALUES"])
client = waybill.ApiClient(
    waybill.Configuration(
        host=os.environ["WAYBILL_URL"],
        access_token=os.environ["WAYBILL_API_KEY"],
        api_key={"service_version": "2"},
    )
)
policies = waybill.IPPoliciesApi(client)
destinations = waybill.EventDestinationsApi(client)
events = waybill.EventsApi(client)

policy = policies.create_ip_policy(create_ip_policy=waybill.CreateIpPolicy(description="office"))
rule = waybill.IPPolicyRulesApi(client).create_ip_policy_rule(
    waybill.CreateIpPolicyRule(ip_policy_id=policy.id, cidr="203.0.113.0/24", action="allow")
)
policies.update_ip_policy(policy.id, waybill.UpdateIpPolicy(description="second floor"))
read = policies.get_ip_policy(policy.id)
page = policies.list_ip_policies(limit=100)
spare = policies.create_ip_policy()
policies.delete_ip_policy(spare.id)
try:
    policies.get_ip_policy(spare.id)
    gone = None
except NotFoundException as error:
    gone = [error.status, json.loads(error.body)["error_code"]]
bot = waybill.BotUsersApi(client).create_bot_user(waybill.CreateBotUser(name="pipeline"))

creds = waybill.CreateCloudAuth(
    creds=waybill.CreateCloudCredentials(cloud_access_key_id=values["key_id"], cloud_secret_access_key="secret")
)
role = waybill.CreateCloudAuth(role=waybill.CloudRoleInput(role_arn=values["role_arn"]))
targets = {
    "delivery_stream": waybill.CreateDeliveryStreamTarget(
        auth=role, delivery_stream_arn=values["delivery_stream_arn"]
    ),
    "data_stream": waybill.CreateDataStreamTarget(auth=creds, stream_arn=values["stream_arn"]),
    "log_group": waybill.CreateLogGroupTarget(auth=creds, log_group_arn=values["log_group_arn"]),
    "monitoring": waybill.CreateMonitoringTarget(api_key=values["api_key"]),
    "log_ingestion": waybill.CreateLogIngestionTarget(**values["log_ingestion"]),
}
made = {
    kind: destinations.create_event_destination(
        waybill.CreateEventDestination(target=waybill.CreateEventDestinationTarget(**{kind: target}))
    )
    for kind, target in targets.items()
}
monitoring = made["monitoring"]
change = waybill.UpdateEventDestinationTarget(monitoring=waybill.UpdateMonitoringTarget(service="audit"))
destinations.update_event_destination(monitoring.id, waybill.UpdateEventDestination(target=change))
shown = destinations.get_event_destination(monitoring.id)
listed = destinations.list_event_destinations()
subscription = waybill.EventSubscriptionsApi(client).create_event_subscription(
    create_event_subscription=waybill.CreateEventSubscription(
        sources=[{"type": "bot_user_created.v0"}], destination_ids=[shown.id]
    )
)
destinations.delete_event_destination(made["log_ingestion"].id)
order = waybill.PublishedEventInput(type="order_created.v0", resource_id="order-1", object={"total": 7})
published = events.publish_events(waybill.PublishEvents(events=[order]))
found = events.list_events(type=["ip_policy_created.v0"], object_id=policy.id)
event_type = waybill.EventTypesApi(client).get_event_type("ip_policy_created.v0")

arrived = []
for line in sys.stdin:
    event = waybill.DeliveredEvent.from_json(line)
    description = event.object.get("description")
    if event.event_type == "ip_policy_created.v0":
        description = waybill.IpPolicyCreatedPayload.from_json(line).object.description
    arrived.append([event.event_type, event.resource_id, event.sequence, description])

print(
    json.dumps(
        {
            "policy": [policy.description, read.description, rule.cidr, policy.id in [one.id for one in page.ip_policies]],
            "gone": gone,
            "bot": bot.name,
            "roleAndKey": [
                made["delivery_stream"].target.delivery_stream.auth.role.role_arn,
                made["data_stream"].target.data_stream.auth.creds.cloud_access_key_id,
            ],
            "secrets": [
                made["log_group"].target.log_group.auth.creds.cloud_secret_access_key,
                monitoring.target.monitoring.api_key,
                made["log_ingestion"].target.log_ingestion.client_secret,
            ],
            "others": [shown.target.data_stream, shown.target.monitoring.service, shown.paused],
            "listed": len(listed.event_destinations) >= 5,
            "sources": [source.type for source in subscription.sources],
            "published": len(published.events),
            "event": found.events[0].payload.actual_instance.actual_instance.object.description,
            "schema": event_type.var_schema["title"],
            "arrived": arrived,
        }
    )
)
