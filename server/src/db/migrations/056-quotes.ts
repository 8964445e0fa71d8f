import { type Kysely, sql } from 'kysely'

/**
 * Adds quotes, and the proforma invoices that follow an accepted quote. Neither of them is a tax document, so their
 * numbers are separate from the series of tax documents.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  await sql.raw(FUNCTIONS).execute(db)
}

const TABLES = `
create table quote (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  number text not null unique check (number ~ '^Q-[0-9]{2}-[0-9]{2}-[0-9]{4,}$'),
  -- Day in the supplier's zone.
  issued_on date not null,
  valid_until date not null check (valid_until >= issued_on),
  lines jsonb not null,
  -- The quote as printed.
  content jsonb not null,
  pdf bytea not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  state text not null default 'open' check (state in ('open', 'accepted', 'declined', 'withdrawn', 'proforma', 'invoiced')),
  decided_by text,
  decided_at timestamptz,
  -- Reason of a customer who declines, or remark of the user who records the decision.
  answer text,
  proforma text unique check (proforma ~ '^PF-[0-9]{2}-[0-9]{2}-[0-9]{4,}$'),
  proforma_on date,
  proforma_content jsonb,
  proforma_pdf bytea,
  invoice text,
  invoice_kind text generated always as (case when invoice is not null then 'invoice' end) stored,
  unique (id, organisation_id),
  unique (organisation_id, invoice),
  foreign key (organisation_id, invoice_kind, invoice) references ledger_entry (organisation_id, kind, reference),
  check ((decided_by is null) = (decided_at is null)),
  check (decided_by is not null or state in ('open', 'withdrawn')),
  check (decided_by is null or state <> 'open'),
  check (num_nulls(proforma, proforma_on, proforma_content, proforma_pdf) in (0, 4)),
  check (proforma is not null or state not in ('proforma', 'invoiced')),
  check (proforma is null or state in ('proforma', 'invoiced', 'withdrawn')),
  check ((invoice is not null) = (state = 'invoiced'))
);
create index quote_newest on quote (organisation_id, created_at desc);
create index quote_all_newest on quote (created_at desc);

-- Payments for a proforma invoice. They settle only the invoice that is issued for it.
create table proforma_payment (
  organisation_id uuid not null,
  payment text not null,
  payment_kind text not null generated always as ('payment') stored,
  quote_id uuid not null,
  recorded_by text not null,
  recorded_at timestamptz not null default portal_now(),
  primary key (organisation_id, payment),
  foreign key (organisation_id, payment_kind, payment) references ledger_entry (organisation_id, kind, reference),
  foreign key (quote_id, organisation_id) references quote (id, organisation_id)
);
create index proforma_payment_quote on proforma_payment (quote_id);

create table quote_series (
  kind text not null check (kind in ('quote', 'proforma')),
  financial_year text not null,
  last_serial integer not null check (last_serial > 0),
  primary key (kind, financial_year)
);
`

const FUNCTIONS = `
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
create trigger quote_states before update on quote for each row execute function protect_quote();

create function require_proforma() returns trigger language plpgsql as $$
begin
  perform from quote where id = new.quote_id and state = 'proforma' for no key update;
  if not found then
    raise exception 'Payments need a proforma invoice that is not invoiced' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger proforma_payment_open before insert or update on proforma_payment
  for each row execute function require_proforma();
`
