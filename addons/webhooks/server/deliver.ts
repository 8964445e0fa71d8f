import type { Again } from '@trainyard/platform/server/run/reconcile/task.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { WebhookDeliveryId, WebhookEndpointId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { WebhookFailure, WebhookReply, Webhooks } from './webhooks-provider.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { webhookSecretContext } from './encryption-context.ts'
import { disableAutomatically, failPendingOfDisabled } from './disable.ts'
import { delayBefore } from './retry.ts'
import { signatureOf } from './signature.ts'
import { lockName } from '@trainyard/platform/server/db/client.ts'
import {
  selectLeasedLanes,
  lockFreeLanes,
  leaseLanes,
  selectNextDelivery,
  releaseLaneRow,
  type Candidate,
  DUE,
  PER_ORGANISATION,
  type Lane,
  type NextDelivery,
} from './queries.ts'

/** Maximum number of concurrent requests of one worker. */
const SLOTS = 32
/** Maximum number of slots for failing endpoints, because their requests often take the whole timeout. */
const SLOTS_OF_FAILING = 12

const FAILING_PER_ORGANISATION = 2

/** Maximum duration of a run. Its state is then reported, and the next run starts immediately. */
const RUN_MS = 240_000
const POLL_MS = 1_000

export const WEBHOOKS_DUE: RawBuilder<boolean> = sql<boolean>`exists (select from webhook_lane where ${DUE})`

interface Dependencies {
  readonly db: Db
  readonly seal: Seal
  readonly webhooks: Webhooks
  readonly jobQueue: JobQueue
  readonly onBug: (bug: unknown) => void
}

/** Returns a task that sends due deliveries. Its requests in progress continue from one run to the next. */
export function webhookDelivery(parts: Dependencies): (signal: AbortSignal) => Promise<Again | void> {
  const { db, onBug } = parts
  const inProgress = new Map<Promise<void>, Lane>()

  async function startDue(signal: AbortSignal): Promise<void> {
    const failing = [...inProgress.values()].filter(({ isFailing }) => isFailing).length
    const free = { all: SLOTS - inProgress.size, failing: SLOTS_OF_FAILING - failing }
    if (free.all <= 0) return
    for (const lane of await db.transaction().execute((tx) => claimLanes(tx, free))) {
      const sending: Promise<void> = deliverNext(parts, lane, signal)
        .catch((bug: unknown) => {
          if (!signal.aborted) onBug(bug)
        })
        .finally(() => inProgress.delete(sending))
      inProgress.set(sending, lane)
    }
  }

  return async (signal) => {
    const end = performance.now() + RUN_MS
    while (!signal.aborted) {
      await startDue(signal)
      if (inProgress.size === 0) return
      if (performance.now() > end) return { inSeconds: 0 }
      const timer = new AbortController()
      await Promise.race([...inProgress.keys(), pauseUntilAborted(POLL_MS, AbortSignal.any([signal, timer.signal]))])
      timer.abort()
    }
    await Promise.all(inProgress.keys())
  }
}

/** Resolves after the time, or as soon as the signal aborts. */
const pauseUntilAborted = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => undefined)

/** Leases due lanes within the limits per organisation and endpoint. */
async function claimLanes(tx: Tx, free: { readonly all: number; readonly failing: number }): Promise<Lane[]> {
  // Serialises the claims, so that the limits apply to all workers together.
  await lockName(tx, 'trainyard webhooks')
  const { rows: leased } = await selectLeasedLanes(tx)
  const { rows: due } = await lockFreeLanes(tx)
  const chosen = selectLanes(leased, due, free)
  if (chosen.length === 0) return []
  const { rows } = await leaseLanes(tx, chosen)
  const failing = new Set(chosen.flatMap(({ endpoint, isFailing }) => (isFailing ? [endpoint] : [])))
  return rows.map((row) => ({ ...row, isFailing: failing.has(row.endpoint) }))
}

