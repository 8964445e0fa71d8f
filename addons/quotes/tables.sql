-- Prices of customers, quotes and proforma invoices.

-- Price per hour of one organisation for a template, a size or a licence, from a day on.
create table customer_price (
  organisation_id uuid not null references organisation (id),
  kind text not null check (kind in ('template', 'size', 'licence')),
  -- Name of a template, a size of machines or a licence.
  item text not null check (item = btrim(item) and item <> ''),
  -- YYYY-MM-DD, in the supplier's zone.
  valid_from date not null,
  -- null: the general price applies again.
  paise_per_hour bigint check (paise_per_hour >= 0 and paise_per_hour <= 10000000),
  decided_by text not null,
  decided_at timestamptz not null default portal_now()
);
create unique index customer_price_first_day on customer_price (organisation_id, kind, lower(item), valid_from);

-- Times at which an organisation's prices change. A row is deleted once the machines have the new prices.
create table price_change (
  organisation_id uuid not null references organisation (id),
  at timestamptz not null,
  constraint price_change_pkey primary key (organisation_id, at)
);
create index price_change_at on price_change (at);

-- A quote or proforma invoice with its content as issued.
create table quote (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  number text not null unique check (number ~ '^Q-[0-9]{2}-[0-9]{2}-[0-9]{4,}$'),
  -- YYYY-MM-DD, in the supplier's zone.
  issued_on date not null,
  valid_until date not null,
  lines jsonb not null,
  -- The quote as printed.
  content jsonb not null,
  pdf bytea not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  state text not null default 'open' check (
      state in ('open', 'accepted', 'declined', 'withdrawn', 'proforma', 'invoiced')
    ),
  decided_by text,
  decided_at timestamptz,
  -- Reason of a customer who declines, or remark of the user who records the decision.
  answer text,
  proforma text unique check (proforma ~ '^PF-[0-9]{2}-[0-9]{2}-[0-9]{4,}$'),
  proforma_on date,
  proforma_content jsonb,
  proforma_pdf bytea,
  invoice text,
  invoice_kind text generated always as (case
    when (invoice is
    not null) then 'invoice'
    else null::text
end) stored,
  -- True if payments of the proforma invoice become prepaid credit, and no tax invoice is issued for it.
  prepaid boolean not null default false,
  -- Null for credit of all trainings without separate credit.
  prepaid_training uuid,
  constraint quote_check check (valid_until >= issued_on),
  constraint quote_check1 check ((decided_by is null) = (decided_at is null)),
  constraint quote_check2 check (decided_by is not null or state in ('open', 'withdrawn')),
  constraint quote_check3 check (decided_by is null or state <> 'open'),
  constraint quote_check4 check (num_nulls(proforma, proforma_on, proforma_content, proforma_pdf) in (0, 4)),
  constraint quote_check5 check (proforma is not null or state not in ('proforma', 'invoiced')),
  constraint quote_check6 check (proforma is null or state in ('proforma', 'invoiced', 'withdrawn')),
  constraint quote_check7 check ((invoice is not null) = (state = 'invoiced')),
  constraint quote_id_organisation_id_key unique (id, organisation_id),
  constraint quote_organisation_id_invoice_key unique (organisation_id, invoice),
  constraint quote_prepaid_training check (prepaid_training is null or prepaid),
  constraint quote_prepaid_state check (not prepaid or state in ('proforma', 'withdrawn')),
  constraint quote_organisation_id_invoice_kind_invoice_fkey foreign key (organisation_id, invoice_kind, invoice)
    references ledger_entry (organisation_id, kind, reference),
  constraint quote_prepaid_training_organisation_id_fkey foreign key (prepaid_training, organisation_id)
    references training (id, organisation_id)
);
create index quote_all_newest on quote (created_at desc);
create index quote_newest on quote (organisation_id, created_at desc);
create index quote_prepaid on quote (organisation_id) where prepaid and state = 'proforma';

-- Last serial number of quotes and proforma invoices in a financial year.
create table quote_series (
  kind text not null check (kind in ('quote', 'proforma')),
  financial_year text not null,
  last_serial integer not null check (last_serial > 0),
  constraint quote_series_pkey primary key (kind, financial_year)
);

