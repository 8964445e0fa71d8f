import { sql } from 'kysely'
import { answerSql } from '@trainyard/platform/server/core/events.ts'
import { routeTo } from '@trainyard/machines/server/operation/route.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { instrumented } from '@trainyard/platform/server/run/telemetry/instrumented.ts'
import { addressOf } from './server/address.ts'

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
    const [{ lxdCloud }, { lxdClient }, { lxdMetrics }] = await Promise.all([
      import('./server/lxd-cloud.ts'),
      import('./server/client.ts'),
      import('./server/usage.ts'),
    ])
    const address = await addressOf(lxd.at)
    const cloud = lxdCloud({ ...lxd, address })
    return {
      clouds: { ...parts.clouds, lxd: instrumented('lxd', cloud, meters) },
      metrics: { ...parts.metrics, lxd: instrumented('lxd', lxdMetrics(lxdClient(address, lxd.project)), meters) },
    }
  },
})
