/** Records every change of a payment, those of plain SQL too. The token of the provider is left out. */
export const PAYMENT_TRIGGER = `
create or replace function record_payment() returns trigger language plpgsql as $$
declare
  before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - 'provider_token' end;
  after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - 'provider_token' end;
  action text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end;
begin
  if before is not distinct from after then
    return null;
  end if;
  perform waybill_outbox.waybill_record(jsonb_strip_nulls(jsonb_build_object(
    'type', 'payment_' || action || '.v0',
    'resource_id', coalesce(after, before) ->> 'id',
    'object', coalesce(after, before),
    'changes', case when tg_op = 'UPDATE' then jsonb_build_object('before', before, 'after', after) end
  )));
  return null;
end $$;
create or replace trigger record_payment after insert or update or delete on payments
  for each row execute function record_payment();
`;
