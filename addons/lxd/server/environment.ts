import { z } from 'zod'
import { isPrefix, isPrivatePrefix } from '@trainyard/platform/contract/words/network.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { settings } from '@trainyard/platform/server/config/config.ts'
import { allOrNone, text, url } from '@trainyard/platform/server/config/environment.ts'
import type { LxdSize } from './settings.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    /** Null: LXD is no provider of this portal. */
    readonly lxd: LxdConfig | null
  }
}

export interface LxdConfig {
  readonly at:
    | { readonly kind: 'socket'; readonly path: string }
    | {
        readonly kind: 'tls'
        readonly url: string
        readonly certificatePath: string
        readonly serverCertificatePath: string
      }
  readonly project: string
  readonly pool: string
  readonly sizes: readonly LxdSize[]
  readonly networkRange: string
  readonly closedRanges: readonly string[]
}

const SIZE = /^([a-z][a-z0-9-]{0,29})=(\d{1,3}):(\d{2,7}):(\d{1,5})$/

const variables = {
  LXD_SOCKET: text
    .optional()
    .describe('LXD or Incus as a provider of machines: socket on this host, such as `/var/lib/lxd/unix.socket`.'),
  DEMO_PROVIDER: z
    .enum(['lxd'], 'must be lxd')
    .optional()
    .describe(
      'Demo whose Linux machines are real: `lxd`, as `npm start -- --provider lxd`. Default: all of them are emulated.',
    ),
  LXD_URL: url(/^https$/, 'https://lxd.example.com:8443')
    .optional()
    .describe('LXD or Incus on another host, with both certificates.'),
  LXD_CLIENT_CERTIFICATE_PATH: text
    .optional()
    .describe("PEM file with the portal's certificate, which LXD trusts, and its private key."),
  LXD_SERVER_CERTIFICATE_PATH: text
    .optional()
    .describe(
      "PEM file with the certificate of the LXD server. No other certificate is accepted, not even a public one's.",
    ),
  LXD_PROJECT: text
    .regex(/^[\w.-]{1,63}$/, 'must be the name of a project')
    .default('default')
    .describe('LXD project of the machines.'),
  LXD_POOL: text
    .regex(/^[\w.-]{1,63}$/, 'must be the name of a storage pool')
    .default('default')
    .describe("LXD storage pool of the machines' disks."),
  LXD_SIZES: text
    .refine(
      (value) => value.split(',').every((each) => SIZE.test(each.trim())),
      'must be sizes like small=1:1024:10, separated by commas',
    )
    .default('small=1:1024:10,medium=2:4096:20')
    .describe('Sizes of LXD machines, separated by commas: name=cores:MiB of memory:GiB of disk.'),
  LXD_NETWORK_RANGE: text
    .refine(
      (value) => isPrivatePrefix(value) && value.endsWith('.0.0/16'),
      'must be a private range of /16, like 10.77.0.0/16',
    )
    .default('10.77.0.0/16')
    .describe('Private address range of /16 for LXD machines. Each training has a /24 of it.'),
  LXD_CLOSED_RANGES: text
    .refine(
      (value) => value.split(',').every((each) => isPrefix(each.trim())),
      'must be IPv4 prefixes, separated by commas',
    )
    .optional()
    .describe(
      'IPv4 prefixes that LXD machines cannot reach, separated by commas, besides private ranges and the addresses on which LXD listens: the public addresses of the host and of the portal.',
    ),
}

export const lxd = settings({
  variables,
  machines: true,
  read(env) {
    const isDemo = env.DEMO_PROVIDER !== undefined
    const at = addressIn(env) ?? (isDemo ? ({ kind: 'socket', path: SOCKET } as const) : null)
    if (at === null) return { config: { lxd: null } }
    const sizes = env.LXD_SIZES.split(',').map((each) => {
      const [, name, cores, memoryMb, diskGb] = SIZE.exec(each.trim())!
      return { name: name!, cores: Number(cores), memoryMb: Number(memoryMb), diskGb: Number(diskGb) }
    })
    const closedRanges = env.LXD_CLOSED_RANGES?.split(',').map((each) => each.trim()) ?? []
    const { LXD_PROJECT: project, LXD_POOL: pool, LXD_NETWORK_RANGE: networkRange } = env
    return {
      config: { lxd: { at, project, pool, sizes, networkRange, closedRanges } },
      // Real machines must not have the published passwords of the demo. DEMO_PROVIDER generates others.
      ...(isDemo ? {} : { emulated: false }),
    }
  },
})

/** Socket of Debian's LXD. */
const SOCKET = '/var/lib/lxd/unix.socket'

const TLS = ['LXD_URL', 'LXD_CLIENT_CERTIFICATE_PATH', 'LXD_SERVER_CERTIFICATE_PATH'] as const

/** @throws ConfigError if both the socket and the URL are given, or only some settings of TLS */
function addressIn(env: z.output<z.ZodObject<typeof variables>>): LxdConfig['at'] | null {
  const usesTls = allOrNone(env, 'LXD', TLS)
  if (env.LXD_SOCKET !== undefined) {
    if (usesTls) throw new ConfigError('Set only one of LXD_SOCKET and LXD_URL.')
    return { kind: 'socket', path: env.LXD_SOCKET }
  }
  if (!usesTls) return null
  return {
    kind: 'tls',
    url: env.LXD_URL!,
    certificatePath: env.LXD_CLIENT_CERTIFICATE_PATH!,
    serverCertificatePath: env.LXD_SERVER_CERTIFICATE_PATH!,
  }
}
