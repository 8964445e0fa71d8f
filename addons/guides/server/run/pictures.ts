import { z } from 'zod'
import { machineName } from '@trainyard/platform/contract/shapes.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { ServerModule } from '@trainyard/platform/server/core/module.ts'
import { requireSecondFactor } from '@trainyard/platform/server/core/second-factor-duty.ts'
import { authenticate, requireRole, requireScope, sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import { OF_PEOPLE } from '@trainyard/platform/server/http/limits.ts'
import { guideRun } from '../../contract/guide.ts'
import { GUIDE, PICTURES } from '../../contract/guide-words.ts'
import { selectPicture } from '../queries.ts'
import { pictureTypeOf } from '../text/picture.ts'
import { openGuide } from './own-run.ts'

const querystring = z.strictObject({ vmName: machineName, version: z.uuid(), path: z.string().max(200) })

/** Serves the pictures of learners' guides. A version never changes, so browsers keep what has its address. */
export const servePictures: NonNullable<ServerModule['routes']> = (server, parts) => {
  const { db, admission, callers, limits, publicUrl, secondFactor: rule } = parts
  const session = { cookieName: sessionCookie(publicUrl.startsWith('https:')), isUse: true, rule }
  const options = { schema: { hide: true, querystring }, config: { callClass: 'read' as const } }
  server.get(`/api${PICTURES}`, options, (request, reply) =>
    admission.run(request, async () => {
      const identity = await callers.identify(request, parts, () => authenticate(db, request, session))
      requireScope(guideRun.show, identity, reply)
      requireRole(guideRun.show, identity)
      await limits.count(request, reply, OF_PEOPLE, identity)
      requireSecondFactor(identity.secondFactorDuty, undefined)
      const { vmName, version, path } = request.query as z.output<typeof querystring>
      const { version: own, guide } = await openGuide(db, identity.actor!, vmName, 'no texts')
      if (own.id !== version) throw conflict(GUIDE.noPicture)
      const tag = `"${version}"`
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      const steps = guide.steps.map(({ id }) => id)
      const content = (await selectPicture(db, own.id, steps, path)).rows[0]?.content
      const type = content === undefined ? null : pictureTypeOf(content)
      if (type === null) throw conflict(GUIDE.noPicture)
      return reply
        .headers({ 'cache-control': 'private, max-age=31536000, immutable', etag: tag })
        .type(type)
        .send(content)
    }),
  )
}
