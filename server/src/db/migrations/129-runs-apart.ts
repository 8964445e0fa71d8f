import { type Kysely, sql } from 'kysely'

/**
 * Runs of a machine, and charges of a sandbox, never overlap: kept by triggers in place of exclusion constraints, whose
 * GiST indexes PostgreSQL reads wrongly once in a while. See docs/decisions/103-no-gist-index-is-read.md.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table run drop constraint run_machine_id_tstzrange_excl;
    create function keep_runs_apart() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      -- Two at once see each other's: whoever writes runs holds their machine.
      perform from machine where id = new.machine_id for no key update;
      if exists (select from run where machine_id = new.machine_id and id <> new.id
          and started_at < coalesce(new.stopped_at, 'infinity')
          and tstzrange(started_at, stopped_at) && tstzrange(new.started_at, new.stopped_at)) then
        raise exception 'runs of machine % overlap', new.machine_id
          using errcode = 'exclusion_violation', table = 'run', constraint = 'run_apart';
      end if;
      return null;
    end $$;
    create trigger run_apart after insert or update of machine_id, started_at, stopped_at on run
      for each row execute function keep_runs_apart();

    alter table sandbox_charge drop constraint sandbox_charge_sandbox_id_tstzrange_excl;
    create index sandbox_charge_sandbox on sandbox_charge (sandbox_id, from_at);
    create function keep_charges_apart() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform from sandbox where id = new.sandbox_id for no key update;
      if exists (select from sandbox_charge where sandbox_id = new.sandbox_id and id <> new.id
          and from_at < new.to_at and to_at > new.from_at) then
        raise exception 'charges of sandbox % overlap', new.sandbox_id
          using errcode = 'exclusion_violation', table = 'sandbox_charge', constraint = 'sandbox_charge_apart';
      end if;
      return null;
    end $$;
    create trigger sandbox_charge_apart after insert or update of sandbox_id, from_at, to_at on sandbox_charge
      for each row execute function keep_charges_apart();
  `.execute(db)
}
