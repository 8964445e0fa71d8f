import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MachineSpec } from '@trainyard/templates/server/cloud.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { standIn } from '../test/stand-in.ts'
import { instanceName, TAGS } from './instances.ts'
import { lxdCloud } from './lxd-cloud.ts'
import { bridgeOf } from './networks.ts'

const signal = AbortSignal.timeout(60_000)
const ID = '01900000-0000-7000-8000-000000000001'
const GROUP = 'training-01900000-0000-7000-8000-00000000000a'
const SIZE = { name: 'small', cores: 1, memoryMb: 512, diskGb: 5 }
const place = { group: 'default', location: 'lxd' }
const at = { place, name: 'python-a' }
const spec: MachineSpec = {
  ...at,
  id: ID,
  organisation: 'Acme',
  training: 'Python',
  securityGroup: GROUP,
  size: SIZE,
  os: 'Linux',
  managementSources: ['*'],
  licence: 'none',
  image: { id: 'lab-ssh' },
  adminUsername: 'learner',
  adminPassword: 'Secret-1',
  tags: { CostCentre: '4711' },
}

let daemon: Awaited<ReturnType<typeof standIn>>
let cloud: ReturnType<typeof lxdCloud>
beforeEach(async () => {
  daemon = await standIn()
  cloud = lxdCloud({
    address: { kind: 'socket', path: daemon.path },
    project: 'default',
    pool: 'fast',
    sizes: [SIZE],
    networkRange: '10.77.0.0/16',
    closedRanges: ['198.51.100.0/24'],
  })
})
afterEach(() => daemon.close())

const create = () => cloud.createMachine(spec, signal)
const read = async () => (await cloud.getMachine(at, signal)).seen
const instance = () => daemon.instances.get('python-a')!
/** Address of the host on the bridge, from which a portal on the host connects. */
const hostAddress = () =>
  (daemon.networks.get(bridgeOf(GROUP))!['config'] as Record<string, string>)['ipv4.address']!.replace('/24', '/32')
async function list<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of all) found.push(each)
  return found
}

test('creates a running machine with its tag, size, network and account', async () => {
  const { at: created } = await create()
  expect(instance()).toMatchObject({
    status: 'Running',
    profiles: [],
    config: { [TAGS.machine]: ID, 'limits.cpu': '1', 'limits.memory': '512MiB', 'user.tag.CostCentre': '4711' },
    devices: {
      root: { pool: 'fast', size: '5GiB' },
      eth0: { network: bridgeOf(GROUP), 'security.port_isolation': 'true' },
    },
  })
  expect(daemon.passwords.get('learner')).toBe('Secret-1')
  const { seen, address } = await cloud.getMachine(at, signal)
  expect([seen.state, address]).toEqual(['running', '10.77.0.230'])
  // A start before the acceptance would belong to the machine before a reset.
  expect((seen as { since: Date }).since >= created).toBe(true)
})

test('tells the time of a stop from the events, and not that of an earlier machine', async () => {
  await create()
  await read()
  await until(
    'it listens',
    async () => daemon.listeners(),
    (count) => count === 1,
  )
  Object.assign(instance(), { status: 'Stopped', last_used_at: '2026-11-30T09:00:00Z' })
  expect(await read()).toEqual({ state: 'stopped', since: null })
  daemon.emit('instance-shutdown', 'python-a', '2026-11-30T09:30:00.75Z')
  const since = new Date('2026-11-30T09:30:00Z')
  await until('the event has arrived', read, (seen) => isDeepStrictEqual(seen, { state: 'stopped', since }))
  instance().last_used_at = '2026-11-30T09:31:00Z'
  expect(await read()).toEqual({ state: 'stopped', since: null })
})

test('creates one machine when the creation is repeated', async () => {
  await create()
  await create()
  expect(daemon.instances.size).toBe(1)
  expect(daemon.requests.filter((each) => each === 'POST /1.0/instances')).toHaveLength(1)
})

