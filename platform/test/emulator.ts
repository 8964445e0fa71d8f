import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmulatorOptions } from '../emulator/emulator.ts'
import { startEmulator } from '@trainyard/modules/emulator.ts'
import { type Caller, mustSend, send } from './caller.ts'

/** Record of the emulator: its resources and past calls. Only fields that tests read are declared. */
export interface Truth {
  readonly machines: readonly {
    readonly name: string
    readonly resourceGroup: string
    readonly exists: boolean
    readonly power: string | null
    readonly tags: Record<string, string>
    readonly billed: readonly { readonly from: string; readonly to: string | null }[]
  }[]
  readonly addresses: readonly Tagged[]
  readonly networkInterfaces: readonly Tagged[]
  readonly disks: readonly { readonly name: string }[]
  readonly resourceGroups: readonly Tagged[]
  readonly networks: readonly { readonly name: string }[]
  readonly securityGroups: readonly { readonly name: string; readonly rules: readonly { readonly name: string }[] }[]
  readonly imageVersions: readonly { readonly id: string; readonly state: string; readonly tags: Tagged['tags'] }[]
  readonly users: readonly DirectoryUser[]
  readonly roleAssignments: readonly unknown[]
  /** Long-running operations; present only if requested. */
  readonly operations: readonly {
    readonly operation: string
    readonly target: string
    readonly status: string
    readonly startedAt: string
    readonly endedAt: string | null
  }[]
  readonly calls: Readonly<Record<string, number>>
}

interface Tagged {
  readonly name: string
  readonly tags: Record<string, string>
}

interface DirectoryUser {
  readonly id: string
  readonly userPrincipalName: string
  readonly mailNickname: string
  readonly exists: boolean
  readonly canSignIn: boolean
  readonly roles: readonly { readonly group: string; readonly role: string }[]
  readonly blockedAt: string | null
  readonly deletedAt: string | null
  readonly purgedAt: string | null
}

/** A separate emulator for a test, on free ports and with an empty record. */
export interface TestEmulator {
  readonly url: string
  readonly port: number
  readonly smtpPort: number
  readonly settings: Readonly<Record<string, string>>
  /** Calls the emulator's control API. Error statuses are returned instead of thrown. */
  readonly control: Caller
  /** @param parts of the record; if omitted, the resources at Azure and the calls */
  truth(...parts: string[]): Promise<Truth>
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>
  clearFaults(): Promise<void>
  /** Changes a machine at the provider without a request of the portal. */
  changeOutside(machine: string, action: 'vanish' | 'shutdown' | 'start' | 'deallocate'): Promise<void>
  stop(): Promise<void>
}

/** With latency 0, long-running operations end at once. */
export async function startTestEmulator({
  latency = 0,
  clock = 'real',
}: Pick<EmulatorOptions, 'latency' | 'clock'> = {}): Promise<TestEmulator> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trainyard-emulator-'))
  const { url, port, smtpPort, stop } = await startEmulator({ port: 0, smtpPort: 0, dataDir, latency, clock })
  return {
    url,
    port,
    smtpPort,
    settings: {
      EMULATOR_PORT: String(port),
      EMULATOR_SMTP_PORT: String(smtpPort),
      EMULATOR_LATENCY: String(latency),
    },
    control: (method, path, body) => send(method, url + path, body),
    truth: (...parts) => mustSend('GET', `${url}/_truth${parts.length === 0 ? '' : `?part=${parts.join(',')}`}`),
    fault: (fault) => mustSend('POST', `${url}/_faults`, fault),
    clearFaults: () => mustSend('DELETE', `${url}/_faults`),
    changeOutside: (machine, action) => mustSend('POST', `${url}/_machines/${machine}/${action}`),
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
