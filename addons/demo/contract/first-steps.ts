import { orders } from '@trainyard/machines/contract/machine.ts'
import { invitations } from '@trainyard/users/contract/user.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { creditLimit } from '@trainyard/organisations/contract/organisation.ts'
import { email, name, newName } from '@trainyard/platform/contract/shapes.ts'

/** VM cards that one call assigns. */
const TEMPLATES_MAX = 50

const readers = ['admin', 'superadmin'] as const

/** Used by superadmins only. Admins always use their own organisation. */
const organisationRef = z.strictObject({ organization: name.optional() })

export const firstSteps = {
  createCustomer: call({
    route: 'POST /admin/customer',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Creates an organisation, invites its first admin, assigns VM cards to it and sets its credit limit, all or nothing.',
    audit: 'created an organisation with its first admin',
    limit: invitations,
    body: z.strictObject({
      organization: newName,
      email,
      templates: z
        .array(name)
        .max(TEMPLATES_MAX, `must contain at most ${TEMPLATES_MAX} templates`)
        .refine((names) => new Set(names).size === names.length, 'must not repeat a template'),
      creditLimit,
    }),
    once: true,
  }),
  createDemoClass: call({
    route: 'POST /admin/demo-class',
    for: readers,
    does: 'Orders two emulated machines for a training named Demo class. 409 if the portal creates real machines, or if there is one.',
    audit: 'created a demo class',
    limit: orders,
    body: organisationRef,
    once: true,
  }),
  removeDemoClass: call({
    route: 'DELETE /admin/demo-class',
    for: readers,
    does: 'Deletes the demo class with its machines and learners. 409 if there is none.',
    audit: 'deleted a demo class',
    body: organisationRef,
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    firstSteps: typeof firstSteps
  }
}
