import { ConfigError } from '../core/errors.ts'
import { NO_TELEMETRY, type Telemetry } from './telemetry.ts'

export interface TelemetrySettings {
  readonly metrics: { readonly host: string; readonly port: number } | null
  readonly otlp: string | null
}

export async function startTelemetry({ metrics, otlp }: TelemetrySettings, service: string): Promise<Telemetry> {
  if (metrics === null && otlp === null) return NO_TELEMETRY
  const [meters, tracer] = await Promise.all([
    metrics === null ? null : startMeters(metrics),
    otlp === null ? null : import('./tracing.ts').then(({ otlpTracer }) => otlpTracer(otlp, service)),
  ])
  return { meters, tracer }
}

async function startMeters(at: { readonly host: string; readonly port: number }) {
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
