import { text } from '@trainyard/platform/server/config/environment.ts'
import { settings } from '@trainyard/platform/server/config/config.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    readonly openId: {
      /** Origin of the emulator, the only provider that may be called without TLS; null: none. */
      readonly emulator: string | null
      readonly privateHosts: readonly string[]
    }
    readonly dns: { readonly servers: readonly string[] }
  }
}

const variables = {
  OPENID_PRIVATE_HOSTS: text
    .regex(/^[a-z0-9.:-]+(,[a-z0-9.:-]+)*$/, 'must be names of hosts, separated by commas')
    .optional()
    .describe(
      "Hosts of organisations' identity providers that may have private addresses, separated by commas. All others need public addresses and https.",
    ),
  DNS_SERVERS: text
    .regex(
      /^[0-9a-f.:[\]]+(,[0-9a-f.:[\]]+)*$/i,
      'must be addresses like 10.0.0.53 or 10.0.0.53:5353, separated by commas',
    )
    .optional()
    .describe(
      'Name servers for the TXT records that verify domains, separated by commas. Default: those of the operating system, or the emulator.',
    ),
}

export const signIn = settings({
  variables,
  read: ({ OPENID_PRIVATE_HOSTS: hosts, DNS_SERVERS: servers }, { trustedEmulator: emulator }) => ({
    config: {
      openId: { emulator, privateHosts: hosts?.split(',') ?? [] },
      dns: { servers: servers?.split(',') ?? (emulator === null ? [] : [new URL(emulator).host]) },
    },
  }),
})
