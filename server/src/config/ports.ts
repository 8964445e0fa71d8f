import { ConfigError } from '../core/errors.ts'
import type { Environment } from './environment.ts'

export interface Ports {
  readonly http: number
  readonly emulator: number
  readonly smtp: number
  /** Development server of the web app. */
  readonly vite: number
}

const USUAL: Ports = { http: 4000, emulator: 4010, smtp: 4025, vite: 5173 }
const HIGHEST = 65_535

/**
 * Returns the ports to listen on. When PORT is changed, another portal probably runs on the same host, so the ports
 * that are not set
 * shift by the same distance, skipping ports that are taken by other settings.
 */
export function portsIn(e: Environment): Ports {
  const http = e.PORT ?? USUAL.http
  rejectDuplicatePorts({
    PORT: http,
    EMULATOR_PORT: e.EMULATOR_PORT,
    EMULATOR_SMTP_PORT: e.EMULATOR_SMTP_PORT,
    METRICS_PORT: e.METRICS_PORT,
  })
  const taken = new Set([http, e.EMULATOR_PORT, e.EMULATOR_SMTP_PORT, e.METRICS_PORT])
  const beside = (usual: number): number => {
    const distance = usual - USUAL.http
    const step = http + distance <= HIGHEST ? 1 : -1
    let port = http + step * distance
    while (taken.has(port)) port += step
    taken.add(port)
    return port
  }
  return {
    http,
    emulator: e.EMULATOR_PORT ?? beside(USUAL.emulator),
    smtp: e.EMULATOR_SMTP_PORT ?? beside(USUAL.smtp),
    vite: beside(USUAL.vite),
  }
}

function rejectDuplicatePorts(given: Readonly<Record<string, number | undefined>>): void {
  const inUse = new Map<number, string>()
  for (const [name, port] of Object.entries(given)) {
    if (port === undefined) continue
    const other = inUse.get(port)
    if (other !== undefined) throw new ConfigError(`${name} must differ from ${other}: both are ${port}.`)
    inUse.set(port, name)
  }
}
