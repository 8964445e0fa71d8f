import { type Kysely, sql } from 'kysely'

/**
 * Proforma invoices for prepaid credit. Their payments become credit, and no tax invoice is issued for them, because
 * the usage that consumes the credit is invoiced every month.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(COLUMNS).execute(db)
  await sql.raw(TRIGGER).execute(db)
}

const COLUMNS = `
alter table quote
  add column prepaid boolean not null default false,
  -- null: credit of all trainings without separate credit.
  add column prepaid_training uuid,
  add constraint quote_prepaid_training check (prepaid_training is null or prepaid),
  add constraint quote_prepaid_state check (not prepaid or state in ('proforma', 'withdrawn')),
  add foreign key (prepaid_training, organisation_id) references training (id, organisation_id);
create index quote_prepaid on quote (organisation_id) where prepaid and state = 'proforma';
`

const TRIGGER = `
create function protect_prepaid_quote() returns trigger language plpgsql as $$
begin
  raise exception 'The purpose of a quote does not change' using errcode = 'check_violation';
end $$;
create trigger quote_purpose before update on quote for each row
  when ((new.prepaid, new.prepaid_training) is distinct from (old.prepaid, old.prepaid_training))
  execute function protect_prepaid_quote();
`
