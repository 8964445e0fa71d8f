import { type Kysely, sql } from 'kysely'

/**
 * Adds prices of a customer with their first day. A price applies until the next price of the same item begins, so
 * prices cannot overlap. A usage record contains a copy of the price. When a new price begins, the open record is
 * closed and the next one is opened.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  await sql.raw(FUNCTIONS).execute(db)
}

const TABLES = `
alter domain run_cause drop constraint run_cause_check;
alter domain run_cause add constraint run_cause_check check (value in (
  'create accepted', 'start accepted', 'restart accepted', 'stop accepted', 'delete accepted', 'deleted',
  'seen running', 'seen halted', 'seen stopped', 'seen changing', 'seen failed', 'seen absent', 'imported',
  'price changed'));

create table customer_price (
  organisation_id uuid not null references organisation (id),
  kind text not null check (kind in ('template', 'size', 'licence')),
  -- Name of a template, a size of machines or a licence.
  item text not null check (item = btrim(item) and item <> ''),
  -- Day in the supplier's zone.
  valid_from date not null,
  -- null: the general price applies again.
  paise_per_hour bigint check (paise_per_hour between 0 and 10000000),
  decided_by text not null,
  decided_at timestamptz not null default portal_now()
);
create unique index customer_price_first_day on customer_price (organisation_id, kind, lower(item), valid_from);

-- Instants at which prices of an organisation change, until its machines have the new prices.
create table price_change (
  organisation_id uuid not null references organisation (id),
  at timestamptz not null,
  primary key (organisation_id, at)
);
create index price_change_at on price_change (at);

-- Price of the template when the machine was ordered, including the surcharge for browser access. Null: paise_per_hour
-- is this price, because no customer price has applied yet.
alter table machine add column order_paise_per_hour bigint;
`

const FUNCTIONS = `
create function customer_price_on(organisation uuid, kind text, item text, day date) returns bigint
language sql stable as $$
  select p.paise_per_hour from customer_price p
  where p.organisation_id = organisation and p.kind = customer_price_on.kind
    and lower(p.item) = lower(customer_price_on.item) and p.valid_from <= day
  order by p.valid_from desc limit 1
$$;

-- Returns the price of a machine without the surcharge for browser access; null: the price of its template when it was
-- ordered. A price of the template takes precedence over a price of the size, which does not include the licence.
create function machine_price_on(organisation uuid, template text, size text, licence text, day date) returns bigint
language sql stable as $$
  select coalesce(customer_price_on(organisation, 'template', template, day),
    customer_price_on(organisation, 'size', size, day)
      + case when licence = 'none' then 0 else coalesce(customer_price_on(organisation, 'licence', licence, day), 0) end)
$$;

-- A price that has been in force cannot be changed, so that past usage keeps its price.
create function protect_customer_prices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.valid_from < supplier_today() then
    raise exception 'A price cannot begin on %, in the past', new.valid_from using errcode = 'check_violation';
  end if;
  if tg_op <> 'INSERT' and old.valid_from <= supplier_today() then
    raise exception 'The price from % has been in force', old.valid_from using errcode = 'check_violation';
  end if;
  if tg_op = 'UPDATE' and (new.organisation_id, new.kind, new.item, new.valid_from)
      is distinct from (old.organisation_id, old.kind, old.item, old.valid_from) then
    raise exception 'Only the amount of a price can change' using errcode = 'check_violation';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger customer_price_past before insert or update or delete on customer_price
  for each row execute function protect_customer_prices();

create function schedule_price_change() returns trigger language plpgsql as $$
begin
  insert into price_change values (new.organisation_id, new.valid_from::timestamp at time zone 'Asia/Kolkata')
    on conflict do nothing;
  return null;
end $$;
create trigger customer_price_due after insert on customer_price for each row execute function schedule_price_change();
`
