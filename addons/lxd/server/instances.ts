import { isIPv4 } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { CloudMachineState } from '@trainyard/templates/server/cloud.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { type LxdClient, readAs } from './client.ts'
import { isAbsence, says } from './refusals.ts'

/** Keys of an instance's configuration that the portal writes. */
export const TAGS = {
  machine: 'user.trainyard.machine',
  /** The portal's name of the machine, which LXD may not allow. */
  name: 'user.trainyard.name',
  /** Present once the machine has started with its account. */
  ready: 'user.trainyard.ready',
} as const

const instance = z.object({
  name: z.string(),
  status: z.string(),
  created_at: z.coerce.date(),
  last_used_at: z.coerce.date(),
  config: z.record(z.string(), z.string()),
  devices: z.record(z.string(), z.record(z.string(), z.string())).default({}),
})
export type Instance = z.output<typeof instance>

const leases = z.array(z.object({ hwaddr: z.string(), address: z.string() }))

/** Start of the names of machines that LXD could not delete. */
const LEFTOVER = 'leftover-'

/** Returns LXD's name of a machine. LXD does not allow a digit at the beginning. */
export const instanceName = (name: string): string => (/^\d/.test(name) ? `m-${name}` : name)

/** Returns the portal's name of a machine. A copy has the tag of its source, but not its name. */
export function machineNameOf({ name, config }: Instance): string {
  const tagged = config[TAGS.name]
  return tagged !== undefined && instanceName(tagged) === name ? tagged : name
}

/**
 * Returns true if the creation of the machine was interrupted. Repeating the creation continues it, so the portal sees
 * the machine as absent until then.
 */
export const isUnfinished = ({ config }: Instance): boolean =>
  config[TAGS.machine] !== undefined && config[TAGS.ready] === undefined

/** Year of `last_used_at` of an instance that never started: 1970, or 0001 on other servers. */
const NEVER_BEFORE = Date.UTC(2000)

export const hasStarted = ({ last_used_at: at }: Instance): boolean => at.getTime() > NEVER_BEFORE

/**
 * Returns null if the list does not determine the state: the member of the cluster is offline.
 * @param stoppedAt null: unknown
 */
export function stateOf(machine: Instance, stoppedAt: Date | null): CloudMachineState | null {
  switch (machine.status) {
    case 'Running':
    case 'Frozen':
      return { state: 'running', since: hasStarted(machine) ? machine.last_used_at : null }
    case 'Stopped':
      return { state: 'stopped', since: stoppedAt }
    case 'Error':
      return null
    default:
      return { state: 'changing', toward: 'unknown' }
  }
}

interface Found {
  readonly machine: Instance
  /** IPv4 address that the bridge has leased to the machine; null while it has none. */
  readonly address: string | null
  readonly at: Date
}

/** Reads one instance; null if there is none. */
export async function findInstance(client: LxdClient, name: string, signal: AbortSignal): Promise<Found | null> {
  const action = `read the machine ${name}`
  const reply = await client.find(action, `instances/${instanceName(name)}`, {}, signal)
  if (reply === null) return null
  const machine = readAs(instance, reply.metadata, action)
  return { machine, address: await addressOf(client, machine, signal), at: reply.at }
}

/**
 * Returns the address that the bridge has leased to the machine. A user with root rights in the machine can change the
 * address that it reports, and could make the portal connect to another machine or to the host.
 */
async function addressOf(client: LxdClient, machine: Instance, signal: AbortSignal): Promise<string | null> {
  const network = machine.devices['eth0']?.['network']
  const own = machine.config['volatile.eth0.hwaddr']?.toLowerCase()
  if (machine.status !== 'Running' || network === undefined || own === undefined) return null
  const action = `read the leases of ${network}`
  const reply = await client.find(action, `networks/${network}/leases`, {}, signal)
  const all = reply === null ? [] : readAs(leases, reply.metadata, action)
  return all.find(({ hwaddr, address }) => hwaddr.toLowerCase() === own && isIPv4(address))?.address ?? null
}

/** @throws CloudError conflict if there is no such instance */
export async function readInstance(client: LxdClient, name: string, signal: AbortSignal): Promise<Found> {
  const found = await findInstance(client, name, signal)
  if (found === null) throw new CloudError('conflict', `LXD has no machine named ${name}.`)
  return found
}

export async function listInstances(client: LxdClient, signal: AbortSignal) {
  const action = 'list the machines'
  // An unknown project answers with an empty list, as if all machines were deleted.
  await client.checkProject(signal)
  const { metadata, at } = await client.send(action, 'instances', { query: { recursion: '1' } }, signal)
  return { at, machines: readAs(z.array(instance), metadata, action) }
}

/** Seconds that a clean shutdown may take. A shutdown in the first seconds after a start is lost. */
const SHUTDOWN_SECONDS = 30

export const changePower = (
  client: LxdClient,
  name: string,
  action: 'start' | 'stop' | 'restart' | 'unfreeze',
  force: boolean,
  signal: AbortSignal,
) =>
  client.send(
    `${action} the machine ${name}`,
    `instances/${instanceName(name)}/state`,
    { method: 'PUT', body: { action, force, ...(action !== 'start' && { timeout: SHUTDOWN_SECONDS }) } },
    signal,
  )

