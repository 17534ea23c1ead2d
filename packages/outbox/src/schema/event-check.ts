import { publishingLimits as limits } from '../generated/publishing-limits.js';
import { quotedLiteral } from '../triggers/sql-quoting.js';

/** Objects and lists that are nested too deeply. */
const TOO_DEEP = `strict $.**{${limits.deepestObject} to last} ? (@.type() == "object" || @.type() == "array")`;
/** Numbers that a parser with 64-bit floating point rounds to a whole number. */
const INEXACT = `strict $.** ? (@.type() == "number" && (@ > ${Number.MAX_SAFE_INTEGER} || @ < -${Number.MAX_SAFE_INTEGER}))`;

const RESERVED_IDS = limits.reservedPrincipalIds.map(quotedLiteral).join(', ');

/** The members of a class of a regular expression, as escapes: not every encoding has these characters. */
const UNSEEN = Array.from(limits.unseenCharacters, (character) =>
  character === '-' ? '-' : `\\U${character.codePointAt(0)?.toString(16).padStart(8, '0')}`,
).join('');

/** Functions that find what Waybill would refuse. */
export const eventCheck = `
-- Whether the value needs more bytes than that as compact JSON in UTF-8.
create or replace function waybill_outbox.is_longer(value jsonb, most integer) returns boolean
language sql immutable as $waybill$
  select case
    when octet_length(value::text) <= most / 4 then false
    when octet_length(convert_to(value::text, 'UTF8')) <= most then false
    when octet_length(convert_to(value::text, 'UTF8')) > 2 * most then true
    -- Postgres writes a space after each comma and colon.
    else octet_length(convert_to(
      regexp_replace(value::text, '("(?:[^"\\\\]|\\\\.)*")|\\s', '\\1', 'g'), 'UTF8')) > most
  end
$waybill$;

-- Returns why Waybill would refuse an object, or null.
create or replace function waybill_outbox.object_error(object jsonb) returns text
language plpgsql immutable as $waybill$
declare
  inexact jsonb;
begin
  if jsonb_typeof(object) is distinct from 'object' then
    return 'must be an object';
  end if;
  inexact := jsonb_path_query_first(object, '${INEXACT}');
  if inexact is not null then
    return format('has the number %s, which JSON parsers round: record it as text', left(inexact::text, 40));
  end if;
  if jsonb_path_exists(object, '${TOO_DEEP}') then
    return 'is nested deeper than ${limits.deepestObject} levels';
  end if;
  if jsonb_path_exists(object, 'lax $.**."__proto__"') then
    return 'has a member __proto__, which is a reserved name';
  end if;
  return null;
end
$waybill$;

-- Returns the first member of an object that is not one of these names, or null.
create or replace function waybill_outbox.other_member(object jsonb, names text[]) returns text
language sql immutable as $waybill$
  select name from jsonb_object_keys(object) as name where name <> all (names) limit 1
$waybill$;

-- Whether a member is text of at most so many characters, null or absent.
create or replace function waybill_outbox.is_text(object jsonb, name text, shortest integer, longest integer) returns boolean
language sql immutable as $waybill$
  select case coalesce(jsonb_typeof(object -> name), 'null')
    when 'null' then shortest = 0
    when 'string' then length(object ->> name) between shortest and longest
    else false
  end
$waybill$;

-- Returns what an event shows of changes that do not fit: the names of the changed members. Empty without changes.
create or replace function waybill_outbox.omitted_changes(event jsonb) returns jsonb
language sql immutable as $waybill$
  select case when count(*) = 0 then '{}' else jsonb_build_object('omitted', jsonb_agg(distinct name)) end
  from jsonb_each(case jsonb_typeof(event -> 'changes') when 'object' then event -> 'changes' end) as sides (side, members)
  cross join jsonb_object_keys(members) as name
$waybill$;

-- Returns a name as Waybill compares it with reserved ones. Other encodings than UTF8 have few characters that look like
-- others, and no normalization.
create or replace function waybill_outbox.comparable(name text) returns text
language plpgsql immutable as $waybill$
begin
  if name !~ '^[!-~]*$' and getdatabaseencoding() = 'UTF8' then
    name := regexp_replace(normalize(lower(normalize(name, NFKC)), NFKC), '[${UNSEEN}]', '', 'g');
  end if;
  return lower(name collate "C");
end
$waybill$;

-- Returns why Waybill would refuse an event, or null.
create or replace function waybill_outbox.event_error(event jsonb) returns text
language plpgsql stable as $waybill$
declare
  other text;
  error text;
  side text;
  occurred_at timestamptz;
begin
  if jsonb_typeof(event) is distinct from 'object' then
    return 'it must be an object';
  end if;
  other := waybill_outbox.other_member(event,
    '{type,resource_id,object,changes,principal,request,occurred_at}');
  if other is not null then
    return format('/%s is not a member of an event', left(other, 100));
  end if;

  if not waybill_outbox.is_text(event, 'type', 1, ${limits.longestEventType})
      or event ->> 'type' !~ '${limits.eventTypeForm}' then
    return '/type must be <resource>_<action>.v<version> in snake case, such as order_created.v0';
  end if;
  if event ->> 'type' ~ '_snapshot[.]v' then
    return '/type must have another action: snapshot is an action of Waybill';
  end if;
  if event ->> 'type' ~ '${limits.reservedEventTypeForm}' then
    return format('/type %s is a type of Waybill: put a namespace before it, such as app.%1$s', event ->> 'type');
  end if;
  if not waybill_outbox.is_text(event, 'resource_id', 1, ${limits.longestId}) then
    return '/resource_id must be text of 1 to ${limits.longestId} characters';
  end if;

  error := waybill_outbox.object_error(event -> 'object');
  if error is not null then
    return '/object ' || error;
  end if;

  if jsonb_typeof(event -> 'changes') <> 'null' then
    if jsonb_typeof(event -> 'changes') <> 'object'
        or waybill_outbox.other_member(event -> 'changes', '{before,after}') is not null then
      return '/changes must be an object with the members before and after';
    end if;
    foreach side in array '{before,after}'::text[] loop
      error := waybill_outbox.object_error(event -> 'changes' -> side);
      if error is null and waybill_outbox.is_longer(event -> 'changes' -> side, ${limits.mostObjectBytes}) then
        error := 'has more than ${limits.mostObjectBytes} bytes of JSON';
      end if;
      if error is not null then
        return format('/changes/%s %s', side, error);
      end if;
    end loop;
  end if;

  if jsonb_typeof(event -> 'principal') <> 'null' then
    if jsonb_typeof(event -> 'principal') <> 'object'
        or waybill_outbox.other_member(event -> 'principal', '{id,subject}') is not null then
      return '/principal must be an object with the members id and subject';
    end if;
    if not waybill_outbox.is_text(event -> 'principal', 'id', 1, ${limits.longestId}) then
      return '/principal/id must be text of 1 to ${limits.longestId} characters';
    end if;
    if not waybill_outbox.is_text(event -> 'principal', 'subject', 0, ${limits.longestId}) then
      return '/principal/subject must be text';
    end if;
    -- The principals of changes that Waybill itself makes, and of events without one.
    if waybill_outbox.comparable(event #>> '{principal,id}') in (${RESERVED_IDS})
        or starts_with(waybill_outbox.comparable(coalesce(event #>> '{principal,subject}', event #>> '{principal,id}')),
          ${quotedLiteral(limits.reservedSubjectPrefix)}) then
      return '/principal must have another id than ${limits.reservedPrincipalIds.join(' and ')}, and a subject that does not begin with ${limits.reservedSubjectPrefix}';
    end if;
  end if;

  if jsonb_typeof(event -> 'request') <> 'null' then
    if jsonb_typeof(event -> 'request') <> 'object'
        or waybill_outbox.other_member(event -> 'request', '{id,ip,user_agent}') is not null then
      return '/request must be an object with the members id, ip and user_agent';
    end if;
    if not (waybill_outbox.is_text(event -> 'request', 'id', 0, ${limits.longestId})
        and waybill_outbox.is_text(event -> 'request', 'ip', 0, ${limits.longestAddress})
        and waybill_outbox.is_text(event -> 'request', 'user_agent', 0, ${limits.longestUserAgent})) then
      return '/request must have text in id, ip and user_agent';
    end if;
  end if;

  if event ->> 'occurred_at' !~ '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$' then
    return '/occurred_at must be an RFC 3339 time such as 2026-01-31T12:00:00Z';
  end if;
  occurred_at := event ->> 'occurred_at';
  if occurred_at > clock_timestamp() + interval '1 day' or occurred_at < clock_timestamp() - interval '${limits.mostDaysOld} days' then
    return '/occurred_at must not be more than 1 day ahead of the clock of the database, nor ${limits.mostDaysOld} days behind it';
  end if;

  -- Instead of changes that do not fit, Waybill lists their members.
  if waybill_outbox.is_longer(event - 'changes' || waybill_outbox.omitted_changes(event),
      case when event ->> 'type' ~ '_deleted\\.v[0-9]+$' then ${limits.mostDeletionBytes} else ${limits.mostEventBytes} end) then
    return 'it has more than ${limits.mostEventBytes} bytes of JSON without its changes (a deletion: ${limits.mostDeletionBytes})';
  end if;
  return null;
end
$waybill$;
`;
