import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../src/start/test-run.ts'
import { backUp } from '../src/db/embedded/backup/back-up.ts'
import { restore } from '../src/db/embedded/backup/restore.ts'
import { embeddedPlace } from '../src/db/embedded/place.ts'
import { recordedPid } from '../src/db/embedded/postmaster.ts'
import { type Embedded, startEmbedded } from '../src/db/embedded/start-embedded.ts'
import { copyTestCluster } from '../src/db/embedded/test-cluster.ts'
import { listen } from '../src/db/listen.ts'
import { TestHost } from '../src/db/test-host.ts'
import { readConfig } from '../src/config.ts'
import { brokenInvariants } from '../src/invariants/check.ts'
import { migrateDatabase } from '../src/start/migrate-database.ts'
import { queryDatabase } from './query-database.ts'
import { startPortalOn } from './portal.ts'
import { removeFolder } from './remove-folder.ts'

const SECONDS_BACK = 10

/** Connection of a standby to its primary. */
const conninfo = (sockets: string) => `user=postgres host='${sockets}' application_name=standby`

test(
  'a synchronous standby promoted after a kill has every acknowledged change, within 10 s',
  { tags: ['storm'] },
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'trainyard-failover-'))
    chmodSync(dir, 0o755)
    const [one, two] = [join(dir, 'one'), join(dir, 'two')]
    const running: Embedded[] = []
    const hosts: TestHost[] = []
    try {
      await copyTestCluster(one)
      running.push(await startEmbedded(one))
      await migrateDatabase(readConfig({ TRAINYARD_DATA: one }).secrets)
      await backUp(one, join(dir, 'base'), { keys: [], recipient: null })
      await restore(join(dir, 'base'), two, [])
      writeFileSync(join(embeddedPlace(two).cluster, 'standby.signal'), '')
      running.push(await startEmbedded(two, { primary_conninfo: conninfo(embeddedPlace(one).sockets) }))
      const first = embeddedPlace(one)
      const second = embeddedPlace(two)
      // Set after the base backup. A standby with this setting would, once promoted, wait for a standby.
      await queryDatabase(first.superuserUrl, `alter system set synchronous_standby_names = 'standby'`)
      await queryDatabase(first.superuserUrl, 'select pg_reload_conf()')
      await until('the standby is synchronous', async () => {
        const rows = await queryDatabase(first.superuserUrl, 'select sync_state from pg_stat_replication')
        return JSON.stringify(rows).includes('sync"')
      })
      hosts.push(new TestHost(first.url), new TestHost(second.url))
      await Promise.all(hosts.map((host) => host.start()))
      const url = `postgres://trainyard@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')}/trainyard?target_session_attrs=read-write`
      await queryDatabase(
        first.url,
        `insert into portal_user (email, role, password_hash) values ('root@x.test', 'superadmin', 'none')`,
      )
      const portal = await startPortalOn(url)
      let connects = 0
      const notifications: string[] = []
      const listening = listen(
        { connectionString: url },
        {
          channels: ['failover'],
          onNotification: (_channel, payload) => notifications.push(payload),
          onConnect: () => connects++,
        },
      )
      const uid = await portal.sessionOf('root@x.test')

      const acknowledged: string[] = []
      const statuses: { readonly at: number; readonly status: number }[] = []
      const stopping = new AbortController()
      const writer = async (name: string) => {
        for (let number = 0; !stopping.signal.aborted; number++) {
          const organization = `${name} ${number}`
          const { status } = await portal.request('POST', '/admin/organization', { uid, body: { organization } })
          statuses.push({ at: performance.now(), status })
          if (status === 200) acknowledged.push(organization)
        }
      }
      const writers = ['a', 'b', 'c', 'd'].map(writer)
      await until('there is load', () => acknowledged.length > 40)

      const killed = performance.now()
      process.kill(recordedPid(first.cluster)!, 'SIGKILL')
      await hosts[0]!.stop()
      await until('calls fail', () => statuses.some(({ status }) => status === 503))
      await queryDatabase(second.superuserUrl, 'select pg_promote()')
      const before = acknowledged.length
      await until('calls are answered again', () => acknowledged.length > before + 20)
      stopping.abort()
      await Promise.all(writers)
      const back =
        statuses.find(({ at, status }) => at > killed + 50 && status === 200 && at > firstFailure(statuses))!.at -
        killed
      expect(back).toBeLessThan(SECONDS_BACK * 1000)
      expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200, 503]))

      const storedRows = (await queryDatabase(second.url, 'select name from organisation')) as { name: string }[]
      const names = new Set(storedRows.map(({ name }) => name))
      expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
      await until('it listens again', () => connects >= 2)
      await queryDatabase(second.url, `notify failover, 'over'`)
      await until('the notification arrives', () => notifications.includes('over'))
      expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
      await listening.close()
      await portal.close()
    } finally {
      await Promise.all(hosts.map((host) => host.stop()))
      await Promise.all(running.map((embedded) => embedded.stop()))
      removeFolder(dir)
    }
  },
)

const firstFailure = (statuses: readonly { readonly at: number; readonly status: number }[]): number =>
  statuses.find(({ status }) => status === 503)!.at
