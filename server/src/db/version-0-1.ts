import { sql } from 'kysely'
import { FUNCTIONS } from './migrations/001-baseline.ts'
import type { Db, Tx } from './schema.ts'

export const MIGRATIONS_OF_0_1: readonly string[] = `
  001-foundation 002-machines 003-invitations 010-reconciler 020-operations 021-port-rules 022-schedule-outcomes
  023-security-group-queue 030-azure-sandboxes 031-aws-sandboxes 032-remote-access 033-pacing 034-preflight 040-ledger
  041-payments 042-search 044-ledger-balance 045-metering 046-snapshots 047-removed-trainings 048-counts
  049-account-index 050-learners-machines 051-refused 052-not-priced 055-settled-and-failing 056-clock 060-definers
  061-login-lanes 062-credited-payments 065-sandbox-credits 066-tasks 068-words 069-sessions-seen 070-passwords
  071-second-factor 072-passkeys 073-identity-providers 075-audit-chain 077-organisation-settings
  078-names-and-revisions 079-without-passwords 080-day-totals 082-class 085-operations 086-undo 087-ready-by
  088-reset-and-hand-over 089-weekly-schedules 092-tax-documents 097-traces 099-budgets 100-desktops 103-watching
  105-remote-openings 106-file-transfers 108-refunds 109-tds 113-provider-costs 114-orphan-deletion 115-idle-stretches
  117-ordered-to-be-ready 118-held-stops 123-run-archive 127-reminders 128-payment-requests 129-runs-apart
  132-leash-told 139-watched-desktops 150-vouchers 160-idle-by-default 161-admins-second-factor 162-traces-of-orphans`
  .trim()
  .split(/\s+/)

const RENAMED_FUNCTIONS = {
  bound_credit_notes: 'limit_corrections',
  bound_refunds: 'limit_refunds',
  end_hold: 'clear_not_before',
  forget_create_later: 'clear_create_later',
  forget_stop_reason: 'clear_stop_reason',
  keep_charges_apart: 'reject_overlapping_charges',
  keep_document_series: 'advance_document_series',
  keep_ledger_balance: 'update_ledger_balance',
  keep_payment: 'reject_payment_change',
  keep_payment_request: 'reject_payment_request_change',
  keep_quota_of_machine: 'update_quota_of_machine',
  keep_quota_of_run: 'update_quota_of_run',
  keep_refund: 'reject_refund_change',
  keep_runs_apart: 'reject_overlapping_runs',
  keep_sandbox_owner: 'reject_sandbox_change',
  keep_trace: 'record_trace',
  note_capture: 'record_capture',
  note_first_learner: 'record_first_learner',
  note_role: 'record_role_change',
  tell_class_of_announcement: 'notify_class_of_announcement',
  tell_class_of_hand: 'notify_class_of_raised_hand',
  tell_class_of_machine: 'notify_class_of_machine',
  tell_class_of_training: 'notify_class_of_training',
  tell_leash: 'notify_spending_cap',
  tell_machine_changed: 'notify_machine_changed',
  tell_operation_changed: 'notify_operation_changed',
}

export async function convertFrom01(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await renameSpendingCap(tx)
    await renameLeftovers(tx)
    await removeReconciliation(tx)
    for (const [before, name] of Object.entries(RENAMED_FUNCTIONS)) {
      await sql`alter function ${sql.id(before)} rename to ${sql.id(name)}`.execute(tx)
    }
    await sql.raw(FUNCTIONS).execute(tx)
    await sql`delete from kysely_migration where name = any(${MIGRATIONS_OF_0_1}::text[])`.execute(tx)
    await sql`insert into kysely_migration (name, timestamp)
      values ('001-baseline', ${new Date().toISOString()})`.execute(tx)
  })
}

async function renameSpendingCap(tx: Tx): Promise<void> {
  await sql`
    alter table budget rename column leash to spending_cap;
    alter table budget rename column leashed_at to cap_reached_at;
    alter index budget_leashed rename to budget_cap_reached;
    alter trigger leash_drawn on budget rename to spending_cap_reached;
    alter trigger leash_changed on budget rename to spending_cap_changed;
    alter trigger leash_removed on budget rename to spending_cap_removed`.execute(tx)
}

async function removeReconciliation(tx: Tx): Promise<void> {
  await sql`
    drop table reconciliation_difference, reconciliation;
    delete from task where name = 'compare days'`.execute(tx)
}

async function renameLeftovers(tx: Tx): Promise<void> {
  await sql`
    alter table counter rename constraint tally_count_check to counter_count_check;
    alter sequence tally_change_id_seq rename to counter_change_id_seq;

    -- PostgreSQL 18 and later store NOT NULL as named constraints.
    do $$ declare found record; begin
      for found in
        select conrelid::regclass as "table", conname as name, format('%s_%s_not_null', conrelid::regclass, attname) as usual
        from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
        where contype = 'n' and conrelid in ('budget'::regclass, 'counter'::regclass, 'counter_change'::regclass,
          'sandbox_charge'::regclass, 'stored_reply'::regclass)
      loop
        if found.name <> found.usual then
          execute format('alter table %s rename constraint %I to %I', found.table, found.name, found.usual);
        end if;
      end loop;
    end $$;

    -- Older rows may violate the rule. In this case the constraint remains unvalidated.
    do $$ begin
      alter table organisation validate constraint organisation_gst;
    exception when check_violation then null; end $$;

    -- The operator may own or use the extension.
    do $$ begin
      drop extension if exists btree_gist;
    exception when insufficient_privilege or dependent_objects_still_exist then null; end $$`.execute(tx)
}
