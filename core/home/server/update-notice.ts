import { gt } from 'semver'
import { z } from 'zod'
import { productVersion } from '@trainyard/platform/server/config/config.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { StepError } from '@trainyard/platform/server/providers/errors.ts'
import type { guardedFetch } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { deleteUpdateNotice, selectUpdateNotice, upsertUpdateNotice } from './queries.ts'

/** Seconds after which a failed check is repeated, and in which the server must answer. */
const RETRY_SECONDS = 3600
const ANSWER_SECONDS = 10

const published = z.object({
  version: z
    .string()
    .max(20)
    .regex(/^\d+\.\d+\.\d+$/),
  url: z.url({ protocol: /^https$/ }).max(500),
})

/** Reads which version is published, and stores it if it is newer. Sends only the version of the portal. */
export async function checkForUpdate(
  db: Db,
  address: string,
  fetchGuarded: ReturnType<typeof guardedFetch>,
  signal = AbortSignal.timeout(ANSWER_SECONDS * 1_000),
): Promise<void> {
  const own = productVersion()
  const url = new URL(address)
  url.searchParams.set('version', own)
  try {
    const reply = await fetchGuarded(url.href, { method: 'GET', headers: { accept: 'application/json' }, signal })
    if (reply.status !== 200) throw new Error(`${url.host} answers ${reply.status}.`)
    const found = published.safeParse(parsed(await reply.text()))
    if (!found.success) throw new Error(`${url.host} does not answer with a version and its address.`)
    await (gt(found.data.version, own) ? upsertUpdateNotice(db, found.data) : deleteUpdateNotice(db))
  } catch (error) {
    throw new StepError('failed', `UPDATE_URL: ${(error as Error).message}`, {
      retryAfter: RETRY_SECONDS,
      cause: error,
    })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the published version if it is newer than this program, which may have been upgraded since the check. */
export async function updateNotice(db: Db): Promise<{ readonly version: string; readonly url: string } | null> {
  const { rows } = await selectUpdateNotice(db)
  const [found] = rows
  return found !== undefined && gt(found.version, productVersion()) ? found : null
}