/**
 * Returns the lanes of `due` that fit into the limits in addition to the `leased` ones. Organisations with the fewest requests
 * come first, so that large backlogs of slow receivers do not delay the events of others.
 */
export function selectLanes(
  leased: readonly Candidate[],
  due: readonly Candidate[],
  free: { readonly all: number; readonly failing: number },
): Candidate[] {
  const chosen: Candidate[] = []
  const count = (matches: (lane: Candidate) => boolean) => [...leased, ...chosen].filter(matches).length
  const requestsOf = ({ organisation }: Candidate) => count((other) => other.organisation === organisation)
  const fits = (lane: Candidate): boolean => {
    if (requestsOf(lane) >= PER_ORGANISATION) return false
    if (!lane.isFailing) return true
    return (
      chosen.filter(({ isFailing }) => isFailing).length < free.failing &&
      count(({ endpoint }) => endpoint === lane.endpoint) === 0 &&
      count(({ organisation, isFailing }) => isFailing && organisation === lane.organisation) < FAILING_PER_ORGANISATION
    )
  }
  let waiting = due
  while (chosen.length < free.all) {
    waiting = waiting.filter((lane) => !chosen.includes(lane) && fits(lane))
    const next = waiting.toSorted((a, b) => requestsOf(a) - requestsOf(b))[0]
    if (next === undefined) break
    chosen.push(next)
  }
  return chosen
}

/** Sends the oldest pending delivery of a lane and records the attempt, unless the lane has been claimed again. */
async function deliverNext(parts: Dependencies, lane: Lane, signal: AbortSignal): Promise<void> {
  const { db, webhooks, jobQueue } = parts
  const { rows } = await selectNextDelivery(db, lane.endpoint, lane.resource)
  const delivery = rows[0]
  if (delivery === undefined) {
    await db.transaction().execute(async (tx) => {
      if (await lockLane(tx, lane)) await releaseLane(tx, lane, 0)
    })
    return
  }
  const body = webhookBodyOf(delivery)
  const signed = signedHeaders(parts.seal, lane.endpoint, delivery, body)
  const started = performance.now()
  const reply = 'error' in signed ? signed : await webhooks.post(delivery.url, signed.headers, body, signal)
  const milliseconds = Math.round(performance.now() - started)
  const isDisabled = await db.transaction().execute(async (tx) => {
    if (!(await lockLane(tx, lane))) return false
    // The worker is stopping. The next worker repeats the request.
    if (signal.aborted && 'error' in reply) {
      await releaseLane(tx, lane, 0)
      return false
    }
    await tx
      .insertInto('webhook_attempt')
      .values({
        delivery_id: delivery.id,
        organisation_id: delivery.organisation,
        milliseconds,
        request_headers: JSON.stringify('error' in signed ? {} : signed.headers),
        ...attemptColumns(reply),
      })
      .execute()
    const { seconds, disabled } = await recordResult(tx, lane, delivery, reply)
    if (disabled !== null) await disableAutomatically(tx, jobQueue, lane.endpoint, disabled)
    await releaseLane(tx, lane, seconds)
    return disabled !== null
  })
  if (isDisabled) await db.transaction().execute(failPendingOfDisabled)
}

/** Returns the body of a delivery: the same bytes in every attempt. */
export const webhookBodyOf = ({ type, at, sequence, data }: Pick<NextDelivery, 'type' | 'at' | 'sequence' | 'data'>) =>
  JSON.stringify({ type, timestamp: at.toISOString(), data: { version: 1, sequence, ...data } })

