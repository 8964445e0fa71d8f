import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, rm, statfs, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { bridgeOf } from '@trainyard/lxd/server/networks.ts'
import { machineName } from '@trainyard/machines/server/order/names.ts'
import { IMAGE, type LxdHost, lxc, run } from './lxd-host.ts'
import type { Command, TestProvider } from './provider.ts'
import { TRAININGS } from './world.ts'

const SOCKET = '/var/lib/lxd/unix.socket'
const PROJECT = 'trainyard-providers'
const ADMIN = 'admin@providers.test'
const SUPERADMIN = 'root@providers.test'
const ORGANISATION = 'Providers'
export const PORT = 18_080

/** Machines of these tests that LXD cannot delete, because its daemon was killed while it created them. */
const LEFTOVER = new RegExp(
  `^leftover-[0-9a-z]+-(${TRAININGS.map((training) => machineName(training, 0).slice(0, -1)).join('|')})[0-9a-z]+$`,
)

/** Start of a request, and a text in it. */
const REQUESTS: Readonly<Record<Command, RegExp>> = {
  create: /^POST \/1\.0\/instances\?/,
  start: /^PUT \/1\.0\/instances\/[^/]+\/state.*"action":"start"/s,
  stop: /^PUT \/1\.0\/instances\/[^/]+\/state.*"action":"stop"/s,
  delete: /^DELETE \/1\.0\/instances\//,
}

interface Instance {
  readonly name: string
  readonly status: string
  readonly config: Readonly<Record<string, string>>
}

const inProject = (command: string, ...args: readonly string[]) => lxc(command, '--project', PROJECT, ...args)

/** Runs a command in a machine as root. */
export const inside = (name: string, ...command: readonly string[]) => inProject('exec', name, '--', ...command)

/** Returns true if the machine, or this host without a name, can connect. */
export async function connects(from: string | null, address: string, port: number): Promise<boolean> {
  if (from === null)
    return new Promise((resolve) => {
      const socket = connect({ host: address, port, timeout: 3_000 })
      const settle = (isOpen: boolean) => {
        socket.destroy()
        resolve(isOpen)
      }
      socket.on('connect', () => settle(true))
      for (const event of ['timeout', 'error'] as const) socket.on(event, () => settle(false))
    })
  const script = `print IO::Socket::INET->new(PeerAddr=>'${address}',PeerPort=>${port},Timeout=>3)?'open':'closed'`
  return (await inside(from, 'perl', '-MIO::Socket::INET', '-e', script)).trim() === 'open'
}

/** Starts a program in the machine that listens at the port. */
export async function listenIn(name: string): Promise<void> {
  // systemd replaces two dollar signs by one.
  const script = `$$s=IO::Socket::INET->new(LocalPort=>${PORT},Listen=>9,ReuseAddr=>1);close $$c while $$c=$$s->accept`
  await inside(name, 'systemd-run', '--quiet', 'perl', '-MIO::Socket::INET', '-e', script)
  await expect.poll(() => connects(name, '127.0.0.1', PORT), { timeout: 20_000 }).toBe(true)
}

/** Fills a pool that has its own file system, and returns a function that frees the space again. */
export async function fillPool(pool: string): Promise<() => Promise<void>> {
  const file = fillerOf(pool)
  const { bavail, bsize } = await statfs(dirname(file))
  await writeFile(file, '')
  await run('fallocate', ['--length', String((bavail - ROOM_BLOCKS) * bsize), file])
  const rest = await open(file, 'a')
  try {
    for (const piece = Buffer.alloc(bsize); ;) await rest.write(piece)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    await rest.close()
  }
  return () => rm(file)
}
const fillerOf = (pool: string) => join('/var/lib/lxd/storage-pools', pool, 'filler')
/** Blocks of a pool that are filled by writing, because no file can be allocated in them. */
const ROOM_BLOCKS = 8_192

