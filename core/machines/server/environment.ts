import { isPrefix } from '@trainyard/platform/contract/words/network.ts'
import { text, url, secret } from '@trainyard/platform/server/config/environment.ts'
import { settings } from '@trainyard/platform/server/config/config.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    readonly remote: {
      /** Address of the remote-access page without a fragment. Without a gateway it is a page of the portal. */
      readonly page: string
      /** HTTP proxy for SSH connections to machines. The emulator is the proxy for its simulated addresses. */
      readonly sshProxy: string | null
      /** URL at which other API processes connect to this one; null: no other process connects. */
      readonly peerUrl: string | null
      /** IPv4 prefixes from which the portal connects to machines; empty: unknown, so any source is accepted. */
      readonly egress: readonly string[]
    }
  }
}

/** Address of the portal in the emulator's network. */
const EMULATED_EGRESS = '198.18.0.1/32'

const asPrefix = (value: string): string => (value.includes('/') ? value.trim() : `${value.trim()}/32`)

const variables = {
  REMOTE_ACCESS_URL: url(/^https?$/, 'https://guacamole.example.com/guacamole/')
    .optional()
    .describe(
      "Page of another gateway (Guacamole) for Web-based access, opened with `#/?username=...&password=...`. Default: the portal's own page.",
    ),
  PEER_URL: url(/^https?$/, 'http://10.0.0.7:4000')
    .optional()
    .describe(
      'URL at which the other API processes reach this one, different for each process. Needed with API processes on several hosts. Default: the address of HOST.',
    ),
  SSH_PROXY: secret(url(/^http$/, 'http://proxy.example.com:3128').optional()).describe(
    'HTTP proxy (CONNECT) for connections to machines. Default: direct connections; with the emulated Azure the emulator.',
  ),
  EGRESS_ADDRESSES: text
    .refine(
      (value) => value.split(',').every((given) => isPrefix(given.includes('/') ? given.trim() : `${given.trim()}/32`)),
      'must be addresses or address ranges like 203.0.113.7,198.51.100.0/28, separated by commas',
    )
    .optional()
    .describe(
      'IPv4 addresses or ranges from which the portal connects to machines, separated by commas. Only these, and ranges that an organisation adds, reach ports 22 and 3389 of machines. Default: any address.',
    ),
}

export const machines = settings({
  variables,
  read: (env, { emulated, emulatorUrl }) => ({
    config: {
      remote: {
        page: env.REMOTE_ACCESS_URL?.replace(/#.*$/, '') ?? '/remote/',
        sshProxy: env.SSH_PROXY ?? (emulated ? emulatorUrl : null),
        peerUrl: env.PEER_URL ?? null,
        egress: env.EGRESS_ADDRESSES?.split(',').map(asPrefix) ?? (emulated ? [EMULATED_EGRESS] : []),
      },
    },
  }),
})
