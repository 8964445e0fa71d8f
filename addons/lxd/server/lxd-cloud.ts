import type { Cloud, CloudMachineRef, MachineAccount, MachineSpec } from '@trainyard/templates/server/cloud.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { type LxdClient, lxdClient } from './client.ts'
import { capture, discard, sourceOf } from './images.ts'
import {
  changePower,
  findInstance,
  hasStarted,
  type Instance,
  instanceName,
  isUnfinished,
  listInstances,
  machineNameOf,
  readInstance,
  remove,
  restart,
  start,
  stateOf,
  stop,
  TAGS,
} from './instances.ts'
import { bridgeOf, changeRules, ensureNetwork, removeNetwork } from './networks.ts'
import { says } from './refusals.ts'
import { type LxdSettings, lxdSize } from './settings.ts'
import { stopTimes } from './stop-times.ts'

/** Made at the first start, and preferred by SSH clients. */
const HOST_KEY = '/etc/ssh/ssh_host_ed25519_key.pub'

/** The machines of an LXD project as a provider of the portal. */
export function lxdCloud(settings: LxdSettings): Cloud {
  const { project, pool, sizes } = settings
  const client = lxdClient(settings.address, project)
  const stops = stopTimes(client)

  /** @throws CloudError refused if the machine is in another project */
  function check({ place }: CloudMachineRef): void {
    if (place.group.toLowerCase() !== project.toLowerCase())
      throw new CloudError('refused', `The portal uses the LXD project ${project}, not ${place.group}.`, null, {
        final: true,
      })
  }

  return {
    async createMachine(spec, signal) {
      check(spec)
      if (spec.os === 'Windows')
        throw new CloudError('refused', 'LXD runs Linux machines only. Choose Linux in the template.', null, {
          final: true,
        })
      const { name } = spec
      const found = await findInstance(client, name, signal)
      // The bridge of an interrupted creation may be gone: until it has a machine, the training seems to be empty.
      if (found === null || isUnfinished(found.machine)) await ensureNetworkOf(client, settings, spec, signal)
      const { machine } = found ?? (await create(client, settings, spec, signal))
      if (machine.config[TAGS.machine] !== spec.id)
        throw new CloudError('refused', `LXD already has another machine named ${name}.`, null, { final: true })
      if (isUnfinished(machine)) {
        await firstStart(client, machine, name, pool, signal)
        await setAccount(client, { name, username: spec.adminUsername, password: spec.adminPassword }, signal)
        const body = { config: { [TAGS.ready]: 'true' } }
        await client.send(`mark ${name} as created`, `instances/${machine.name}`, { method: 'PATCH', body }, signal)
      }
      // Earlier than the start, which is later compared with this time.
      return { at: wholeSeconds(machine.created_at), isFinished: true }
    },
    async startMachine(ref, signal) {
      check(ref)
      return { at: await start(client, ref.name, signal), isFinished: true }
    },
    async stopMachine(ref, signal) {
      check(ref)
      return { at: await stop(client, ref.name, signal), isFinished: true }
    },
    async restartMachine(ref, signal) {
      check(ref)
      return { at: await restart(client, ref.name, signal), isFinished: true }
    },
    async deleteMachine({ onlyTagged, ...ref }, signal) {
      check(ref)
      const found = await findInstance(client, ref.name, signal)
      const tag = found?.machine.config[TAGS.machine]
      const at = found?.at ?? (await client.send('read the server', '', {}, signal)).at
      if (found === null || tag === undefined || (onlyTagged !== undefined && tag !== onlyTagged))
        return { at, remaining: 'nothing' }
      if (found.machine.status !== 'Stopped') {
        try {
          await changePower(client, ref.name, 'stop', true, signal)
        } catch (error) {
          if (!says(error, 'already stopped')) throw error
        }
      }
      await remove(client, ref.name, pool, signal)
      return { at, remaining: 'nothing' }
    },
    async setPassword(account, signal) {
      check(account)
      await setAccount(client, account, signal)
      return 'set'
    },
    async readHostKey(ref, signal) {
      check(ref)
      const text = await client.readFile(`read the host key of ${ref.name}`, instanceName(ref.name), HOST_KEY, signal)
      const key = /^ssh-ed25519 ([A-Za-z0-9+/]{68})(?:\s|$)/.exec(text ?? '')?.[1]
      return key === undefined ? null : Buffer.from(key, 'base64')
    },
    async captureMachine(image, signal) {
      check(image)
      return capture(client, image, signal)
    },
    async deleteImage(image, signal) {
      check(image)
      return discard(client, image, signal)
    },
    async getMachine(ref, signal) {
      check(ref)
      stops.listen()
      const found = await findInstance(client, ref.name, signal)
      const at = found?.at ?? (await client.send('read the server', '', {}, signal)).at
      if (found === null || isUnfinished(found.machine)) return { at, seen: { state: 'absent' }, address: null }
      const { machine, address } = found
      const seen = stateOf(machine, stops.of(machine))
      if (seen === null)
        throw new CloudError('unreachable', `The cluster member of ${ref.name} is offline. The machine may still run.`)
      if (
        machine.status === 'Running' &&
        address === null &&
        at.getTime() - machine.last_used_at.getTime() > NO_ADDRESS_MS
      )
        throw new CloudError('conflict', NO_ADDRESS)
      return { at, seen, address }
    },
    async updateRules(group, rules, signal) {
      check(group)
      return changeRules(client, group.name, rules, signal)
    },
    async deleteSecurityGroup(group, signal) {
      check(group)
      return removeNetwork(client, group.name, signal)
    },
    async getOffers() {
      const offered = sizes.map(({ name, cores, memoryMb }) => {
        return { size: name, family: 'lxd', cores, memoryMb, withheld: null }
      })
      return { sizes: offered, limits: [] }
    },
    async hasAcceptedTerms() {
      return true
    },
    async *listMachines(signal) {
      stops.listen()
      const { at, machines } = await listInstances(client, signal)
      for (const machine of machines) {
        yield {
          place: { group: project },
          name: machineNameOf(machine),
          at,
          seen: isUnfinished(machine) ? null : stateOf(machine, stops.of(machine)),
        }
      }
    },
    async *listTaggedMachines(signal) {
      const { machines } = await listInstances(client, signal)
      for (const machine of machines) {
        const tag = machine.config[TAGS.machine]
        if (tag === undefined) continue
        yield { place: { group: project }, name: machineNameOf(machine), id: UUID.test(tag) ? tag : null }
      }
    },
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NO_ADDRESS_MS = 60_000
const NO_ADDRESS =
  'The machine runs but has no address. On the LXD host, set fs.inotify.max_user_instances=8192 with sysctl, then restart the machine.'

const wholeSeconds = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)

const ensureNetworkOf = (
  client: LxdClient,
  settings: LxdSettings,
  { securityGroup, managementSources = ['*'] }: MachineSpec,
  signal: AbortSignal,
) => ensureNetwork(client, securityGroup, { ...settings, managementSources }, signal)

async function create(client: LxdClient, { pool }: LxdSettings, spec: MachineSpec, signal: AbortSignal) {
  const { name, securityGroup } = spec
  const { cores, memoryMb, diskGb } = lxdSize.parse(spec.size)
  const tags = Object.entries(spec.tags).map(([key, value]) => [`user.tag.${key}`, value])
  const body = {
    name: instanceName(name),
    type: 'container',
    // Without this, the default profile would add its own devices.
    profiles: [],
    source: sourceOf(spec.image),
    config: {
      ...Object.fromEntries(tags),
      [TAGS.machine]: spec.id,
      [TAGS.name]: name,
      'limits.cpu': String(cores),
      'limits.memory': `${memoryMb}MiB`,
      'limits.processes': '2000',
    },
    devices: {
      root: { type: 'disk', path: '/', pool, size: `${diskGb}GiB` },
      // The ACL of a bridge does not separate the machines on it.
      eth0: { type: 'nic', name: 'eth0', network: bridgeOf(securityGroup), 'security.port_isolation': 'true' },
    },
  }
  try {
    await client.send(`create the machine ${name}`, 'instances', { method: 'POST', body }, signal)
  } catch (error) {
    // The tag tells whether the existing instance is this machine.
    if (!says(error, 'entry already exists')) throw error
  }
  return readInstance(client, name, signal)
}

/** Starts a new machine. Deletes one that cannot start because the daemon was killed while it was created. */
async function firstStart(client: LxdClient, machine: Instance, name: string, pool: string, signal: AbortSignal) {
  if (machine.status === 'Running') return
  try {
    await changePower(client, name, 'start', false, signal)
  } catch (error) {
    if (says(error, 'already running')) return
    if (!hasStarted(machine) && isBroken(error)) await remove(client, name, pool, signal)
    throw error
  }
}

/** Returns true if the operation failed for a reason that a repeat does not remove. */
const isBroken = (error: unknown): boolean =>
  ['storage pool not found', 'idmapped storage', 'no such file', 'failed to mount', 'subvolume'].some((text) =>
    says(error, text),
  )

/** Creates the account if the image has none, and sets its password, which only the standard input contains. */
const SCRIPT = `id -u "$1" >/dev/null 2>&1 || useradd -m -s /bin/bash "$1" || exit 3
! getent group sudo >/dev/null || usermod -aG sudo "$1" || exit 4
chpasswd`

type Account = Pick<MachineAccount, 'name' | 'username' | 'password'>

/** @throws CloudError conflict if the machine is not running or has no such tools */
async function setAccount(
  client: LxdClient,
  { name, username, password }: Account,
  signal: AbortSignal,
): Promise<void> {
  const command = ['sh', '-c', SCRIPT, 'sh', username]
  const action = `set the password of ${name}`
  const code = await client.execute(action, instanceName(name), command, `${username}:${password}\n`, signal)
  if (code === 0) return
  throw new CloudError(
    'conflict',
    `The account ${username} could not be set up on ${name} (exit code ${code}). The image needs useradd, usermod and chpasswd.`,
    5,
  )
}