/** The real daemon of this host, in a separate project, behind a socket that can lose replies. */
export async function lxdOf(host: LxdHost): Promise<TestProvider> {
  // An interrupted run may have left it.
  await rm(fillerOf(host.pool), { force: true })
  await removeProject(host)
  await lxc('project', 'create', PROJECT, '-c', 'features.images=false', '-c', 'features.profiles=false')
  const relay = await startRelay()
  const record = recordRuns()
  return {
    title: 'LXD',
    settings: {
      LXD_SOCKET: relay.path,
      LXD_PROJECT: PROJECT,
      LXD_POOL: host.pool,
      LXD_SIZES: 'small=1:512:5',
      LXD_NETWORK_RANGE: '10.199.0.0/16',
    },
    imagesHaveFiles: true,
    async prepare(portal) {
      await portal.runCommand('superadmin', SUPERADMIN)
      await portal.runCommand('lxd', 'Debian 12', 'small', IMAGE, '4.50')
      const token = await portal.sessionOf(SUPERADMIN)
      const post = async (path: string, body: object) => {
        const response = await fetch(`${portal.url}/api/admin/${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ organization: ORGANISATION, ...body }),
        })
        expect(response.status, await response.text()).toBe(200)
      }
      await post('organization', {})
      await post('users/invite', { email: ADMIN, userType: 'admin' })
      await post('assignTemplate', { template: 'Debian 12' })
      return { admin: ADMIN, superadmin: SUPERADMIN, organization: ORGANISATION, card: 'Debian 12' }
    },
    machines: async () =>
      new Map(
        (await instances())
          .filter(({ config }) => config['user.trainyard.machine'] !== undefined)
          // Root must delete machines that LXD cannot delete after a kill.
          .filter(({ name }) => !name.startsWith('leftover-'))
          .map(({ name, status }) => [name, status === 'Running']),
      ),
    loseReply: async (_portal, command) => relay.loseReply(REQUESTS[command]),
    async outside(_portal, name, change) {
      await inProject(change, name, ...(change === 'start' ? [] : ['--force']))
    },
    async limitMachines(_portal, isLimited) {
      if (isLimited) await lxc('project', 'set', PROJECT, 'limits.instances', String((await instances()).length))
      else await lxc('project', 'unset', PROJECT, 'limits.instances')
    },
    limitSentence: /^The LXD project has reached its number of machines/,
    setReachable: async (_portal, isReachable) => relay.setReachable(isReachable),
    async makeOrphan() {
      const [{ name }] = (await instances()) as [Instance]
      const tags = { 'user.trainyard.machine': randomUUID(), 'user.trainyard.name': 'orphan-x' }
      const config = Object.entries(tags).flatMap(([key, value]) => ['--config', `${key}=${value}`])
      await inProject('copy', name, 'orphan-x', '--instance-only', ...config)
      return 'orphan-x'
    },
    async saveCard(portal, name, imageId) {
      await portal.runCommand('lxd', name, 'small', imageId, '4.50')
    },
    async serve(_portal, { name, address }) {
      await listenIn(name)
      return () => connects(null, address, PORT)
    },
    secondsRun: async (_portal, name) => record.secondsOf(name),
    async close() {
      record.stop()
      relay.close()
      await removeProject(host)
      await host.stop()
    },
  }
}

const instances = async (): Promise<Instance[]> =>
  JSON.parse(await lxc('query', `/1.0/instances?recursion=1&project=${PROJECT}`)) as Instance[]

/** Deletes what these tests created, also those of an interrupted run. */
async function removeProject({ pool }: LxdHost): Promise<void> {
  const projects = JSON.parse(await lxc('query', '/1.0/projects')) as string[]
  if (projects.includes(`/1.0/projects/${PROJECT}`)) {
    for (const { name } of await instances()) {
      const remove = () => inProject('delete', '--force', name)
      try {
        await remove()
      } catch {
        if (!LEFTOVER.test(name)) continue
        const folder = `/var/lib/lxd/storage-pools/${pool}/containers/${PROJECT}_${name}`
        await rm(folder, { recursive: true, force: true })
        await remove().catch(() => {})
      }
    }
    await lxc('project', 'delete', PROJECT).catch(() => {})
  }
  const networks = JSON.parse(await lxc('query', '/1.0/networks?recursion=1')) as {
    name: string
    description: string
    managed: boolean
    config: Record<string, string>
  }[]
  for (const { name, description, managed, config } of networks) {
    // Only a training's own bridge has a name that follows from its description.
    if (!managed || name !== bridgeOf(description) || !config['ipv4.address']?.startsWith('10.199.')) continue
    await lxc('network', 'delete', name).catch(() => {})
    await lxc('network', 'acl', 'delete', description).catch(() => {})
  }
}

/** Sums the times between the daemon's events of starts and stops. */
function recordRuns() {
  const runs = new Map<string, { from: number; to: number | null }[]>()
  const args = ['monitor', '--project', PROJECT, '--type', 'lifecycle', '--format', 'json']
  const child: ChildProcess = spawn('lxc', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (line === '') return
    const { timestamp, metadata } = JSON.parse(line) as {
      timestamp: string
      metadata: { action: string; source: string }
    }
    const name = /^\/1\.0\/instances\/([^/?]+)/.exec(metadata.source)?.[1]
    if (name === undefined) return
    const own = runs.get(name) ?? []
    runs.set(name, own)
    const last = own.at(-1)
    const at = new Date(timestamp).getTime()
    if (metadata.action === 'instance-started') own.push({ from: at, to: null })
    if (['instance-shutdown', 'instance-stopped'].includes(metadata.action) && last?.to === null) last.to = at
  })
  return {
    secondsOf: (name: string) =>
      (runs.get(name) ?? []).reduce((sum, { from, to }) => sum + ((to ?? Date.now()) - from) / 1000, 0),
    stop: () => void child.kill(),
  }
}

/** A socket before that of the daemon, which passes everything on except what a test wants lost. */
async function startRelay() {
  const folder = mkdtempSync(join(tmpdir(), 'lxd-relay-'))
  const path = join(folder, 'unix.socket')
  const open = new Set<Socket>()
  let lost: RegExp | null = null
  let isReachable = true
  const server = createServer((client) => {
    if (!isReachable) return void client.destroy()
    const daemon = connect(SOCKET)
    let losesReply = false
    for (const [one, other] of [
      [client, daemon],
      [daemon, client],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (lost?.test(bytes.toString()) === true) {
        lost = null
        losesReply = true
      }
      daemon.write(bytes)
    })
    daemon.on('data', (bytes) => {
      if (losesReply) client.destroy()
      else client.write(bytes)
    })
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    path,
    loseReply: (request: RegExp) => void (lost = request),
    setReachable(reachable: boolean) {
      isReachable = reachable
      if (!reachable) for (const socket of open) socket.destroy()
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits a random time, so that a kill meets different moments. */
export const shortWhile = () => pause(Math.random() * 1_500)
