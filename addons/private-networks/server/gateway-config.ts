import { isPrivatePrefix } from '@trainyard/platform/contract/words/network.ts'
import { z } from 'zod'
import {
  dataFolder,
  type EgressProxy,
  egressProxy,
  environmentWith,
  productVersion,
} from '@trainyard/platform/server/config/config.ts'
import { environmentIn, text, url, secret } from '@trainyard/platform/server/config/environment.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'

/** Settings of a gateway agent, which runs apart from the portal. */
export interface GatewayConfig {
  readonly portal: string
  readonly token: string | null
  readonly dataDir: string
  readonly ranges: readonly string[] | null
  readonly machineProxy: string | null
  /** Proxy for the connection to the portal. */
  readonly egressProxy: EgressProxy | null
  readonly version: string
}

const variables = {
  GATEWAY_PORTAL: url(/^https?$/, 'https://portal.example.com').optional(),
  GATEWAY_TOKEN: secret(text.optional()),
  GATEWAY_RANGES: text
    .refine(
      (value) => value.split(',').every((prefix) => isPrivatePrefix(prefix.trim())),
      'must be private address ranges like 10.20.0.0/16, separated by commas',
    )
    .optional(),
  SSH_PROXY: secret(url(/^http$/, 'http://proxy.example.com:3128').optional()),
}

/**
 * Reads the settings of a gateway agent.
 * @throws ConfigError
 */
export function readGatewayConfig(environment: NodeJS.ProcessEnv = environmentWith({})): GatewayConfig {
  const read = environmentIn(environment, [{ variables }])
  const env = read.env as typeof read.env & z.output<z.ZodObject<typeof variables>>
  const portal = env.GATEWAY_PORTAL
  if (portal === undefined) throw new ConfigError('GATEWAY_PORTAL must be set to the address of the portal.')
  return {
    portal: portal.replace(/\/+$/, ''),
    token: env.GATEWAY_TOKEN ?? null,
    dataDir: dataFolder(env.TRAINYARD_DATA),
    ranges: env.GATEWAY_RANGES?.split(',').map((prefix) => prefix.trim()) ?? null,
    machineProxy: env.SSH_PROXY ?? null,
    egressProxy: egressProxy(env),
    version: productVersion(),
  }
}