function signedHeaders(
  seal: Seal,
  endpoint: WebhookEndpointId,
  { event, secret, formerSecret }: NextDelivery,
  body: string,
): { readonly headers: Readonly<Record<string, string>> } | WebhookFailure {
  // The timestamp is the real time, because receivers compare it with their own clock. Tests advance the portal's
  // clock.
  const timestamp = Math.floor(Date.now() / 1000)
  try {
    const secrets = [secret, ...(formerSecret === null ? [] : [formerSecret])].map((sealed) =>
      seal.open(sealed, webhookSecretContext(endpoint)),
    )
    return {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Trainyard-Webhooks/1.0',
        'webhook-id': event,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf(secrets, { id: event, timestamp, body }),
      },
    }
  } catch {
    return { error: 'The portal cannot decrypt the signing secret. Replace the secret of this endpoint.' }
  }
}

const attemptColumns = (reply: WebhookReply | WebhookFailure) =>
  'error' in reply
    ? { status: null, response_headers: null, response_body: null, error: reply.error }
    : {
        status: reply.status,
        response_headers: JSON.stringify(reply.headers),
        response_body: reply.body,
        error: null,
      }

/** Locks a lane. Returns false if another worker has leased it since, which increased its fence. */
async function lockLane(tx: Tx, { endpoint, resource, fence }: Lane): Promise<boolean> {
  const locked = await tx
    .selectFrom('webhook_lane')
    .select('fence')
    .where('endpoint_id', '=', endpoint)
    .where('resource', '=', resource)
    .where('fence', '=', fence)
    .forUpdate()
    .executeTakeFirst()
  return locked !== undefined
}

/**
 * Ends the lease. Deletes the lane if no delivery is pending, otherwise schedules its next attempt.
 * @param seconds time until the next attempt
 */
async function releaseLane(tx: Tx, { endpoint, resource }: Lane, seconds: number): Promise<void> {
  await releaseLaneRow(tx, endpoint, resource, seconds)
}

interface Outcome {
  /** Seconds until the lane's next attempt. */
  readonly seconds: number
  /** Reason for which the endpoint must be disabled; null: it stays enabled. */
  readonly disabled: 'gone' | 'failing' | null
}

/** Stores the state of a delivery and of its endpoint after an attempt. */
async function recordResult(
  tx: Tx,
  { endpoint }: Lane,
  { id, attempts }: NextDelivery,
  reply: WebhookReply | WebhookFailure,
): Promise<Outcome> {
  const status = 'error' in reply ? null : reply.status
  if (status !== null && status >= 200 && status < 300) {
    await setState(tx, id, 'delivered', attempts + 1)
    await tx
      .updateTable('webhook_endpoint')
      .set({ failing_since: null })
      .where('id', '=', endpoint)
      .where('failing_since', 'is not', null)
      .execute()
    return { seconds: 0, disabled: null }
  }
  const retryAfter = 'error' in reply ? undefined : reply.headers['retry-after']
  const seconds = status === 410 ? null : delayBefore(attempts + 1, { status, retryAfter }, Math.random())
  const { first_attempt_at } = await setState(tx, id, seconds === null ? 'failed' : 'pending', attempts + 1)
  const { failing_since } = await tx
    .updateTable('webhook_endpoint')
    .set({ failing_since: sql<Date>`coalesce(failing_since, portal_now())` })
    .where('id', '=', endpoint)
    .returning('failing_since')
    .executeTakeFirstOrThrow()
  if (status === 410) return { seconds: 0, disabled: 'gone' }
  if (seconds !== null) return { seconds, disabled: null }
  // If the endpoint started to fail after the first attempt of this delivery, another delivery succeeded between them.
  return { seconds: 0, disabled: failing_since! <= first_attempt_at! ? 'failing' : null }
}

const setState = (tx: Tx, id: WebhookDeliveryId, state: 'pending' | 'delivered' | 'failed', attempts: number) =>
  tx
    .updateTable('webhook_delivery')
    .set({ state, attempts, first_attempt_at: sql<Date>`coalesce(first_attempt_at, portal_now())` })
    .where('id', '=', id)
    .returning('first_attempt_at')
    .executeTakeFirstOrThrow()
