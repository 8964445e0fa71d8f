import { type Kysely, sql } from 'kysely'

/**
 * The place and the GST number of a customer determine the tax on its invoices. Only the supplier changes them, from a
 * given day on. An admin of the customer requests a change with a document.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  await sql.raw(FUNCTIONS).execute(db)
}

const TABLES = `
create table tax_status_request (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  place text not null check (place in ('india', 'sez', 'abroad')),
  gstin text check (gstin ~ '^[0-9]{2}[0-9A-Z]{13}$'),
  valid_from date not null,
  reason text not null,
  document_name text not null,
  document_type text not null check (document_type in ('application/pdf', 'image/png', 'image/jpeg')),
  document bytea not null check (octet_length(document) between 1 and 716800),
  asked_by text not null,
  asked_at timestamptz not null default portal_now(),
  state text not null default 'open' check (state in ('open', 'approved', 'rejected', 'withdrawn')),
  decided_by text,
  decided_at timestamptz,
  -- Reason of a rejection.
  answer text,
  unique (id, organisation_id),
  check (place <> 'abroad' or gstin is null),
  check (place <> 'sez' or gstin is not null),
  check ((state = 'open') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  check ((state = 'rejected') = (answer is not null))
);
create unique index tax_status_request_open on tax_status_request (organisation_id) where state = 'open';
create index tax_status_request_newest on tax_status_request (organisation_id, asked_at desc);

-- Changes of the tax status with their first day. Before the first change, organisation.gst and
-- organisation_billing.place are the status.
create table tax_status (
  organisation_id uuid not null references organisation (id),
  valid_from date not null,
  place text not null check (place in ('india', 'sez', 'abroad')),
  gstin text check (gstin ~ '^[0-9]{2}[0-9A-Z]{13}$'),
  reason text not null,
  request_id uuid,
  decided_by text not null,
  decided_at timestamptz not null default portal_now(),
  primary key (organisation_id, valid_from),
  foreign key (request_id, organisation_id) references tax_status_request (id, organisation_id),
  check (place <> 'abroad' or gstin is null),
  check (place <> 'sez' or gstin is not null)
);
`

const FUNCTIONS = `
-- Returns the current day in the supplier's zone, with which documents are dated.
create function supplier_today() returns date stable
return (portal_now() at time zone 'Asia/Kolkata')::date;

create function tax_status_on(organisation uuid, day date) returns table (place text, gstin text)
language sql stable as $$
  select coalesce(s.place, b.place, 'india'), case when s.place is null then o.gst else s.gstin end
  from organisation o left join organisation_billing b on b.organisation_id = o.id
    left join lateral (select t.place, t.gstin from tax_status t
      where t.organisation_id = o.id and t.valid_from <= day order by t.valid_from desc limit 1) s on true
  where o.id = organisation
$$;
`
