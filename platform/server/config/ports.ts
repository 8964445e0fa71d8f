import { ConfigError } from '../core/errors.ts'
import type { Environment } from './environment.ts'

export interface Ports {
  readonly http: number
  readonly emulator: number
  readonly smtp: number
  readonly vite: number
}

const DEFAULTS: Ports = { http: 4000, emulator: 4010, smtp: 4025, vite: 5173 }
const MAX_PORT = 65_535

/**
 * Returns the ports. A changed PORT shifts all ports that are not set, because another portal probably runs on the
 * host.
 */
export function portsIn(env: Environment): Ports {
  const http = env.PORT ?? DEFAULTS.http
  rejectDuplicatePorts({
    PORT: http,
    EMULATOR_PORT: env.EMULATOR_PORT,
    EMULATOR_SMTP_PORT: env.EMULATOR_SMTP_PORT,
    METRICS_PORT: env.METRICS_PORT,
  })
  const usedPorts = new Set([http, env.EMULATOR_PORT, env.EMULATOR_SMTP_PORT, env.METRICS_PORT])
  const defaultPort = (usual: number): number => {
    const distance = usual - DEFAULTS.http
    const step = http + distance <= MAX_PORT ? 1 : -1
    let port = http + step * distance
    while (usedPorts.has(port)) port += step
    usedPorts.add(port)
    return port
  }
  return {
    http,
    emulator: env.EMULATOR_PORT ?? defaultPort(DEFAULTS.emulator),
    smtp: env.EMULATOR_SMTP_PORT ?? defaultPort(DEFAULTS.smtp),
    vite: defaultPort(DEFAULTS.vite),
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
