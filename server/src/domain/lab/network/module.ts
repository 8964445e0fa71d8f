import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { networkHandlers } from './http.ts'
import type { Duplex } from 'node:stream'
import { gatewayCheck } from '../../../doctor/gateways.ts'
import { gatewaysOf } from '../../../remote/gateways/connect.ts'

type OpenStream = (connection: string, ticket: string, signal: AbortSignal) => Promise<Duplex> | null

declare module '../../../core/module.ts' {
  interface CallDependencies {
    /** URL at which other processes of the portal reach this one; null: the address of HOST. */
    readonly peerUrl: string | null
    readonly onAgents: (open: OpenStream) => void
  }
}

export default serverModule({
  name: 'private-networks',
  checks: ({ db, readable }) => [gatewayCheck(db, readable)],
  connectCalls({ config, db, seal }) {
    let own: OpenStream | null = null
    return {
      peerUrl: config.remote.peerUrl,
      onAgents: (open) => void (own = open),
      gateways: gatewaysOf({ db, seal, own: (...args) => own?.(...args) ?? null }),
    }
  },
  connectWorker: async ({ db, seal }) => ({ gateways: gatewaysOf({ db, seal, own: null }) }),
  calls: (parts) => ({ network: networkHandlers(parts) }),
  tables: {
    personal: {
      private_network: withoutOwner(
        'name route ranges held_at agent_version agent_address agent_ranges duplicate_addresses',
        '',
        'ticket_key ticket_public_key enrolment_hash agent_key',
      ),
    },
  },
})
