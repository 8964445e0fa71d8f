import { orders } from '@trainyard/machines/contract/machine.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { name } from '@trainyard/platform/contract/shapes.ts'

const readers = ['admin', 'superadmin'] as const

/** Used by superadmins only. Admins always use their own organisation. */
const organisationRef = z.strictObject({ organization: name.optional() })

export const firstSteps = {
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
