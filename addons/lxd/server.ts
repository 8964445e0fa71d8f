import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { answerSql } from '@trainyard/platform/server/core/events.ts'
import { routeTo } from '@trainyard/machines/server/operation/route.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { instrumented } from '@trainyard/platform/server/run/telemetry/instrumented.ts'
import type { LxdAddress } from './server/client.ts'
import type { LxdConfig } from './server/environment.ts'

export default serverModule({
  name: 'lxd',
  async prepareStart({ demo, lxd }) {
    if (!demo || lxd === null) return []
    const { requireDaemon } = await import('./server/daemon.ts')
    return requireDaemon(await addressOf(lxd.at))
  },
  sqlAnswers: [
    answerSql(
      routeTo,
      () => sql`(case when machine.provider = 'lxd' and machine.place ->> 'range' is not null then
        jsonb_build_object('id', 'lxd', 'route', 'host', 'ranges', jsonb_build_array(machine.place ->> 'range')) end)`,
    ),
  ],
  async connectWorker({ config: { lxd }, meters }, parts) {
    if (lxd === null) return {}
    const { lxdCloud } = await import('./server/lxd-cloud.ts')
    const cloud = lxdCloud({ ...lxd, address: await addressOf(lxd.at) })
    return { clouds: { ...parts.clouds, lxd: instrumented('lxd', cloud, meters) } }
  },
})

async function addressOf(at: LxdConfig['at']): Promise<LxdAddress> {
  if (at.kind === 'socket') return at
  const [own, serverCertificate] = await Promise.all([
    readFile(at.certificatePath, 'utf8'),
    readFile(at.serverCertificatePath, 'utf8'),
  ])
  return { kind: 'tls', url: at.url, certificate: own, key: own, serverCertificate }
}
