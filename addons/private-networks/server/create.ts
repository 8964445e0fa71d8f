import { randomUUID } from 'node:crypto'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { network } from '../contract/network.ts'
import type { PrivateNetworkId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { makeSigningKeys } from './protocol/signatures.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { ticketKeyContext } from './encryption-context.ts'

/** @throws Problem conflict if a network has that name */
export async function createNetwork(
  tx: Tx,
  seal: Pick<Seal, 'seal'>,
  { name, route, ranges }: BodyOf<typeof network.create>,
): Promise<PrivateNetworkId> {
  // The ID is part of the key's encryption context.
  const id = randomUUID() as PrivateNetworkId
  const keys = route === 'gateway' ? makeSigningKeys() : null
  const created = await tx
    .insertInto('private_network')
    .values({
      id,
      name,
      route,
      ranges,
      ticket_key: keys === null ? null : seal.seal(keys.privateKey, ticketKeyContext(id)),
      ticket_public_key: keys?.publicKey ?? null,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (created === undefined) throw conflict(`There is already a network named ${name}.`)
  return created.id
}
