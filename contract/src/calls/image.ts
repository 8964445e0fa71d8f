import { z } from 'zod'
import { defineCall, type ReplyOf } from '../call.ts'
import { OPERATING_SYSTEMS } from '../words/limits.ts'
import { instant, message, name } from './shapes.ts'

export const image = {
  capture: defineCall({
    method: 'POST',
    path: '/admin/capture',
    roles: ['admin', 'superadmin'],
    freshProof: 'none: changes labs, not how users sign in',
    summary: 'Creates an image of a stopped machine. The machine remains usable.',
    body: z.strictObject({ vm: name }),
    reply: message,
    creates: true,
  }),
  list: defineCall({
    method: 'GET',
    path: '/admin/images',
    roles: ['superadmin'],
    freshProof: 'none: reads only',
    summary: "Lists captured images, newest first. A ready image can be used as a template's imageId.",
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
