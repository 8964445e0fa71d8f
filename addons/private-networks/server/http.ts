import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Network } from '../contract/network.ts'
import { ENROLMENT_HOURS } from '@trainyard/platform/contract/words/network.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { PrivateNetworkRow } from '../tables.gen.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { enrolmentToken } from './protocol/enrolment-token.ts'
import { DEAD_MS } from './protocol/handshake.ts'
import { fingerprintOf } from './protocol/signatures.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { createNetwork } from './create.ts'
import { lockNetwork } from './find.ts'
import { selectNetworks, countUses } from './queries.ts'

const NO_CONNECTION = { connection: null, held_at: null } as const
const NO_DUPLICATE = { duplicate_seen_at: null, duplicate_addresses: null } as const
const NO_TOKEN = { enrolment_hash: null, enrolment_expires_at: null } as const

export const networkHandlers = ({ seal }: { readonly seal: Seal }): HandlersOf<'network'> => ({
  async list(db) {
    const { rows } = await selectNetworks(db)
    return {
      networks: rows.map((row) => ({
        name: row.name,
        route: row.route,
        ranges: row.ranges,
        templates: row.templates,
        machines: row.machines,
        agent: row.route === 'gateway' ? agentOf(row, row.now) : null,
      })),
    }
  },

  async create(tx, { body }) {
    await createNetwork(tx, seal, body)
    return { message: `Network ${body.name} created.` }
  },

  async change(tx, { body, auditChange }) {
    const { id, name, ranges } = await lockNetwork(tx, body.network, 'change')
    await tx.updateTable('private_network').set({ ranges: body.ranges }).where('id', '=', id).execute()
    auditChange({ ranges }, { ranges: body.ranges })
    return { message: `The address ranges of ${name} are saved.` }
  },

  async remove(tx, { body, auditChange }) {
    const { id, name, route, ranges } = await lockNetwork(tx, body.network, 'change')
    const { rows } = await countUses(tx, id)
    const { templates, machines } = rows[0]!
    if (templates + machines > 0) {
      throw conflict(
        `${name} is used by ${templates} templates and ${machines} machines. Terminated machines count, because their configuration stays listed.`,
      )
    }
    await tx.deleteFrom('private_network').where('id', '=', id).execute()
    auditChange({ name, route, ranges }, null)
    return { message: `Network ${name} deleted.` }
  },

  async issueToken(tx, { body }) {
    const found = await lockNetwork(tx, body.network, 'change')
    if (found.ticket_public_key === null) throw conflict(`${found.name} is peered, so it has no gateway.`)
    const secret = randomBytes(32).toString('base64url')
    const { expires } = await tx
      .updateTable('private_network')
      .set({
        enrolment_hash: hashToken(secret),
        enrolment_expires_at: sql<Date>`portal_now() + make_interval(hours => ${ENROLMENT_HOURS})`,
      })
      .where('id', '=', found.id)
      .returning('enrolment_expires_at as expires')
      .executeTakeFirstOrThrow()
    return {
      message: `This token enrols a gateway of ${found.name} once, within ${ENROLMENT_HOURS} hours. Copy it now: it is not shown again.`,
      token: enrolmentToken({ network: found.id, secret, portal: fingerprintOf(found.ticket_public_key) }),
      expiresAt: expires!.toISOString(),
    }
  },

  async revoke(tx, { body }) {
    const { id, name } = await lockNetwork(tx, body.network, 'change')
    await tx
      .updateTable('private_network')
      .set({ ...NO_CONNECTION, ...NO_TOKEN, ...NO_DUPLICATE, agent_key: null, enrolled_at: null })
      .where('id', '=', id)
      .execute()
    return { message: `The gateway of ${name} is revoked. Its connections end within seconds.` }
  },
})

function agentOf(row: PrivateNetworkRow, now: Date): NonNullable<Network['agent']> {
  const isAlive = row.connection !== null && row.seen_at!.getTime() > now.getTime() - DEAD_MS
  const isTokenValid = row.enrolment_expires_at !== null && row.enrolment_expires_at > now
  return {
    state: row.agent_key === null ? 'never' : isAlive ? 'connected' : 'disconnected',
    enrolledAt: row.enrolled_at?.toISOString() ?? null,
    connectedAt: row.connected_at?.toISOString() ?? null,
    seenAt: row.seen_at?.toISOString() ?? null,
    version: row.agent_version,
    address: row.agent_address,
    ownRanges: row.agent_ranges,
    duplicate:
      row.duplicate_seen_at === null
        ? null
        : { seenAt: row.duplicate_seen_at.toISOString(), addresses: row.duplicate_addresses! },
    tokenExpiresAt: isTokenValid ? row.enrolment_expires_at!.toISOString() : null,
  }
}