test('continues a creation that was interrupted, and reports the machine as absent until then', async () => {
  daemon.failures.push({ on: /PUT .*state/, text: 'Instance is busy running a "create" operation' })
  await expect(create()).rejects.toMatchObject({ kind: 'conflict' })
  expect(await read()).toEqual({ state: 'absent' })
  expect(await list(cloud.listMachines(signal))).toMatchObject([{ name: 'python-a', seen: null }])
  await create()
  expect(await read()).toMatchObject({ state: 'running' })
})

test('shares the network with a machine that is created at the same time', async () => {
  const effect = () => void daemon.acls.set(GROUP, { name: GROUP, ingress: [], egress: [] })
  const text = 'UNIQUE constraint failed: networks_acls.project_id, networks_acls.name'
  daemon.failures.push({ on: /POST .*network-acls/, text, effect })
  await create()
  expect(await read()).toMatchObject({ state: 'running' })
})

test('makes the network again if it was deleted while the machine was created', async () => {
  const text = `Failed start validation for device "eth0": Failed to load network "${bridgeOf(GROUP)}": Network not found`
  const effect = () => {
    daemon.networks.clear()
    daemon.acls.clear()
  }
  daemon.failures.push({ on: /PUT .*state/, text, effect })
  await expect(create()).rejects.toMatchObject({ message: expect.stringContaining('Network not found') })
  await create()
  expect([...daemon.networks.keys()]).toEqual([bridgeOf(GROUP)])
  expect(await read()).toMatchObject({ state: 'running' })
})

test('creates a machine again that cannot start because the daemon was killed', async () => {
  daemon.failures.push({ on: /PUT .*state/, text: 'Instance storage pool not found' })
  await expect(create()).rejects.toMatchObject({ kind: 'conflict' })
  expect(daemon.instances.size).toBe(0)
  await create()
  expect(await read()).toMatchObject({ state: 'running' })
})

test('does not take over a machine of the same name with another tag', async () => {
  await create()
  instance().config[TAGS.machine] = '01900000-0000-7000-8000-000000000002'
  await expect(create()).rejects.toMatchObject({ kind: 'refused', final: true })
})

test('names a machine whose name starts with a digit as LXD requires, and lists it under its own name', async () => {
  await cloud.createMachine({ ...spec, name: '2026-a' }, signal)
  expect([...daemon.instances.keys()]).toEqual([instanceName('2026-a')])
  expect(await list(cloud.listMachines(signal))).toMatchObject([{ name: '2026-a', seen: { state: 'running' } }])
})

test('refuses a Windows machine and an unknown image', async () => {
  await expect(cloud.createMachine({ ...spec, os: 'Windows' }, signal)).rejects.toMatchObject({ final: true })
  await expect(cloud.createMachine({ ...spec, image: { id: 'nosuch' } }, signal)).rejects.toMatchObject({
    final: true,
    message: 'LXD has no image with this alias. Import the image, or choose another one in the template.',
  })
})

test('stops cleanly, and by force if the shutdown is lost', async () => {
  await create()
  await cloud.stopMachine(at, signal)
  expect(await read()).toEqual({ state: 'stopped', since: null })
  await cloud.startMachine(at, signal)
  daemon.failures.push({ on: /PUT .*state/, text: 'Failed shutting down instance, status is "Running"' })
  await cloud.stopMachine(at, signal)
  expect(instance().status).toBe('Stopped')
})

test('a daemon killed while it stops a machine does not start it again; one killed while it runs does', async () => {
  await create()
  const effect = () => void (instance().status = 'Stopped')
  daemon.failures.push({ on: /PUT .*state/, text: 'Operation not found', effect })
  await expect(cloud.stopMachine(at, signal)).rejects.toMatchObject({ name: 'CloudError' })
  daemon.startAgain()
  expect(instance().status).toBe('Stopped')
  await cloud.startMachine(at, signal)
  instance().status = 'Stopped'
  daemon.startAgain()
  expect(instance().status).toBe('Running')
})

test('does not report a stop that failed because the machine was just starting', async () => {
  await create()
  daemon.failures.push({ on: /PUT .*state/, text: 'The instance is already stopped' })
  await expect(cloud.stopMachine(at, signal)).rejects.toMatchObject({ kind: 'conflict' })
})

