import { z } from 'zod'
import { defineCall } from '../call.ts'
import { message, name } from './shapes.ts'

const roles = ['superadmin'] as const

const whichOrganisation = z.strictObject({ organization: name })

export const organisation = {
  list: defineCall({
    method: 'GET',
    path: '/admin/organization',
    roles,
    summary: 'The names of all organisations, in alphabetical order.',
    reply: z.object({ organization: z.array(z.string()) }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/admin/organization',
    roles,
    summary: 'Makes an organisation.',
    body: whichOrganisation,
    reply: message,
    creates: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/admin/organization',
    roles,
    summary: 'Deletes an organisation; 409 while it has live machines or a balance.',
    body: whichOrganisation,
    reply: message,
  }),
}
