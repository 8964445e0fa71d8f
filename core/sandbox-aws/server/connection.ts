import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import type { AwsUsers } from './aws-users.ts'
import { egressFetch } from '@trainyard/platform/server/providers/egress.ts'
import type { AwsConnection } from './clients.ts'

export function awsConnectionOf(
  { aws, emulator }: Config,
  { awsCredentials, egressProxy }: Secrets,
): AwsConnection | null {
  if (awsCredentials === null) return null
  return {
    ...aws,
    credentials: awsCredentials,
    send: egressFetch(egressProxy),
    ...(aws.emulated ? { endpoint: emulator.url } : {}),
  }
}

export async function awsOf(
  config: Config,
  secrets: Secrets,
  overrides?: Partial<AwsConnection>,
): Promise<AwsUsers | null> {
  const connection = awsConnectionOf(config, secrets)
  if (connection === null) return null
  const { awsUsers } = await import('./users.ts')
  return awsUsers({ ...config.aws, ...connection, ...overrides })
}
