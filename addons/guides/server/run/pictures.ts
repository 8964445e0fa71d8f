import { z } from 'zod'
import { machineName } from '@trainyard/platform/contract/shapes.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { Problem, signedOut, tooMany } from '@trainyard/platform/server/core/errors.ts'
import type { ServerModule } from '@trainyard/platform/server/core/module.ts'
import { requireSecondFactor } from '@trainyard/platform/server/core/second-factor-duty.ts'
import { authenticate, requireRole, requireScope, sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import { OF_PEOPLE } from '@trainyard/platform/server/http/limits.ts'
import { guideRun } from '../../contract/guide.ts'
import { GUIDE, PICTURES } from '../../contract/guide-words.ts'
import { guidePath } from '../format/schema.ts'
import { selectPicture } from '../queries.ts'
import { pictureTypeOf } from '../text/picture.ts'
import { openGuide } from './own-run.ts'

const querystring = z.strictObject({ vmName: machineName, version: z.uuid(), path: guidePath })

/** Pictures of one person in a minute. Those that the browser has already do not count. */
const PER_MINUTE = 600
const MINUTE_MS = 60_000

type Request = Parameters<typeof authenticate>[1]
type Reply = Parameters<typeof requireScope>[2]

const noPicture = () => new Problem('notFound', GUIDE.noPicture)

/** Serves the pictures of learners' guides. Browsers ask each time, because another learner may use the same one next. */
export const servePictures: NonNullable<ServerModule['routes']> = (server, parts) => {
  const { db, admission, callers, limits, publicUrl, secondFactor: rule } = parts
  const session = { cookieName: sessionCookie(publicUrl.startsWith('https:')), isUse: true, rule }
  const actors = new WeakMap<object, Actor>()
  const count = server.createRateLimit({
    max: PER_MINUTE,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => actors.get(request)!.id,
  })

  const options = {
    schema: { hide: true, querystring },
    config: { callClass: 'read' as const },
    /** Refuses a caller before the address is read. */
    onRequest: (request: Request, reply: Reply) =>
      admission.run(request, async () => {
        const identity = await callers.identify(request, parts, () => authenticate(db, request, session))
        requireScope(guideRun.show, identity, reply)
        requireRole(guideRun.show, identity)
        await limits.count(request, reply, OF_PEOPLE, identity)
        requireSecondFactor(identity.secondFactorDuty, undefined)
        if (identity.actor === null) throw signedOut()
        actors.set(request, identity.actor)
      }),
  }
  server.get(`/api${PICTURES}`, options, (request, reply) =>
    admission.run(request, async () => {
      const { vmName, version, path } = request.query as z.output<typeof querystring>
      const { version: own, guide, machine } = await openGuide(db, actors.get(request)!, vmName, 'no texts')
      if (own.id !== version) throw noPicture()
      const steps = guide.steps.map(({ id }) => id)
      const hash = (await selectPicture(db, own.id, steps, path)).rows[0]?.hash
      if (hash === undefined) throw noPicture()
      const tag = `"${hash.toString('hex')}"`
      const headers = { 'cache-control': 'private, no-cache', etag: tag }
      if (request.headers['if-none-match']?.includes(tag) === true) return reply.code(304).headers(headers).send()
      const counted = await count(request)
      if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttlInSeconds)
      const { content } = await db
        .selectFrom('guide_file')
        .select('content')
        .where('organisation_id', '=', machine.organisation_id)
        .where('hash', '=', hash)
        .executeTakeFirstOrThrow()
      const type = pictureTypeOf(content)
      if (type === null) throw noPicture()
      return reply.headers(headers).type(type).send(content)
    }),
  )
}
