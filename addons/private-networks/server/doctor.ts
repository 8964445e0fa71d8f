import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { GATEWAY_CONNECTION_SOCKET } from '@trainyard/platform/contract/words/network.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { DEAD_MS } from './protocol/handshake.ts'
import { TICKET_HEADER, unsignedTicket } from './protocol/tickets.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { type Check, type Defect, greenUnless, notUsed } from '@trainyard/platform/server/doctor/check.ts'

/** Checks that the gateway agents of private networks are connected, and that this host reaches them. */
export function gatewayCheck(db: Db, readable: Check): Check {
  return {
    group: 'Gateways',
    name: 'connected and reachable',
    needs: [readable],
    otherwise: 'Try again. If the error persists, check the network between the hosts of the portal.',
    async run(signal) {
      const networks = await db
        .selectFrom('private_network')
        .select(['id', 'name', 'connection', 'held_at', 'seen_at', 'duplicate_seen_at'])
        .where('route', '=', 'gateway')
        .orderBy('name')
        .execute()
      if (networks.length === 0) return notUsed('There is no private network with a gateway.')
      const now = await portalNow(db)
      const problems = await Promise.all(
        networks.map(async ({ id, name, connection, held_at, seen_at, duplicate_seen_at }): Promise<Defect[]> => {
          const isAlive = connection !== null && seen_at!.getTime() > now.getTime() - DEAD_MS
          if (!isAlive) {
            return [
              {
                what: `No gateway of the network ${name} is connected.`,
                todo: 'Start it (npm run gateway); its output says why it cannot connect. Issue a token under Private Networks if none is enrolled.',
              },
            ]
          }
          const duplicate: Defect[] =
            duplicate_seen_at === null
              ? []
              : [
                  {
                    what: `Two gateways with the same identity were connected for the network ${name} on ${duplicate_seen_at.toISOString()}.`,
                    todo: 'If you did not start both, revoke the gateway under Private Networks, and enrol it again with a new token.',
                  },
                ]
          if (await hasConnection(held_at!, { network: id, connection }, signal)) return duplicate
          return [
            ...duplicate,
            {
              what: `The gateway of the network ${name} is connected to an API process at ${held_at}, which this host does not reach: its machines cannot be used through this host.`,
              todo: 'Set PEER_URL for each API process to a URL at which the other hosts reach it, and restart the processes.',
            },
          ]
        }),
      )
      return greenUnless(problems.flat(), `This host reaches ${networks.map(({ name }) => name).join(', ')}.`)
    },
  }
}

/**
 * Returns true if the process at this URL holds the agent's connection. That process refuses an unsigned ticket with
 * 403. All other processes answer 404.
 */
function hasConnection(
  heldAt: string,
  of: { readonly network: string; readonly connection: string },
  signal: AbortSignal,
): Promise<boolean> {
  const url = new URL(`/api${GATEWAY_CONNECTION_SOCKET}`, heldAt)
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const sent = send(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dHJhaW55YXJkIGRvY3Rvcg==',
        [TICKET_HEADER]: unsignedTicket(of),
      },
    })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 403)
    })
    sent.on('error', () => resolve(false))
    sent.end()
  })
}
