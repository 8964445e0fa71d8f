import { ticketKeyContext } from './server/encryption-context.ts'
import { sql } from 'kysely'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { machinesOrdered } from '@trainyard/machines/server/events.ts'
import { routeTo } from '@trainyard/machines/server/operation/route.ts'
import { networkName, templatesPlaced } from '@trainyard/templates/server/place.ts'
import { networkHandlers } from './server/http.ts'
import type { Duplex } from 'node:stream'
import { gatewayCheck } from './server/doctor.ts'
import { gatewaysOf } from './server/gateways/connect.ts'
import { serveAgents } from './server/gateways/routes.ts'
import { networkNameOf, placeMachines, placeTemplates } from './server/place.ts'

type OpenStream = (connection: string, ticket: string, signal: AbortSignal) => Promise<Duplex> | null

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    readonly onAgents: (open: OpenStream) => void
  }
}

export default serverModule({
  name: 'private-networks',
  checks: ({ db, readable }) => [gatewayCheck(db, readable)],
  connectCalls({ db, seal }) {
    let own: OpenStream | null = null
    return {
      onAgents: (open) => void (own = open),
      gateways: gatewaysOf({ db, seal, own: (...args) => own?.(...args) ?? null }),
    }
  },
  connectWorker: async ({ db, seal }) => ({ gateways: gatewaysOf({ db, seal, own: null }) }),
  calls: (parts) => ({ network: networkHandlers(parts) }),
  routes: serveAgents,
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    sealed: [{ table: 'private_network', column: 'ticket_key', key: 'id', context: ticketKeyContext }],
    personal: {
      private_network: withoutOwner(
        'name route ranges held_at agent_version agent_address agent_ranges duplicate_addresses',
        '',
        'ticket_key ticket_public_key enrolment_hash agent_key',
      ),
    },
  },
  listens: [on(templatesPlaced, placeTemplates), on(machinesOrdered, placeMachines)],
  answers: [answer(networkName, networkNameOf)],
  sqlAnswers: [
    answerSql(
      routeTo,
      () => sql`(select jsonb_build_object('id', n.id, 'route', n.route, 'ranges', to_jsonb(n.ranges))
        from private_network n where n.id = machine.private_network_id)`,
    ),
  ],
})
