import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, type ProvidedContext } from 'vitest'
import { type Emulator, startEmulator } from '@trainyard/emulator/emulator.ts'
import { doctorOf } from '../app.ts'
import { readConfig } from '../config.ts'
import { createTestDatabase } from '#test/database.ts'
import type { Db } from '../db/schema.ts'
import { startPortalOn, type TestPortal } from '#test/portal.ts'
import type { Result, ToMend } from './check.ts'
import { runDoctor } from './doctor.ts'
import { examine } from './examine.ts'

type Settings = Readonly<Record<string, string>>

/** A portal beside its emulator, and a doctor for its settings. */
export interface Patient {
  readonly portal: TestPortal
  readonly emulator: Emulator
  readonly settings: Settings
  /** Makes one group's checks, by name; or those of several groups or all (null), by group and name. */
  examine(group: string | readonly string[] | null, settings?: Settings): Promise<Record<string, Seen>>
  /** What people are shown of one group. */
  said(group: string, settings?: Settings): Promise<string>
  control(method: string, path: string, body?: object): Promise<unknown>
  close(): Promise<void>
}

export type Seen = Result['state'] | { readonly red: readonly ToMend[] }

export const KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`

export async function startPatient(cluster: ProvidedContext['testCluster']): Promise<Patient> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trainyard-doctor-'))
  const database = await createTestDatabase(cluster)
  const emulator = await startEmulator({ port: 0, smtpPort: 0, dataDir, latency: 0 })
  const common = {
    TRAINYARD_DATA: dataDir,
    DATABASE_URL: database.url,
    SECRET_KEYS: KEYS,
    EMULATOR_PORT: String(emulator.port),
    EMULATOR_SMTP_PORT: String(emulator.smtpPort),
    EMULATOR_LATENCY: '0',
  }
  const portal = await startPortalOn(database.url, undefined, common)
  await sql.raw(`alter database ${nameOf(database.url)} set synchronous_commit = on`).execute(portal.owner)
  await sayOfServer(portal.owner, { fsync: 'on', full_page_writes: 'on' })
  const settings = { ...common, PUBLIC_URL: portal.url }
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(`${emulator.url}${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  await control('POST', '/_webhooks', { url: `${portal.url}/api/payments/webhook` })
  return {
    portal,
    emulator,
    settings,
    examine: (group, more = {}) => examined({ ...settings, ...more }, group),
    async said(group, more = {}) {
      const { config, secrets } = readConfig({ ...settings, ...more })
      const doctor = await doctorOf(config, secrets)
      const checks = doctor.checks.filter((check) => check.group === group)
      let text = ''
      await runDoctor({ ...doctor, checks }, [], (more) => (text += more))
      return text
    },
    control,
    async close() {
      await portal.close()
      await emulator.stop()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const nameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1)

/**
 * Lets new sessions see other settings than the server's own: it is a test's, runs without fsync, is of one version,
 * and serves the other tests too.
 */
export async function sayOfServer(owner: Db, settings: Settings): Promise<void> {
  const cases = Object.entries(settings).map(([name, value]) => `when '${name}' then '${value}'`)
  await sql
    .raw(
      `create schema if not exists said;
       create or replace view said.pg_settings as
         select name, case name ${cases.join(' ')} else setting end as setting from pg_catalog.pg_settings;
       grant usage on schema said to public;
       grant select on said.pg_settings to public;
       do $$ begin
         execute format('alter database %I set search_path = said, pg_catalog, public', current_database());
       end $$`,
    )
    .execute(owner)
}

async function examined(settings: Settings, group: string | readonly string[] | null): Promise<Record<string, Seen>> {
  const { config, secrets } = readConfig(settings)
  const doctor = await doctorOf(config, secrets)
  try {
    const results = await examine(
      doctor.checks.filter((check) => group === null || [group].flat().includes(check.group)),
    )
    return Object.fromEntries(
      results.map((result) => [
        typeof group === 'string' ? result.check.name : `${result.check.group}: ${result.check.name}`,
        result.state === 'red' ? { red: result.problems } : result.state,
      ]),
    )
  } finally {
    await doctor.close()
  }
}

/** A red with a problem that says so. */
export const redSaying = (what: RegExp, todo = /\w/): object => ({
  red: expect.arrayContaining([{ what: expect.stringMatching(what), todo: expect.stringMatching(todo) }]),
})
