import type { Environment } from './environment.ts'

export interface OpenIdSettings {
  /** Origin of the emulator, the only provider that may be called without TLS; null: none. */
  readonly emulator: string | null
  readonly privateHosts: readonly string[]
}

export interface LmsSettings extends OpenIdSettings {
  /** Origins of LMSs in the private network. */
  readonly privateOrigins: readonly string[]
}

export const openIdSettings = (env: Environment, emulator: string | null): OpenIdSettings => ({
  emulator,
  privateHosts: env.OPENID_PRIVATE_HOSTS?.split(',') ?? [],
})

export const lmsSettings = (env: Environment, emulator: string | null): LmsSettings => ({
  emulator,
  privateHosts: [],
  privateOrigins: env.LMS_PRIVATE_ORIGINS?.split(',') ?? [],
})
