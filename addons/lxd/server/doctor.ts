import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type Check, type Defect, green, greenUnless, notUsed, red } from '@trainyard/platform/server/doctor/check.ts'
import { clockFinding, timed } from '@trainyard/platform/server/doctor/clock.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { type LxdClient, readAs } from './client.ts'
import type { LxdConfig } from './environment.ts'
import { TAGS } from './instances.ts'
import { bridgeOf } from './networks.ts'

interface LxdDoctor {
  /** Null: LXD is no provider of this portal. */
  readonly lxd: Pick<LxdConfig, 'at' | 'project' | 'pool'> | null
  readonly client: LxdClient | null
  /** Reads a kernel parameter of this host. */
  readonly kernel?: (path: string) => Promise<string>
}

/** Used space at which a pool needs attention: machines neither start nor stop cleanly on a full one. */
const FULL = 0.85
const INOTIFY = 8192

const server = z.object({
  auth: z.string(),
  environment: z.object({ server_version: z.string(), driver: z.string(), kernel_version: z.string() }),
})
const project = z.object({ config: z.record(z.string(), z.string()) })
const space = z.object({ space: z.object({ used: z.number(), total: z.number() }) })
const networks = z.array(
  z.object({ name: z.string(), description: z.string(), config: z.record(z.string(), z.string()).nullish() }),
)
const instances = z.array(
  z.object({
    name: z.string(),
    config: z.record(z.string(), z.string()),
    devices: z.record(z.string(), z.record(z.string(), z.string())),
  }),
)

export function lxdChecks({ lxd, client, kernel = (path) => readFile(path, 'utf8') }: LxdDoctor): Check[] {
  const group = 'LXD'
  if (lxd === null || client === null) {
    const none = async () => notUsed('LXD_SOCKET and LXD_URL are not set: LXD is no provider of machines.')
    return [{ group, name: 'trust', otherwise: '', run: none }]
  }
  const read = async <Shape extends z.ZodType>(shape: Shape, path: string, signal: AbortSignal, recursion = '0') => {
    const action = `read ${path === '' ? 'the server' : path}`
    return readAs(shape, (await client.send(action, path, { query: { recursion } }, signal)).metadata, action)
  }
  const trust: Check = {
    group,
    name: 'trust',
    otherwise:
      'Start LXD on its host (npm run host -w @trainyard/lxd). Check LXD_SOCKET, or LXD_URL and both certificates.',
    async run(signal) {
      const { auth, environment } = await read(server, '', signal)
      const advice = 'Trust the certificate on the LXD host without restriction: lxc config trust add cert.pem'
      if (auth !== 'trusted') return red("LXD does not trust the portal's certificate.", advice)
      try {
        // Only unrestricted clients read warnings.
        await client.send('read the warnings', 'warnings', {}, signal)
      } catch (error) {
        if (!(error instanceof CloudError) || error.kind !== 'unauthorised') throw error
        return red("The portal's certificate is restricted, so it cannot create the networks of trainings.", advice)
      }
      return green(`LXD ${environment.server_version} trusts the portal without restriction.`)
    },
  }
  const needs = [trust]
  const others: Check[] = [
    {
      group,
      name: 'project',
      needs,
      otherwise: `Correct LXD_PROJECT, or create the project: lxc project create ${lxd.project} -c features.images=false -c features.profiles=false`,
      async run(signal) {
        await client.checkProject(signal)
        const { config } = await read(project, `projects/${encodeURIComponent(lxd.project)}`, signal)
        if (lxd.project === 'default' || config['features.networks'] !== 'true')
          return green(`The project ${lxd.project} exists.`)
        return red(
          `The project ${lxd.project} has its own networks, on which LXD 5.0 has no bridges.`,
          `Set another LXD_PROJECT whose features.networks is false.`,
        )
      },
    },
    {
      group,
      name: 'pool space',
      needs,
      otherwise: `Correct LXD_POOL. These pools exist: lxc storage list`,
      async run(signal) {
        const { used, total } = (await read(space, `storage-pools/${encodeURIComponent(lxd.pool)}/resources`, signal))
          .space
        const percent = Math.round((used / total) * 100)
        if (used < FULL * total) return green(`The pool ${lxd.pool} is ${percent} % full.`)
        return red(
          `The pool ${lxd.pool} is ${percent} % full. On a full pool, no machine is created or started.`,
          'Delete unused images and machines, or enlarge the pool.',
        )
      },
    },
    {
      group,
      name: 'isolation',
      needs,
      otherwise: 'Try again. If the error persists, read lxd.log on the LXD host.',
      async run(signal) {
        const bridges = (await read(networks, 'networks', signal, '1')).filter(
          ({ name, description }) => bridgeOf(description) === name,
        )
        const machines = (await read(instances, 'instances', signal, '1')).filter(
          ({ config }) => config[TAGS.machine] !== undefined,
        )
        const defects: Defect[] = [
          ...bridges
            .filter(({ description, config }) => config?.['security.acls'] !== description)
            .map(({ name, description }) => ({
              what: `The network ${name} has no rules, so all ports of its machines are open.`,
              todo: `lxc network set ${name} security.acls=${description}`,
            })),
          ...machines
            .filter(({ devices }) => devices['eth0']?.['type'] === 'nic')
            .filter(({ devices }) => devices['eth0']!['security.port_isolation'] !== 'true')
            .map(({ name }) => ({
              what: `Neighbours reach all ports of ${name}.`,
              todo: `lxc config device set ${name} eth0 security.port_isolation=true`,
            })),
        ]
        return greenUnless(defects, `${bridges.length} networks and ${machines.length} machines are isolated.`)
      },
    },
    {
      group,
      name: 'inotify limit',
      needs,
      otherwise: `On the LXD host: sysctl -w fs.inotify.max_user_instances=${INOTIFY}`,
      async run() {
        const setting = 'fs.inotify.max_user_instances'
        if (lxd.at.kind === 'tls') return notUsed(`LXD runs on another host. Check there: sysctl ${setting}`)
        const limit = Number((await kernel(`/proc/sys/${setting.replaceAll('.', '/')}`)).trim())
        if (limit >= INOTIFY) return green(`${setting} is ${limit}.`)
        return red(
          `${setting} is ${limit}. With 128, the 13th machine never gets an address.`,
          `sysctl -w ${setting}=${INOTIFY}, and the same line in /etc/sysctl.d.`,
        )
      },
    },
    {
      group,
      name: 'KVM',
      needs,
      otherwise: '',
      async run(signal) {
        const { driver } = (await read(server, '', signal)).environment
        return driver.includes('qemu')
          ? green('The host can run virtual machines. The portal creates containers.')
          : notUsed('The host has no KVM. The portal creates containers, which need none.')
      },
    },
    {
      group,
      name: 'clock',
      needs,
      otherwise: 'Try again.',
      async run(signal) {
        const { result, ...times } = await timed(() => client.send('read the server', '', {}, signal))
        return clockFinding("LXD's clock", result.at, times)
      },
    },
  ]
  return [trust, ...others]
}
