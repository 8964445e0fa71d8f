import { sql } from 'kysely'
import type { ApiKeyId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { KEY_PREFIX, KEYS_PER_PERSON } from '@trainyard/platform/contract/scope.ts'
import { isKeyExpired } from './api-key.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem, signedOut } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { ApiKeyRow } from '../tables.gen.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { enqueueSecretCreated } from '@trainyard/users/server/secret-created.ts'
import { newSecret } from '@trainyard/platform/server/core/token.ts'

/** Number of leading characters of a key that are shown in lists, enough to tell two keys apart. */
const SHOWN = KEY_PREFIX.length + 4

export const apiKeyHandlers = ({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'apiKey'> => ({
  async list(db, { actor }) {
    const rows = await db
      .selectFrom('api_key')
      .where(inScope(actor))
      .innerJoin('portal_user as maker', 'maker.id', 'api_key.user_id')
      .selectAll('api_key')
      .select(['maker.email', isKeyExpired.as('expired')])
      .orderBy('api_key.created_at', 'desc')
      .orderBy('api_key.id')
      .execute()
    return {
      keys: rows.map((row) => ({
        id: row.id,
        name: row.name,
        kind: row.kind,
        prefix: row.prefix,
        scopes: row.scopes,
        networks: row.networks,
        maker: row.email,
        created: row.created_at.toISOString(),
        expires: row.expires_at.toISOString(),
        used: row.used_at === null ? null : { at: row.used_at.toISOString(), address: row.used_address! },
        state: row.expired ? 'expired' : 'active',
      })),
    }
  },

  async read(db, { actor, apiKey }) {
    if (apiKey === null)
      throw new Problem('invalid', 'This call returns the API key of the request. Send one as a bearer token.')
    const { name, kind, scopes, expires_at } = await db
      .selectFrom('api_key')
      .select(['name', 'kind', 'scopes', 'expires_at'])
      .where('id', '=', apiKey.id)
      .executeTakeFirstOrThrow(signedOut)
    return {
      name,
      kind,
      scopes,
      expires: expires_at.toISOString(),
      email: actor.email,
      userType: actor.role,
      organization: actor.organisation?.name ?? null,
      timeZone: actor.organisation?.timeZone ?? null,
    }
  },

  async create(tx, { actor, address, body, auditChange }) {
    if (body.kind === 'service' && (actor.role !== 'admin' || actor.organisation === null)) {
      throw new Problem('forbidden', 'Only an admin of an organisation can create its service keys.')
    }
    await requireRoom(tx, actor.id)
    const key = newSecret(KEY_PREFIX)
    const created = await tx
      .insertInto('api_key')
      .values({
        token_hash: hashToken(key),
        prefix: key.slice(0, SHOWN),
        name: body.name,
        kind: body.kind,
        user_id: actor.id,
        // Roles without the right to make keys do not come here.
        role: actor.role as ApiKeyRow['role'],
        organisation_id: actor.organisation?.id ?? null,
        scopes: body.scopes,
        networks: sql<string[]>`array(select network(n::inet)::cidr from unnest(${body.networks}::text[]) as n)`,
        expires_at: sql<Date>`portal_now() + make_interval(days => ${body.days})`,
      })
      .onConflict((on) => on.doNothing())
      .returning(['id', 'expires_at', 'networks'])
      .executeTakeFirst()
    if (created === undefined) throw conflict('You already have an API key with this name.')
    const what = body.kind === 'service' ? 'service key' : 'API key'
    const secret = {
      what,
      name: body.name,
      expires: created.expires_at,
      link: '/admin/keys',
      button: 'API Keys',
    } as const
    await enqueueSecretCreated(tx, jobs, [actor.id], secret, { actor, address })
    auditChange(null, {
      id: created.id,
      name: body.name,
      kind: body.kind,
      scopes: body.scopes,
      networks: created.networks,
    })
    return {
      id: created.id,
      key,
      expires: created.expires_at.toISOString(),
      message: `The API key ${body.name} was created.`,
    }
  },

  async revoke(tx, { actor, body, auditChange }) {
    const revoked = await tx
      .deleteFrom('api_key')
      .where('id', '=', body.id as ApiKeyId)
      .where(inScope(actor))
      .returning(['id', 'name', 'kind', 'scopes', 'networks'])
      .executeTakeFirst()
    if (revoked === undefined) throw notFound('API key')
    auditChange(revoked, null)
    return { message: `The API key ${revoked.name} was revoked.` }
  },
})

/** SQL: true for the actor's own keys and, for an admin, all keys of the organisation. */
const inScope = ({ id, role, organisation }: Actor) =>
  role === 'admin' && organisation !== null
    ? sql<boolean>`(api_key.user_id = ${id} or api_key.organisation_id = ${organisation.id})`
    : sql<boolean>`api_key.user_id = ${id}`

/** Locks the user, so that concurrent calls cannot exceed the maximum. @throws Problem conflict */
async function requireRoom(tx: Tx, user: UserId): Promise<void> {
  await tx.selectFrom('portal_user').select('id').where('id', '=', user).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  if (count >= KEYS_PER_PERSON) {
    throw conflict(`You have ${KEYS_PER_PERSON} API keys. Revoke one before you create another.`)
  }
}
