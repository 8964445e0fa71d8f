import { sql } from 'kysely'
import { afterAll, expect } from 'vitest'
import { doctorOf } from '@trainyard/server/doctor.ts'
import { readConfig } from '../server/config/config.ts'
import type { Db } from '../server/db/schema.ts'
import { startEnvironment, type TestEnvironment } from './environment.ts'
import type { Result, Defect } from '../server/doctor/check.ts'
import { runDoctor } from '../server/doctor/doctor.ts'
import { examine } from '../server/doctor/run-checks.ts'

type Settings = Readonly<Record<string, string>>

/** A portal with its emulator, and `trainyard doctor` for its settings. */
export interface DoctorPortal extends Pick<TestEnvironment, 'portal' | 'emulator' | 'control'> {
  readonly settings: Settings
  /** Runs checks. For one group, the results are keyed by name; for several groups or all (null), by group and name. */
  examine(group: string | readonly string[] | null, settings?: Settings): Promise<Record<string, CheckResult>>
  output(group: string, settings?: Settings): Promise<string>
  close(): Promise<void>
}

type CheckResult = Result['state'] | { readonly red: readonly Defect[] }

export async function sharedDoctorPortal(): Promise<DoctorPortal> {
  const doctorPortal = await startDoctorPortal()
  afterAll(() => doctorPortal.close())
  return doctorPortal
}

export async function startDoctorPortal(): Promise<DoctorPortal> {
  const { portal, emulator, control, stop } = await startEnvironment()
  await sql`do $$ begin
    execute format('alter database %I set synchronous_commit = on', current_database());
  end $$`.execute(portal.owner)
  await overrideServerSettings(portal.owner, { fsync: 'on', full_page_writes: 'on' })
  const settings = { ...portal.settings, PUBLIC_URL: portal.url }
  return {
    portal,
    emulator,
    control,
    settings,
    examine: (group, more = {}) => examined({ ...settings, ...more }, group),
    async output(group, more = {}) {
      const { config, secrets } = readConfig({ ...settings, ...more })
      const doctor = await doctorOf(config, secrets)
      const checks = doctor.checks.filter((check) => check.group === group)
      let text = ''
      await runDoctor({ ...doctor, checks }, [], {
        logMessage: (more) => void (text += more),
        complain: (sentence) => void (text += sentence),
      })
      return text
    },
    close: stop,
  }
}

/**
 * Makes new sessions report other server settings than the real ones, because the test server runs without fsync, has
 * one version, and serves other tests too.
 */
export async function overrideServerSettings(owner: Db, settings: Settings): Promise<void> {
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

async function examined(
  settings: Settings,
  group: string | readonly string[] | null,
): Promise<Record<string, CheckResult>> {
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

export const failedWith = (what: RegExp, todo = /\w/): object => ({
  red: expect.arrayContaining([{ what: expect.stringMatching(what), todo: expect.stringMatching(todo) }]),
})
