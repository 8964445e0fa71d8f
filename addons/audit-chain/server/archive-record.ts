import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Head } from './head.ts'

/** Last link of an archive, signed like a head. */
export interface Archive extends Head {
  readonly file: string
  readonly firstPosition: number
}

export const signedLink = ({ position, chain, signedAt, publicKey, signature }: Archive): Head => ({
  position,
  chain,
  signedAt,
  publicKey,
  signature,
})

export async function archives(db: Db): Promise<Archive[]> {
  const rows = await db.selectFrom('audit_archive').selectAll().orderBy('last_position').execute()
  return rows.map((row) => ({
    file: row.file,
    firstPosition: row.first_position,
    position: row.last_position,
    chain: row.chain.toString('hex'),
    signedAt: row.signed_at.toISOString(),
    publicKey: row.public_key.toString('hex'),
    signature: row.signature.toString('hex'),
  }))
}