const AUTOSTART = 'boot.autostart'

/**
 * Determines whether the daemon starts the machine again after its own restart. Without a value it does so if the
 * machine ran when the daemon ended, also if it was killed while it stopped the machine.
 */
async function setAutostart(client: LxdClient, machine: Instance, value: '' | 'false', signal: AbortSignal) {
  if ((machine.config[AUTOSTART] ?? '') === value) return
  const body = { config: { [AUTOSTART]: value } }
  try {
    await client.send(`prepare ${machine.name}`, `instances/${machine.name}`, { method: 'PATCH', body }, signal)
  } catch (error) {
    // The change of power that follows reports the absence.
    if (!isAbsence(error)) throw error
  }
}

/** Starts or unfreezes a machine. */
export async function start(client: LxdClient, name: string, signal: AbortSignal): Promise<Date> {
  const { machine, at } = await readInstance(client, name, signal)
  await setAutostart(client, machine, '', signal)
  if (machine.status === 'Running') return at
  try {
    if (machine.status === 'Frozen') return (await changePower(client, name, 'unfreeze', false, signal)).at
    const { at: startedAt } = await changePower(client, name, 'start', false, signal)
    await untilNetworkIsUp(client, name, signal)
    return startedAt
  } catch (error) {
    if (!says(error, 'already running')) throw error
    return at
  }
}

const networkState = z.object({
  network: z.record(z.string(), z.object({ addresses: z.array(z.object({ family: z.string(), scope: z.string() })) })),
})
const NETWORK_MS = 2_000
const NETWORK_POLL_MS = 50

/**
 * Waits until the machine has set up its address. The bridge keeps the address of an earlier run, and who connects to it
 * too early waits a second longer, for the next request of the kernel for its hardware address.
 */
async function untilNetworkIsUp(client: LxdClient, name: string, signal: AbortSignal): Promise<void> {
  const action = `read the network of ${name}`
  for (const end = Date.now() + NETWORK_MS; Date.now() < end && !signal.aborted; await pause(NETWORK_POLL_MS)) {
    // The machine has started, whatever this read replies.
    const reply = await client.find(action, `instances/${instanceName(name)}/state`, {}, signal).catch(() => null)
    const { success, data } = networkState.safeParse(reply?.metadata)
    if (!success) return
    const addresses = data.network['eth0']?.addresses ?? []
    if (addresses.some(({ family, scope }) => family === 'inet' && scope === 'global')) return
  }
}

/** Stops a machine cleanly, and by force if it does not shut down in time. */
export async function stop(client: LxdClient, name: string, signal: AbortSignal): Promise<Date> {
  const { machine, at } = await readInstance(client, name, signal)
  if (machine.status === 'Stopped') return at
  await setAutostart(client, machine, 'false', signal)
  // A frozen machine cannot shut down.
  let force = machine.status === 'Frozen'
  for (;;) {
    try {
      await changePower(client, name, 'stop', force, signal)
      return at
    } catch (error) {
      if (says(error, 'already stopped')) break
      if (force || !says(error, 'failed shutting down')) throw error
      force = true
    }
  }
  // A stop during a start fails like this although the machine then runs.
  const { machine: after } = await readInstance(client, name, signal)
  if (after.status !== 'Stopped') throw new CloudError('conflict', `The machine ${name} is just starting.`, 2)
  return at
}

export async function restart(client: LxdClient, name: string, signal: AbortSignal): Promise<Date> {
  try {
    return (await changePower(client, name, 'restart', false, signal)).at
  } catch (error) {
    if (!says(error, 'failed shutting down') && !says(error, 'frozen')) throw error
    return (await changePower(client, name, 'restart', true, signal)).at
  }
}

/**
 * Deletes a stopped instance. An instance that LXD cannot delete is renamed, so that its name is free, and describes
 * what root must do.
 */
export async function remove(client: LxdClient, name: string, pool: string, signal: AbortSignal): Promise<void> {
  const own = instanceName(name)
  try {
    await client.send(`delete the machine ${name}`, `instances/${own}`, { method: 'DELETE' }, signal)
  } catch (error) {
    if (isAbsence(error) || says(error, 'has now succeeded')) return
    // The daemon was killed while it unpacked the image on btrfs.
    if (!says(error, 'could not get subvolume flags')) throw error
    if (name.startsWith(LEFTOVER)) throw new CloudError('refused', commandOfRoot(name, pool), null, { cause: error })
    const leftover = `${LEFTOVER}${Date.now().toString(36)}-${own}`.slice(0, 63).replace(/-+$/, '')
    await client.send(`rename ${name}`, `instances/${own}`, { method: 'POST', body: { name: leftover } }, signal)
    // Without its interface, the network of the training can be deleted.
    const body = { description: commandOfRoot(leftover, pool), devices: { eth0: { type: 'none' } } }
    await client.send(`describe ${leftover}`, `instances/${leftover}`, { method: 'PATCH', body }, signal)
  }
}

const commandOfRoot = (name: string, pool: string): string =>
  `LXD cannot delete ${name}, because it was killed while it created the machine. Run as root on the LXD host: rm -r /var/lib/lxd/storage-pools/${pool}/containers/${name} && lxc delete ${name}`
