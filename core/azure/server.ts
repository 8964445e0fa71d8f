import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { databaseRateLimiter } from '@trainyard/platform/server/run/pacing/rate-limiter.ts'
import { instrumented, instrumentedRateLimiter } from '@trainyard/platform/server/run/telemetry/instrumented.ts'
import { azureForm } from './server/form.ts'
import { IMAGE_ANSWERS } from './server/image-id.ts'
import { type AzureConnection, azureConnectionOf } from './server/connection.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface Overrides {
    readonly azure?: Partial<AzureConnection>
  }
}
declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    readonly azureConnection: AzureConnection
  }
}

export default serverModule({
  name: 'azure',
  connectCalls: () => ({ templateForm: azureForm }),
  sqlAnswers: IMAGE_ANSWERS,
  async connectWorker({ config: { azure, ...config }, secrets, db, meters, overrides, logCall }, parts) {
    const [{ azureCloud }, { azureMetrics }] = await Promise.all([
      import('./server/cloud.ts'),
      import('./server/metrics.ts'),
    ])
    const limiterOf = (name: string) => instrumentedRateLimiter(databaseRateLimiter(db, name), meters)
    const azureConnection: AzureConnection = {
      ...(await azureConnectionOf({ ...config, azure }, secrets)),
      log: (call) => logCall(call, 'azure answered'),
      ...(azure.isThrottled ? { rateLimiter: limiterOf(azure.subscriptionId) } : {}),
      ...overrides.azure,
    }
    // Azure Monitor has its own hosts and rate limits.
    const ofMetrics = azure.isThrottled ? { gate: limiterOf(`${azure.subscriptionId} metrics`) } : {}
    // Without its settings and without the emulator, Azure is no provider of machines.
    if (azure.emulated && !config.emulator.needed) return { azureConnection }
    return {
      azureConnection,
      clouds: { ...parts.clouds, azure: instrumented('azure', azureCloud(azureConnection), meters) },
      metrics: {
        ...parts.metrics,
        azure: instrumented('azure', azureMetrics({ ...azureConnection, ...ofMetrics }), meters),
      },
    }
  },
})
