import { HOUR, type Limit } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call, type ReplyOf } from '@trainyard/platform/contract/call.ts'
import { OPERATING_SYSTEMS } from '@trainyard/platform/contract/words/limits.ts'
import { instant, name } from '@trainyard/platform/contract/shapes.ts'

/** Each call copies a disk at Azure, which stores and bills the image until it is deleted there. */
const images: Limit = { name: 'images', per: 'organisation', max: 1_000, seconds: 24 * HOUR }

export const image = {
  capture: call({
    route: 'POST /admin/capture',
    for: ['admin', 'superadmin'],
    does: 'Creates an image of a stopped machine. The machine remains usable.',
    audit: 'took a snapshot',
    limit: images,
    body: z.strictObject({ vm: name }),
    once: true,
  }),
  list: call({
    route: 'GET /admin/images',
    for: ['superadmin'],
    does: "Lists captured images, newest first. A ready image can be used as a template's imageId.",
    reply: z.object({
      images: z.array(
        z.object({
          machine: z.string(),
          os: z.enum(OPERATING_SYSTEMS),
          location: z.string(),
          organization: z.string(),
          createdTime: instant,
          status: z.enum(['In progress', 'Ready', 'Failed']),
          progress: z.number(),
          /** Why the capture failed, or why it takes longer than usual. */
          reason: z.string().nullable(),
          imageId: z.string().nullable(),
        }),
      ),
    }),
  }),
}

export type CapturedImage = ReplyOf<typeof image.list>['images'][number]

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    image: typeof image
  }
}
