import { z } from 'zod'
import { defineCall } from '../call.ts'
import { creditLimit } from './organisation.ts'
import { email, message, name, newName } from './shapes.ts'

/** VM cards that one call assigns. */
const TEMPLATES_MAX = 50

const readers = ['admin', 'superadmin'] as const

/** Used by superadmins only. Admins always use their own organisation. */
const organisationRef = z.strictObject({ organization: name.optional() })

export const firstSteps = {
  createCustomer: defineCall({
    method: 'POST',
    path: '/admin/customer',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary:
      'Creates an organisation, invites its first admin, assigns VM cards to it and sets its credit limit, all or nothing.',
    body: z.strictObject({
      organization: newName,
      email,
      templates: z
        .array(name)
        .max(TEMPLATES_MAX, `must contain at most ${TEMPLATES_MAX} templates`)
        .refine((names) => new Set(names).size === names.length, 'must not repeat a template'),
      creditLimit,
    }),
    reply: message,
    creates: true,
  }),
  createDemoClass: defineCall({
    method: 'POST',
    path: '/admin/demo-class',
    roles: readers,
    freshProof: 'none: changes labs, not how users sign in',
    summary:
      'Orders two emulated machines for a training named Demo class. 409 if the portal creates real machines, or if there is one.',
    body: organisationRef,
    reply: message,
    creates: true,
  }),
  removeDemoClass: defineCall({
    method: 'DELETE',
    path: '/admin/demo-class',
    roles: readers,
    freshProof: 'none: changes labs, not how users sign in',
    summary: 'Deletes the demo class with its machines and learners. 409 if there is none.',
    body: organisationRef,
    reply: message,
  }),
}