-- Payments for a proforma invoice. They settle only the invoice that is issued for it.
create table proforma_payment (
  organisation_id uuid not null,
  payment text not null,
  payment_kind text generated always as ('payment') stored not null,
  quote_id uuid not null,
  recorded_by text not null,
  recorded_at timestamptz not null default portal_now(),
  constraint proforma_payment_pkey primary key (organisation_id, payment),
  constraint proforma_payment_organisation_id_payment_kind_payment_fkey foreign key (organisation_id, payment_kind, payment)
    references ledger_entry (organisation_id, kind, reference),
  constraint proforma_payment_quote_id_organisation_id_fkey foreign key (quote_id, organisation_id)
    references quote (id, organisation_id)
);
create index proforma_payment_quote on proforma_payment (quote_id);

alter table payment
  -- Quote whose proforma invoice the order pays.
  add column quote_id uuid,
  add constraint payment_proforma check (
    quote_id is null
    or settles is null and (not on_account) and (not prepaid)
  ),
  add constraint payment_quote_id_organisation_id_fkey foreign key (quote_id, organisation_id)
    references quote (id, organisation_id);
create unique index payment_proforma_order on payment (quote_id, amount_paise) where quote_id is not null
  and paid_at is null;

-- A price that has been in force cannot be changed, so that past usage keeps its price.
create function protect_customer_prices() returns trigger language plpgsql as $$
declare today date := (portal_now() at time zone 'Asia/Kolkata')::date;
begin
  if tg_op = 'INSERT' and new.valid_from < today then
    raise exception 'A price cannot begin on %, in the past', new.valid_from using errcode = 'check_violation';
  end if;
  if tg_op <> 'INSERT' and old.valid_from <= today then
    raise exception 'The price from % has been in force', old.valid_from using errcode = 'check_violation';
  end if;
  if tg_op = 'UPDATE' and (new.organisation_id, new.kind, new.item, new.valid_from)
      is distinct from (old.organisation_id, old.kind, old.item, old.valid_from) then
    raise exception 'Only the amount of a price can change' using errcode = 'check_violation';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;

-- Each state can follow from only one other state, so that a quote becomes at most one proforma invoice and one tax
-- invoice.
create function protect_quote() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and (old.state, new.state) not in (('open', 'accepted'), ('open', 'declined'),
    ('open', 'withdrawn'), ('accepted', 'withdrawn'), ('accepted', 'proforma'), ('proforma', 'withdrawn'),
    ('proforma', 'invoiced')) then
    raise exception 'A quote cannot change from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.organisation_id, new.number, new.issued_on, new.valid_until, new.lines, new.content, new.pdf) is distinct from
      (old.organisation_id, old.number, old.issued_on, old.valid_until, old.lines, old.content, old.pdf)
    or (old.proforma is not null and (new.proforma, new.proforma_on, new.proforma_content, new.proforma_pdf) is distinct from
      (old.proforma, old.proforma_on, old.proforma_content, old.proforma_pdf))
    or (old.invoice is not null and new.invoice is distinct from old.invoice)
    or (old.decided_at is not null and new.decided_at is distinct from old.decided_at) then
    raise exception 'The content of a quote does not change' using errcode = 'check_violation';
  end if;
  if new.state = 'withdrawn' and old.state = 'proforma' and exists (select from proforma_payment where quote_id = old.id) then
    raise exception 'A proforma invoice with payments cannot be withdrawn' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function require_proforma() returns trigger language plpgsql as $$
begin
  perform from quote where id = new.quote_id and state = 'proforma' for no key update;
  if not found then
    raise exception 'Payments need a proforma invoice that is not invoiced' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger customer_price_past before insert or delete or update on customer_price
  for each row execute function protect_customer_prices();

create trigger payment_proforma_open before insert on payment for each row
  when (new.quote_id is not null)
  execute function require_proforma();

create trigger proforma_payment_open before insert or update on proforma_payment
  for each row execute function require_proforma();

create trigger quote_states before update on quote for each row execute function protect_quote();
