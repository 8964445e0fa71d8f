import { ConfigError } from '../../core/errors.ts'
import type { Meters } from './meters.ts'

/** Returns the meters, served at `at`; null if no address is configured. @throws ConfigError if the port is in use */
export async function startMeters(at: { readonly host: string; readonly port: number } | null): Promise<Meters | null> {
  if (at === null) return null
  const [{ prometheusMeters }, { serveMetrics }] = await Promise.all([
    import('./metrics.ts'),
    import('./metrics-server.ts'),
  ])
  const meters = prometheusMeters()
  try {
    await serveMetrics(at, meters)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`Cannot listen on METRICS_HOST ${at.host}, METRICS_PORT ${at.port} (${code}).`, {
      cause: error,
    })
  }
  return meters
}
