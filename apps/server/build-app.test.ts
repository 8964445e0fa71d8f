import { expect, test } from 'vitest'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { poolOf } from '@trainyard/platform/server/db/client.ts'
import { buildApp } from './build-app.ts'

test('limits a process to the configured number of connections, 16 by default', async () => {
  for (const [requested, most] of [
    [{ DATABASE_CONNECTIONS: '5' }, 5],
    [{}, 16],
  ] as const) {
    const { config, secrets } = readConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing', ...requested })
    const { db } = buildApp(config, secrets)
    expect(poolOf(db)!.options.max).toBe(most)
    await db.destroy()
  }
})