test('starts a stopped machine and a frozen one, and accepts a machine that runs', async () => {
  await create()
  await cloud.startMachine(at, signal)
  for (const status of ['Stopped', 'Frozen'] as const) {
    instance().status = status
    await cloud.startMachine(at, signal)
    expect(instance().status).toBe('Running')
  }
})

test('has started a machine when its network is up, or when the daemon does not say', async () => {
  await create()
  const reads = () => daemon.requests.filter((each) => /^GET .*state$/.test(each)).length
  for (const [readsBeforeNetwork, expected] of [
    [2, 3],
    [0, 1],
  ] as const) {
    instance().status = 'Stopped'
    daemon.state.readsBeforeNetwork = readsBeforeNetwork
    const before = reads()
    await cloud.startMachine(at, signal)
    expect(reads() - before).toBe(expected)
  }
  instance().status = 'Stopped'
  daemon.failures.push({ on: /GET .*state$/, text: 'not found' })
  await cloud.startMachine(at, signal)
  expect(instance().status).toBe('Running')
})

test('restarts by force a machine that does not shut down', async () => {
  await create()
  daemon.failures.push({ on: /PUT .*state/, text: 'Failed shutting down instance, status is "Running"' })
  await cloud.restartMachine(at, signal)
  expect(await read()).toMatchObject({ state: 'running' })
})

test('deletes a running machine, and nothing when it is repeated', async () => {
  await create()
  const machine = { ...at, firstSeenAt: null, isKnownToExist: true }
  expect(await cloud.deleteMachine(machine, signal)).toMatchObject({ remaining: 'nothing' })
  expect(await cloud.deleteMachine(machine, signal)).toMatchObject({ remaining: 'nothing' })
  expect(daemon.instances.size).toBe(0)
})

test('deletes no machine without a tag or with another one', async () => {
  await create()
  const machine = { ...at, firstSeenAt: null, isKnownToExist: false }
  await cloud.deleteMachine({ ...machine, onlyTagged: '01900000-0000-7000-8000-000000000002' }, signal)
  delete instance().config[TAGS.machine]
  await cloud.deleteMachine(machine, signal)
  expect(daemon.instances.size).toBe(1)
})

test('renames a machine that LXD cannot delete, and describes what root must do', async () => {
  await create()
  const path = '/var/lib/lxd/storage-pools/default/containers/a-project-with-a-long-name_python-a'
  const text = `Error deleting storage volume: Failed setting subvolume writable "${path}": Failed to run: btrfs property set -f -ts ${path} ro false: exit status 1 (ERROR: Could not get subvolume flags: Invalid argument)`
  expect(text.length).toBeGreaterThan(300)
  daemon.failures.push({ on: /DELETE/, text })
  await cloud.deleteMachine({ ...at, firstSeenAt: null, isKnownToExist: true }, signal)
  const [leftover] = [...daemon.instances.values()]
  expect(leftover!.name).toMatch(/^leftover-.*-python-a$/)
  expect(leftover!.description).toContain(`rm -r /var/lib/lxd/storage-pools/fast/containers/${leftover!.name}`)
  expect(await cloud.deleteSecurityGroup({ place, name: GROUP }, signal)).toMatchObject({ remaining: 'nothing' })
  await create()
  expect(daemon.instances.size).toBe(2)
})

test('sets a password, and says what the image lacks', async () => {
  await create()
  const account = { ...at, id: ID, os: 'Linux', username: 'learner', passwordNumber: 2, tags: {} } as const
  expect(await cloud.setPassword({ ...account, password: 'Secret-2' }, signal)).toBe('set')
  expect(daemon.passwords.get('learner')).toBe('Secret-2')
  daemon.setExitCode(127)
  await expect(cloud.setPassword({ ...account, password: 'Secret-3' }, signal)).rejects.toThrow(
    'The account learner could not be set up on python-a (exit code 127). The image needs useradd, usermod and chpasswd.',
  )
  instance().status = 'Stopped'
  await expect(cloud.setPassword({ ...account, password: 'Secret-3' }, signal)).rejects.toMatchObject({
    kind: 'conflict',
  })
})

