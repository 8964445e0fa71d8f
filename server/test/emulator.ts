import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmulatorOptions, startEmulator } from '@trainyard/emulator/emulator.ts'
import { type Caller, mustSend, send } from './caller.ts'

/** The emulator's record of all that is and was; only the fields that tests read. */
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
  /** Long operations, where they are asked for. */
  readonly operations: readonly {
    readonly operation: string
    readonly target: string
    readonly status: string
    readonly startedAt: string
    readonly endedAt: string | null
  }[]
  /** How often each operation was called. */
  readonly calls: Readonly<Record<string, number>>
}

interface Tagged {
  readonly name: string
  readonly tags: Record<string, string>
}

/** The emulator's record of a user of its directory. */
export interface DirectoryUser {
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

/** An emulator of a test's own, on free ports and an empty record. */
export interface TestEmulator {
  readonly url: string
  readonly port: number
  readonly smtpPort: number
  /** The settings of a portal that stands beside it. */
  readonly settings: Readonly<Record<string, string>>
  /** Asks the emulator itself, refused or not. */
  readonly control: Caller
  /** @param parts of the record; none: what stands at Azure, and the calls */
  truth(...parts: string[]): Promise<Truth>
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>
  clearFaults(): Promise<void>
  /** Something happens to a machine at the provider that we did not ask for. */
  behindOurBack(machine: string, action: 'vanish' | 'shutdown' | 'start' | 'deallocate'): Promise<void>
  stop(): Promise<void>
}

/** Without a latency long operations end in the moment in which they begin. */
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
    behindOurBack: (machine, action) => mustSend('POST', `${url}/_machines/${machine}/${action}`),
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
