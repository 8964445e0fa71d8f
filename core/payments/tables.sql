-- Payments and refunds.

-- Orders at the payment provider. Paid amounts are ledger entries.
create table payment (
  -- Receipt of the order at the provider.
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  amount_paise bigint not null check (amount_paise > 0),
  order_id text not null unique,
  -- E-mail address of the user who created the order.
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  paid_at timestamptz,
  -- null: the order is processed only when the provider sends a webhook.
  reconcile_at timestamptz,
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  -- Provider IDs of this order's payments that have a ledger entry.
  credited text[] not null default '{}'::text[],
  -- Invoice that the payer chose.
  settles text,
  on_account boolean not null default false,
  -- Time when a payer last opened the order. Polling slows down and ends with the time since then.
  opened_at timestamptz not null default portal_now(),
  constraint payment_id_organisation_id_key unique (id, organisation_id),
  constraint payment_check check (not on_account or settles is null)
);
create index payment_due on payment (reconcile_at) where reconcile_at is not null;
create index payment_failing on payment (created_at) where last_error is not null;
create index payment_organisation on payment (organisation_id, created_at);

-- A refund of an online payment, a work queue.
create table refund (
  -- Receipt and idempotency key of the refund at the provider.
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  order_row uuid not null,
  -- The provider's number of the payment.
  payment text not null,
  entry_kind text generated always as ('payment') stored not null,
  -- The provider accepts no less than one rupee.
  amount_paise bigint not null check (amount_paise >= 100),
  reason text not null check (reason = btrim(reason) and reason <> ''),
  -- E-mail address of the user who requested the refund.
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  -- 'sent': the request may have reached the provider.
  state text not null default 'wanted' check (state in ('wanted', 'sent', 'pending', 'processed', 'failed')),
  -- The provider's number of the refund.
  number text unique,
  reconcile_at timestamptz,
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  constraint refund_order_row_organisation_id_fkey foreign key (order_row, organisation_id)
    references payment (id, organisation_id),
  constraint refund_organisation_id_entry_kind_payment_fkey foreign key (organisation_id, entry_kind, payment)
    references ledger_entry (organisation_id, kind, reference)
);
create index refund_due on refund (reconcile_at) where reconcile_at is not null;
create index refund_organisation on refund (organisation_id, created_at);
create index refund_payment on refund (payment);

-- Limits the refunds of a payment to the amount of the payment. Locks the ledger entry of the payment, so that
-- concurrent refunds are summed up. Also counts refunds made at the provider. Before entries of kind 'refund'
-- existed, such refunds were negative payments.
create function limit_refunds()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare paid bigint; ours bigint; theirs bigint;
begin
  select amount_paise into paid from ledger_entry
    where organisation_id = new.organisation_id and kind = 'payment' and reference = new.payment
      and source = 'provider' for no key update;
  select coalesce(sum(amount_paise), 0) into ours from refund
    where payment = new.payment and organisation_id = new.organisation_id and state <> 'failed';
  select coalesce(sum(abs(amount_paise)), 0) into theirs from ledger_entry e
    where organisation_id = new.organisation_id
      and (refund_of = new.payment or (kind = 'payment' and amount_paise < 0 and source = 'provider'
        and particular = 'Refund of ' || new.payment))
      and not exists (select from refund r where r.number = e.reference);
  if paid is null or ours + theirs + new.amount_paise > paid then
    raise exception 'Refunds exceed the payment %', new.payment using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger refund_bound before insert on refund for each row execute function limit_refunds();
