-- The tables of the four examples beside this file. Run it after outbox.sql.
create table orders (
  id bigint generated always as identity primary key,
  status text not null default 'open',
  total integer not null
);
create table payments (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  amount integer not null
);

-- The output of `npx @waybill/outbox trigger --table public.orders --type order`.
do $waybill$
begin
  perform waybill_outbox.check_columns('"public"."orders"', '{"created":"order_created.v0","updated":"order_updated.v0","deleted":"order_deleted.v0","id":["id"]}');

  drop trigger if exists "00_waybill_record" on "public"."orders";
  create trigger "00_waybill_record" after insert or update or delete on "public"."orders"
  for each row execute function waybill_outbox.record_change('{"created":"order_created.v0","updated":"order_updated.v0","deleted":"order_deleted.v0","id":["id"]}');

  drop trigger if exists "00_waybill_refuse_truncate" on "public"."orders";
  create trigger "00_waybill_refuse_truncate" before truncate on "public"."orders"
  for each statement execute function waybill_outbox.refuse_truncate();
end
$waybill$;
