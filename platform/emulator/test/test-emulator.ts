import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmulatorOptions } from '../emulator.ts'
import { startEmulator } from '@trainyard/modules/emulator.ts'

export const subscription = '11111111-1111-4111-8111-111111111111'
export const inSubscription = `/subscriptions/${subscription}`
export const inGroup = `${inSubscription}/resourceGroups/labs`

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- the type of a reply depends on the call
  readonly body: any
}

export interface TestEmulator {
  readonly url: string
  readonly smtpPort: number
  /** Calls Azure's interface with the api-version of the provider in the path. */
  arm(method: string, path: string, body?: unknown): Promise<Reply>
  /** Calls an address from an earlier reply without changing it. */
  follow(address: string | null): Promise<Reply>
  control(method: string, path: string, body?: unknown): Promise<Reply>
  /** Steps the clock. Needs `clock: 'stepped'`. */
  advance(seconds: number): Promise<void>
  stop(): Promise<void>
}

/** Starts a separate emulator with an empty record on free ports. By default operations take no time. */
export async function startTestEmulator(options: Partial<EmulatorOptions> = {}): Promise<TestEmulator> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'trainyard-emulator-')))
  const emulator = await startEmulator({ port: 0, smtpPort: 0, latency: 0, ...options, dataDir })
  return {
    ...callsTo(emulator.url),
    smtpPort: emulator.smtpPort,
    stop: async () => {
      await emulator.stop()
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function callsTo(url: string): Pick<TestEmulator, 'url' | 'arm' | 'follow' | 'control' | 'advance'> {
  const control = (method: string, path: string, body?: unknown): Promise<Reply> => send(method, url + path, body, {})
  return {
    url,
    control,
    arm: (method, path, body) =>
      send(method, `${url}${path}${path.includes('?') ? '&' : '?'}api-version=${versionFor(path)}`, body, {
        authorization: 'Bearer of-a-test',
      }),
    follow: (address) => {
      const { origin, pathname, search } = new URL(address ?? 'nowhere:')
      if (origin !== 'https://management.azure.com') throw new Error(`${address} is not an address of Azure.`)
      return send('GET', `${url}${pathname}${search}`, undefined, { authorization: 'Bearer of-a-test' })
    },
    advance: async (seconds) => {
      await control('POST', '/_clock', { advanceSeconds: seconds })
    },
  }
}

export function versionFor(path: string): string {
  if (/\/providers\/[\w.]+(?:\/register)?$/i.test(path)) return '2024-11-01'
  if (/\/(roleAssignments|permissions)/i.test(path)) return '2022-04-01'
  if (/\/Microsoft\.LabServices\//i.test(path)) return '2023-06-07'
  if (/\/Microsoft\.Network\//i.test(path)) return '2024-05-01'
  if (/\/Microsoft\.Compute\/disks/i.test(path)) return '2024-03-02'
  if (/\/Microsoft\.Compute\/galleries/i.test(path)) return '2024-03-03'
  if (/\/Microsoft\.Compute\/skus/i.test(path)) return '2021-07-01'
  if (/\/Microsoft\.Compute\//i.test(path)) return '2024-07-01'
  if (/\/Microsoft\.MarketplaceOrdering\//i.test(path)) return '2021-01-01'
  if (/\/policyAssignments/i.test(path)) return '2024-05-01'
  if (/\/Microsoft\.PolicyInsights\//i.test(path)) return '2024-10-01'
  return /\/resourceGroups/i.test(path) ? '2024-11-01' : '2022-12-01'
}

async function send(
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
