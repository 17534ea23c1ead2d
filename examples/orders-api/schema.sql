-- Tables of the orders API. `revision` counts the changes of a row.

create table if not exists customers (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  credit_limit_cents integer not null check (credit_limit_cents >= 0),
  revision integer not null default 1,
  created_at timestamptz not null default now()
);

create table if not exists orders (
  id uuid primary key default gen_random_uuid(),
  customer_id uuid not null references customers,
  status text not null default 'open' check (status in ('open', 'paid', 'cancelled')),
  lines jsonb not null,
  total_cents integer not null check (total_cents > 0),
  paid_cents integer not null default 0 check (paid_cents between 0 and total_cents),
  revision integer not null default 1,
  created_at timestamptz not null default now()
);
create index if not exists orders_by_customer on orders (customer_id);

create table if not exists payments (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references orders,
  method text not null check (method in ('card', 'transfer')),
  -- Reference at the payment provider: it never leaves this database.
  provider_token text,
  amount_cents integer not null check (amount_cents > 0),
  status text not null default 'pending' check (status in ('pending', 'settled', 'failed')),
  revision integer not null default 1,
  created_at timestamptz not null default now()
);
create index if not exists payments_by_order on payments (order_id);
