import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmulator } from '@trainyard/emulator/emulator.ts'
import type { HttpClient } from '@azure/core-rest-pipeline'
import type { CallGate } from '../src/providers/call-gate.ts'
import type { Cloud, MachineDeletion, MachinePlace, MachineSpec } from '../src/providers/cloud.ts'
import { azureCloud } from '../src/providers/azure/cloud.ts'
import { emulatorCredential } from '../src/providers/azure/credentials.ts'

const SUBSCRIPTION = '00000000-0000-4000-8000-000000000001'

/** What the emulator says is and was; only what these tests read of it. */
export interface Truth {
  readonly machines: readonly {
    readonly name: string
    readonly exists: boolean
    readonly power: string | null
    readonly tags: Record<string, string>
    readonly billed: readonly { readonly from: string; readonly to: string | null }[]
  }[]
  readonly addresses: readonly { readonly name: string; readonly tags: Record<string, string> }[]
  readonly networkInterfaces: readonly { readonly name: string; readonly tags: Record<string, string> }[]
  readonly disks: readonly { readonly name: string }[]
  readonly resourceGroups: readonly { readonly name: string }[]
  readonly networks: readonly { readonly name: string }[]
  readonly securityGroups: readonly { readonly name: string; readonly rules: readonly { readonly name: string }[] }[]
  readonly calls: Readonly<Record<string, number>>
}

export interface FarEnd {
  cloud(http?: (wire: HttpClient) => HttpClient, gate?: CallGate): Cloud
  truth(): Promise<Truth>
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>
  clearFaults(): Promise<void>
  /** What people and tests ask of the emulator itself. */
  control(method: string, path: string, body: unknown): Promise<void>
  /** Something happens to a machine at the provider that we did not ask for. */
  behindOurBack(machine: string, action: 'vanish' | 'shutdown' | 'start' | 'deallocate'): Promise<void>
  /** Whether somebody gets in at a running machine with this password. */
  signIn(machine: string, username: string, password: string): Promise<boolean>
  /** Deletes step by step, as the reconciler does, without faults and within a bound. */
  delete(cloud: Cloud, place: MachinePlace): Promise<void>
  /** Names of all that stands for a machine. */
  leftovers(machine: string): Promise<string[]>
  /** The image versions that stand. */
  images(): Promise<{ readonly id: string; readonly state: string; readonly tags: Record<string, string> }[]>
  stop(): Promise<void>
}

/** An emulator of its own, on free ports and an empty record, whose long operations end at once. */
export async function startFarEnd(): Promise<FarEnd> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trainyard-azure-'))
  const emulator = await startEmulator({ port: 0, smtpPort: 0, dataDir, latency: 0, clock: 'real' })
  const send = async (method: string, where: string, body?: unknown) => {
    const response = await fetch(`${emulator.url}${where}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`)
    return response
  }
  const truth = async () => (await (await send('GET', '/_truth')).json()) as Truth
  const clearFaults = async () => void (await send('DELETE', '/_faults'))
  return {
    cloud: (http, gate) =>
      azureCloud({
        subscriptionId: SUBSCRIPTION,
        credential: emulatorCredential(),
        emulatorUrl: emulator.url,
        lookEveryMs: 20,
        ...(http === undefined ? {} : { http }),
        ...(gate === undefined ? {} : { gate }),
      }),
    truth,
    fault: async (fault) => void (await send('POST', '/_faults', fault)),
    control: async (method, path, body) => void (await send(method, path, body)),
    clearFaults,
    behindOurBack: async (machine, action) => void (await send('POST', `/_machines/${machine}/${action}`)),
    async signIn(machine, username, password) {
      const reply = await send('POST', `/_machines/${machine}/sign-in`, { username, password })
      return ((await reply.json()) as { accepted: boolean }).accepted
    },
    async delete(cloud, place) {
      await clearFaults()
      let last: MachineDeletion | undefined
      for (let step = 0; step < 6 && last?.remaining !== 'nothing'; step++)
        last = await cloud.deleteMachine(place, AbortSignal.timeout(20_000))
      if (last?.remaining !== 'nothing') throw new Error(`${place.name} is not deleted after six steps.`)
    },
    async leftovers(machine) {
      const { machines, addresses, disks, networkInterfaces } = await truth()
      return [...machines.filter(({ exists }) => exists), ...addresses, ...disks, ...networkInterfaces]
        .map(({ name }) => name)
        .filter((name) => [machine, `${machine}-ip`, `${machine}-nic`, `${machine}-os`].includes(name))
        .toSorted()
    },
    async images() {
      const reply = await send('GET', '/_truth?part=imageVersions')
      return ((await reply.json()) as { imageVersions: Awaited<ReturnType<FarEnd['images']>> }).imageVersions
    },
    async stop() {
      await emulator.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A machine to ask for, its id and name from a number. */
export function machineSpec(number: number, more: Partial<MachineSpec> = {}): MachineSpec {
  return {
    id: `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`,
    organisation: 'Acme Learning',
    training: 'Linux 101',
    resourceGroup: 'acme-labs',
    name: `linux-101-${number}`,
    securityGroup: 'linux-101-ports',
    location: 'southindia',
    network: 'labs',
    size: 'Standard_D2s_v3',
    os: 'Linux',
    licence: 'none',
    image: {
      kind: 'platform',
      publisher: 'Canonical',
      offer: '0001-com-ubuntu-server-jammy',
      sku: '22_04-lts-gen2',
      version: 'latest',
    },
    adminUsername: 'trainee',
    adminPassword: 'Correct-Horse-7',
    ...more,
  }
}

export const WINDOWS: Partial<MachineSpec> = {
  os: 'Windows',
  licence: 'Windows_Server',
  training: 'Windows 101',
  securityGroup: 'windows-101-ports',
  image: {
    kind: 'platform',
    publisher: 'MicrosoftWindowsServer',
    offer: 'WindowsServer',
    sku: '2022-datacenter-azure-edition',
    version: 'latest',
  },
}
