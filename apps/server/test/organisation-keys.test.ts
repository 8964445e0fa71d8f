import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'

/** In a database that is sharded by organisation, all rows of an organisation are in the same shard. */

const { db } = await sharedDatabase({ size: 1 })

/** Tables without an organisation_id, grouped by reason. Every other table must have an organisation_id. */
const WITHOUT = {
  'is the organisation': ['organisation'],
  'of people, who may belong to none': [
    'account_control',
    'authenticator_app',
    'challenge',
    'guide_language',
    'invitation',
    'passkey',
    'recovery_code',
    'second_factor_reset',
    'session',
    'budget_alert_seen',
    'notification_read',
    'login_lane',
    'stored_reply',
  ],
  'of lab users, who may belong to none': ['aws_account', 'aws_user', 'azure_user', 'sandbox', 'sandbox_charge'],
  'of the whole portal': [
    'day_total',
    'document_series',
    'expiring_credential',
    'ledger_account',
    'quote_series',
    'settlement',
    'settlement_day',
    'settlement_entry',
    'settlement_line',
    'settlement_posting',
    'supplier',
    'tax_rate',
    'undertaking',
    'set_up_try',
    'update_notice',
    'template',
    'private_network',
    'tax_document_registration',
    'e_invoice_cancellation',
    'cost_import',
    'cost_import_part',
    'cost_line',
    'cost_resource',
    'orphan',
    'cloud_limit',
    'cloud_place',
    'cloud_size',
    'cloud_terms',
  ],
  'one chain over all': ['audit_archive', 'audit_erasure', 'audit_head', 'audit_seal'],
  'of the running processes': ['call_bucket', 'part_state', 'task', 'task_on_worker', 'whole_sweep', 'worker_pulse'],
}

test('every table has an organisation_id or a documented reason', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname <> 'applied_area'
      and not exists (select from pg_attribute a where a.attrelid = c.oid and attname = 'organisation_id')`.execute(db)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.values(WITHOUT).flat().toSorted())
})

test('foreign keys between tables with an organisation_id contain it, except keys to users', async () => {
  const { rows } = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint f
    where contype = 'f' and connamespace = 'public'::regnamespace and confrelid <> 'portal_user'::regclass
      and exists (select from pg_attribute a where a.attrelid = conrelid and attname = 'organisation_id')
      and exists (select from pg_attribute a where a.attrelid = confrelid and attname = 'organisation_id')
      and not exists (select from pg_attribute a
        where a.attrelid = conrelid and attname = 'organisation_id' and attnum = any(conkey))`.execute(db)
  expect(rows).toEqual([])
})