test('captures a stopped machine once, creates a machine from the image, and deletes the image', async () => {
  await create()
  const image = { ...at, id: ID, os: 'Linux', tags: {} } as const
  await expect(cloud.captureMachine(image, signal)).rejects.toMatchObject({ kind: 'conflict' })
  await cloud.stopMachine(at, signal)
  const captured = await cloud.captureMachine(image, signal)
  expect(captured).toEqual({ id: `trainyard-${ID}`, state: 'ready' })
  expect(await cloud.captureMachine(image, signal)).toEqual(captured)
  expect(daemon.requests.filter((each) => each === 'POST /1.0/images')).toHaveLength(1)
  await cloud.createMachine(
    { ...spec, id: ID.replace(/1$/, '3'), name: 'python-b', image: { id: captured.id } },
    signal,
  )
  expect(await cloud.deleteImage(image, signal)).toMatchObject({ remaining: 'nothing' })
  expect(daemon.aliases.has(captured.id)).toBe(false)
})

test('changes its own rules and leaves those of others', async () => {
  const group = { place, name: GROUP }
  const rules = {
    ports: [
      { port: 8080, priority: 100 },
      { port: 53, priority: 101, protocol: 'UDP', source: '203.0.113.0/24' },
    ],
  } as const
  expect(await cloud.updateRules(group, rules, signal)).toBe('absent')
  await create()
  const ingress = daemon.acls.get(GROUP)!['ingress'] as unknown[]
  ingress.push({ action: 'allow', state: 'enabled', description: 'of the operator', source: '192.0.2.1' })
  expect(await cloud.updateRules(group, rules, signal)).toBe('changed')
  expect(await cloud.updateRules(group, rules, signal)).toBe('held')
  expect(daemon.acls.get(GROUP)!['ingress']).toMatchObject([
    { description: 'host', destination_port: '22,3389', source: hostAddress() },
    { description: 'of the operator' },
    { protocol: 'tcp', destination_port: '22,3389', source: '' },
    { protocol: 'tcp', destination_port: '8080' },
    { protocol: 'udp', destination_port: '8080' },
    { protocol: 'udp', destination_port: '53', source: '203.0.113.0/24' },
  ])
  await cloud.updateRules(group, { ports: [], managementSources: ['192.0.2.0/24'] }, signal)
  expect(daemon.acls.get(GROUP)!['ingress']).toMatchObject([
    { description: 'host' },
    { source: '192.0.2.1' },
    { source: '192.0.2.0/24' },
  ])
})

test('gives a network another address if the DHCP server of a killed daemon keeps the first', async () => {
  await create()
  const bridge = bridgeOf(GROUP)
  const network = daemon.networks.get(bridge)!
  const first = hostAddress()
  daemon.instances.clear()
  daemon.networks.set(bridge, { ...network, status: 'Unavailable' })
  const text = 'dnsmasq: failed to create listening socket for 10.77.9.1: Address already in use'
  daemon.failures.push({ on: /POST .*networks/, text })
  await create()
  const { status } = daemon.networks.get(bridge)!
  const [host] = daemon.acls.get(GROUP)!['ingress'] as { source: string }[]
  expect([status, host!.source]).toEqual([undefined, hostAddress()])
  const third = (address: string) => Number(address.split('.')[2])
  expect((third(hostAddress()) - third(first) + 256) % 256).toBe(2)
})

test("closes private networks, the host and the operator's ranges to machines", async () => {
  await create()
  const [closed] = daemon.acls.get(GROUP)!['egress'] as { action: string; destination: string }[]
  expect(closed!.action).toBe('reject')
  for (const range of ['10.0.0.0/8', '192.168.0.0/16', '203.0.113.9/32', '198.51.100.0/24'])
    expect(closed!.destination.split(',')).toContain(range)
})

