import { type Kysely, sql } from 'kysely'

/** Adds the settlements of the payment provider, and their double-entry postings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  await sql.raw(FUNCTIONS).execute(db)
}

const TABLES = `
insert into ledger_account values ('provider_fees', 'Provider Fees', 17),
  ('input_gst', 'Input GST on Provider Fees', 18), ('provider_adjustments', 'Provider Adjustments', 19);

create index ledger_entry_online on ledger_entry (date) where source = 'provider';

create table settlement (
  id text primary key check (length(id) between 1 and 40),
  utr text check (length(utr) <= 60),
  settled_at timestamptz not null
);
create index settlement_time on settlement (settled_at, id);

-- A line whose amounts do not add up has no gross amount and is not posted. The fee is either deducted from the line or
-- charged separately, for example in a monthly bill.
create table settlement_line (
  id text primary key check (length(id) between 1 and 40),
  type text not null check (length(type) between 1 and 40),
  settlement text not null references settlement (id),
  currency text not null,
  amount_paise bigint not null check (amount_paise >= 0),
  credit_paise bigint not null check (credit_paise >= 0),
  debit_paise bigint not null check (debit_paise >= 0),
  fee_paise bigint not null check (fee_paise >= 0),
  tax_paise bigint not null check (tax_paise >= 0),
  description text check (length(description) <= 300),
  gross_paise bigint generated always as (case when currency = 'INR' and tax_paise <= fee_paise then
    case
      when type <> 'payment' and credit_paise - debit_paise in (-amount_paise, -amount_paise - fee_paise) then -amount_paise
      when type not in ('refund', 'transfer') and credit_paise - debit_paise in (amount_paise, amount_paise - fee_paise)
        then amount_paise end end) stored,
  deducted_paise bigint generated always as (case when currency = 'INR' and tax_paise <= fee_paise then
    case
      when type <> 'payment' and credit_paise - debit_paise = -amount_paise then 0
      when type not in ('refund', 'transfer') and credit_paise - debit_paise = amount_paise then 0
      when type <> 'payment' and credit_paise - debit_paise = -amount_paise - fee_paise then fee_paise
      when type not in ('refund', 'transfer') and credit_paise - debit_paise = amount_paise - fee_paise
        then fee_paise end end) stored
);
create index settlement_line_settlement on settlement_line (settlement);

create table settlement_entry (
  id bigint generated always as identity primary key,
  settlement text not null references settlement (id),
  number integer not null check (number > 0),
  date date not null,
  created_at timestamptz not null default portal_now(),
  unique (settlement, number)
);
create index settlement_entry_date on settlement_entry (date, id);

create table settlement_posting (
  entry_id bigint not null references settlement_entry (id),
  account text not null references ledger_account (code),
  -- Positive for a debit.
  paise bigint not null check (paise <> 0),
  primary key (entry_id, account)
);

create table settlement_day (
  day date primary key,
  read_at timestamptz not null
);

-- Difference between the lines of a settlement and the amounts that were posted for it.
create view settlement_unposted as
  select settlement, account, sum(paise)::bigint as paise from (
    select l.settlement, part.account, part.paise from settlement_line l
      cross join lateral (select case when deducted_paise = 0 then 0 else tax_paise end as tax) as t
      cross join lateral (values
        ('bank', l.gross_paise - l.deducted_paise),
        ('provider_fees', l.deducted_paise - t.tax),
        ('input_gst', t.tax),
        (case when l.type in ('payment', 'refund') then 'provider' else 'provider_adjustments' end, -l.gross_paise)
      ) as part (account, paise)
    where l.gross_paise is not null
    union all
    select e.settlement, p.account, -p.paise from settlement_posting p join settlement_entry e on e.id = p.entry_id
  ) as change group by settlement, account having sum(paise) <> 0;
`

const FUNCTIONS = `
-- Posts the unposted part of a settlement. The lines are posted on the day of the settlement. Later changes of the
-- lines are posted on the current day, so that the books of an earlier month do not change. Repeating the call has no
-- effect.
create function post_settlement(which text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare entry bigint;
begin
  perform from settlement where id = which for update;
  if not exists (select from settlement_unposted where settlement = which) then return; end if;
  insert into settlement_entry (settlement, number, date)
    select which, coalesce(max(e.number), 0) + 1,
      (case when max(e.number) is null then s.settled_at else portal_now() end at time zone 'Asia/Kolkata')::date
    from settlement s left join settlement_entry e on e.settlement = s.id where s.id = which group by s.id
    returning id into entry;
  insert into settlement_posting (entry_id, account, paise)
    select entry, account, paise from settlement_unposted where settlement = which;
end $$;

create function require_balanced_settlement() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare entry bigint; total numeric; parts integer;
begin
  if tg_table_name = 'settlement_entry' then entry := new.id;
  elsif tg_op = 'DELETE' then entry := old.entry_id;
  else entry := new.entry_id; end if;
  select coalesce(sum(paise), 0), count(*) into total, parts from settlement_posting where entry_id = entry;
  if total <> 0 or parts < 2 then
    raise exception 'Debits and credits of the settlement entry % differ by % paise', entry, total
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger settlement_entry_balanced after insert on settlement_entry deferrable initially deferred
  for each row execute function require_balanced_settlement();
create constraint trigger settlement_posting_balanced after insert or update or delete on settlement_posting
  deferrable initially deferred for each row execute function require_balanced_settlement();
`
