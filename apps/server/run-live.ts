import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import type { LiveRun } from './live/live.ts'
import type { LiveOptions } from './live/options.ts'
import { egressFetch } from '@trainyard/platform/server/providers/egress.ts'
import { awsOf } from '@trainyard/sandbox-aws/server/connection.ts'
import { azureConnectionOf } from '@trainyard/azure/server/connection.ts'
import { azureLabsOf } from '@trainyard/sandbox-azure/server/connection.ts'
import { paymentsOf } from '@trainyard/payments/server/connection.ts'

type LogMessage = (text: string) => void

export async function liveRunOf(
  config: Config,
  secrets: Secrets,
  options: LiveOptions,
  logMessage: LogMessage,
): Promise<LiveRun> {
  const [{ azureCloud }, scenarios, { openJournal }, { recordTraffic }] = await Promise.all([
    import('@trainyard/azure/server/cloud.ts'),
    import('./live/scenarios.ts'),
    import('./live/journal.ts'),
    import('./live/traffic.ts'),
  ])
  const folder = join(config.dataDir, 'live')
  const { subscriptionId, tenantId, labDomain } = config.azure
  const traffic = recordTraffic(
    new Date(),
    [...secrets.texts, tenantId, labDomain ?? ''],
    egressFetch(secrets.egressProxy),
  )
  const cloudAccount = config.azure.emulated ? 'the emulator' : `Azure subscription ${subscriptionId}`
  const cloudAccounts = {
    group: cloudAccount,
    directoryUser: config.azure.emulated ? 'the emulator' : `Entra tenant ${tenantId}`,
    awsUser: config.aws.emulated ? 'the emulator' : 'AWS',
  }
  const settings = { ...(await azureConnectionOf(config, secrets)), http: traffic.http, send: traffic.fetch }
  const pollMs = config.azure.emulated ? 100 : 10_000
  const lag = config.azure.emulated && config.aws.emulated ? config.emulator.latency : 1
  const { identity, groups } = await azureLabsOf(settings, config)
  const parts = { cloud: azureCloud(settings), groups, identity, aws: await awsOf(config, secrets) }
  return {
    scenarios: scenarios.scenariosOf({
      ...parts,
      options,
      labDomain,
      payments: paymentsOf(config, secrets),
      pollMs,
      lag,
      logMessage,
    }),
    providers: { ...parts, cloudAccounts },
    journal: openJournal(folder, cloudAccounts),
    traffic,
    pollMs,
    lag,
    costLimit: options.costLimit,
    cloudAccount,
    trafficFolder: join(folder, 'traffic'),
    saveReport(text) {
      const file = join(folder, `report-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.md`)
      writeFileSync(file, text, { mode: 0o600 })
      return file
    },
  }
}