test('gives each training a subnet that no network has', async () => {
  await create()
  const { 'ipv4.address': address } = daemon.networks.get(bridgeOf(GROUP))!['config'] as Record<string, string>
  expect(address).toMatch(/^10\.77\.\d+\.1\/24$/)
  daemon.networks.set('other', daemon.networks.get(bridgeOf(GROUP))!)
  daemon.networks.delete(bridgeOf(GROUP))
  daemon.instances.clear()
  await create()
  expect(daemon.networks.get(bridgeOf(GROUP))).not.toMatchObject({ config: { 'ipv4.address': address } })
  // The rules are of an interrupted creation with the first subnet.
  expect(daemon.acls.get(GROUP)!['ingress']).toMatchObject([{ source: hostAddress() }, { source: '' }])
})

test('deletes the network of a training once no machine uses it', async () => {
  await create()
  const group = { place, name: GROUP }
  expect(await cloud.deleteSecurityGroup(group, signal)).toMatchObject({ remaining: 'something' })
  await cloud.deleteMachine({ ...at, firstSeenAt: null, isKnownToExist: true }, signal)
  expect(await cloud.deleteSecurityGroup(group, signal)).toMatchObject({ remaining: 'nothing' })
  expect([daemon.networks.size, daemon.acls.size]).toEqual([0, 0])
})

test('reports a machine whose member is offline as unreachable, never as absent', async () => {
  await create()
  instance().status = 'Error'
  await expect(cloud.getMachine(at, signal)).rejects.toMatchObject({ kind: 'unreachable' })
  expect(await list(cloud.listMachines(signal))).toMatchObject([{ seen: null }])
})

test('waits for the address, and after a minute says what to do', async () => {
  await create()
  daemon.setAddress(null)
  expect(await cloud.getMachine(at, signal)).toMatchObject({ seen: { state: 'running' }, address: null })
  instance().last_used_at = new Date(Date.now() - 90_000).toISOString()
  await expect(cloud.getMachine(at, signal)).rejects.toThrow('fs.inotify.max_user_instances=8192')
})

test('refuses to list an unknown project, which looks empty', async () => {
  const other = lxdCloud({
    address: { kind: 'socket', path: daemon.path },
    project: 'lab',
    pool: 'fast',
    sizes: [],
    networkRange: '10.77.0.0/16',
    closedRanges: [],
  })
  await expect(list(other.listMachines(signal))).rejects.toThrow('LXD has no project named lab')
})

test('lists tagged machines, and copies of them without the ID of an unreadable tag', async () => {
  await create()
  const copy = { ...structuredClone(instance()), name: 'copy' }
  daemon.instances.set('copy', copy)
  daemon.instances.set('other', { ...copy, name: 'other', config: {} })
  daemon.instances.set('odd', { ...copy, name: 'odd', config: { [TAGS.machine]: 'x' } })
  const tagged = await list(cloud.listTaggedMachines(signal))
  expect(tagged.map(({ name, id }) => [name, id])).toEqual([
    ['python-a', ID],
    ['copy', ID],
    ['odd', null],
  ])
})

test('offers the sizes of the operator', async () => {
  expect(await cloud.getOffers('lxd', signal)).toEqual({
    sizes: [{ size: 'small', family: 'lxd', cores: 1, memoryMb: 512, withheld: null }],
    limits: [],
  })
})

test('reads the host key through the daemon, and nothing else from a file of the learner', async () => {
  await create()
  const key = Buffer.concat([
    Buffer.from([0, 0, 0, 11]),
    Buffer.from('ssh-ed25519'),
    Buffer.from([0, 0, 0, 32]),
    randomBytes(32),
  ])
  const readKey = () => cloud.readHostKey!(at, signal)
  const file = 'python-a/etc/ssh/ssh_host_ed25519_key.pub'
  expect(await readKey()).toBeNull()
  daemon.files.set(file, `ssh-ed25519 ${key.toString('base64')} root@python-a\n`)
  expect(await readKey()).toEqual(key)
  daemon.files.set(file, 'no key')
  expect(await readKey()).toBeNull()
  daemon.files.set(file, `ssh-ed25519 ${key.toString('base64')} ${'x'.repeat(1e6)}`)
  expect(await readKey()).toBeNull()
})
