import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { MACHINE_CHANNEL } from '@trainyard/trainings/server/machine-changes.ts'
import { listen } from '../server/db/listen.ts'
import type { TestEnvironment } from './environment.ts'
import { until } from './until.ts'

/** Listens to the changes that are reported to open pages, until the tests of the file end. */
export async function hearMachineChanges(env: TestEnvironment) {
  let heard: string[] = []
  const connected = Promise.withResolvers<void>()
  const listening = listen(
    { connectionString: env.portal.settings['DATABASE_URL']! },
    {
      channels: [MACHINE_CHANNEL],
      onNotification: (_channel, payload) => heard.push(payload),
      onConnect: connected.resolve,
    },
  )
  await connected.promise
  afterAll(() => listening.close())

  const reported = (payload: string) =>
    until(
      `${payload} is reported`,
      async () => heard,
      (all) => all.includes(payload),
      5_000,
    )
  /** Discards what was reported until now. */
  async function forget(): Promise<void> {
    await sql`select pg_notify(${MACHINE_CHANNEL}, 'marker')`.execute(env.db)
    await reported('marker')
    heard = []
  }
  return { reported, forget }
}
