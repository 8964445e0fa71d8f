import { randomUUID } from 'node:crypto'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { network } from '@trainyard/contract/calls/network.ts'
import type { PrivateNetworkId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import { makeSigningKeys } from '../../../gateway/protocol/signatures.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { ticketKeyContext } from '../../../secrets/stored-secrets.ts'

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
