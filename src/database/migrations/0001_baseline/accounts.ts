import { sql } from 'kysely';

/** Accounts. Ids are TypeIDs, here and in every table: they sort by time only byte by byte, hence `collate "C"`. */
export const accounts = sql`
create table accounts (
  id text collate "C" primary key,
  name text not null,
  created_at timestamptz not null default now()
);
comment on table accounts is 'An account: the tenant to which resources and events belong.';
`;
