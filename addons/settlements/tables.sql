-- Settlements of the payment provider.

-- Payout of the payment provider to the supplier's bank account.
create table settlement (
  id text primary key check (length(id) >= 1 and length(id) <= 40),
  -- Reference of the bank transfer.
  utr text check (length(utr) <= 60),
  settled_at timestamptz not null
);
create index settlement_time on settlement (settled_at, id);

-- Payment, refund or adjustment of a settlement, as the provider last reported it.
create table settlement_line (
  id text primary key check (length(id) >= 1 and length(id) <= 40),
  type text not null check (length(type) >= 1 and length(type) <= 40),
  settlement text not null references settlement (id),
  currency text not null,
  amount_paise bigint not null check (amount_paise >= 0),
  credit_paise bigint not null check (credit_paise >= 0),
  debit_paise bigint not null check (debit_paise >= 0),
  -- Fee including the tax.
  fee_paise bigint not null check (fee_paise >= 0),
  tax_paise bigint not null check (tax_paise >= 0),
  description text,
  -- Change of the provider's balance before the fee; null if the amounts do not add up.
  gross_paise bigint generated always as (case
    when ((currency = 'INR')
    and (tax_paise <= fee_paise)) then
    case
        when ((type <> 'payment')
    and (((credit_paise - debit_paise) = (- amount_paise))
    or ((credit_paise - debit_paise) = ((- amount_paise) - fee_paise)))) then (- amount_paise)
        when ((type not in ('refund',
    'transfer')) and (((credit_paise - debit_paise) = amount_paise)
    or ((credit_paise - debit_paise) = (amount_paise - fee_paise)))) then amount_paise
        else null::bigint
    end
    else null::bigint
end) stored,
  -- Fee that was deducted from this line, including the tax; null if the amounts do not add up.
  deducted_paise bigint generated always as (case
    when ((currency = 'INR')
    and (tax_paise <= fee_paise)) then
    case
        when ((type <> 'payment')
    and ((credit_paise - debit_paise) = (- amount_paise))) then (0)::bigint
        when ((type not in ('refund',
    'transfer')) and ((credit_paise - debit_paise) = amount_paise)) then (0)::bigint
        when ((type <> 'payment')
    and ((credit_paise - debit_paise) = ((- amount_paise) - fee_paise))) then fee_paise
        when ((type not in ('refund',
    'transfer'))
    and ((credit_paise - debit_paise) = (amount_paise - fee_paise))) then fee_paise
        else null::bigint
    end
    else null::bigint
end) stored
);
create index settlement_line_settlement on settlement_line (settlement);

-- Ledger entry that posts a settlement or a later change of its lines. Only the function `post_settlement` writes
-- entries.
create table settlement_entry (
  id bigint generated always as identity primary key,
  settlement text not null references settlement (id),
  number integer not null check (number > 0),
  date date not null,
  created_at timestamptz not null default portal_now(),
  constraint settlement_entry_settlement_number_key unique (settlement, number)
);
create index settlement_entry_date on settlement_entry (date, id);

-- Amounts of an entry of the settlement accounts.
create table settlement_posting (
  entry_id bigint not null references settlement_entry (id),
  account text not null references ledger_account (code),
  -- Positive for a debit.
  paise bigint not null check (paise <> 0),
  constraint settlement_posting_pkey primary key (entry_id, account)
);

-- Day in India whose settlements were read.
create table settlement_day (
  day date primary key,
  read_at timestamptz not null
);

create view settlement_unposted as
 SELECT settlement,
    account,
    sum(paise)::bigint AS paise
   FROM ( SELECT l.settlement,
            part.account,
            part.paise
           FROM settlement_line l
             CROSS JOIN LATERAL ( SELECT
                        CASE
                            WHEN l.deducted_paise = 0 THEN 0::bigint
                            ELSE l.tax_paise
                        END AS tax) t
             CROSS JOIN LATERAL ( VALUES ('bank'::text,l.gross_paise - l.deducted_paise), ('provider_fees'::text,l.deducted_paise - t.tax), ('input_gst'::text,t.tax), (
                        CASE
                            WHEN l.type = ANY (ARRAY['payment'::text, 'refund'::text]) THEN 'provider'::text
                            ELSE 'provider_adjustments'::text
                        END,- l.gross_paise)) part(account, paise)
          WHERE l.gross_paise IS NOT NULL
        UNION ALL
         SELECT e.settlement,
            p.account,
            - p.paise
           FROM settlement_posting p
             JOIN settlement_entry e ON e.id = p.entry_id) change
  GROUP BY settlement, account
 HAVING sum(paise) <> 0::numeric;

-- Posts the unposted part of a settlement. The lines are posted on the day of the settlement. Later changes of the
-- lines are posted on the current day, so that the books of an earlier month do not change. Repeating the call has no
-- effect.
create function post_settlement(which text)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
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

create function require_balanced_settlement()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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

create constraint trigger settlement_posting_balanced after insert or delete or update on settlement_posting deferrable initially deferred
  for each row execute function require_balanced_settlement();
