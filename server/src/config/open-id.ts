import type { Environment } from './environment.ts'

export interface OpenIdSettings {
  /** The origin of the emulator, which alone may be asked without TLS; null: there is none. */
  readonly emulator: string | null
  /** Names of hosts that may stand in a private network. */
  readonly privateHosts: readonly string[]
}

export const openIdSettings = (e: Environment, emulator: string | null): OpenIdSettings => ({
  emulator,
  privateHosts: e.OPENID_PRIVATE_HOSTS?.split(',') ?? [],
})
