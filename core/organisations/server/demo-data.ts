import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { event } from '@trainyard/platform/server/core/events.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'

interface DemoOrganisation {
  readonly organisation: OrganisationId
  readonly seal: Pick<Seal, 'seal'>
  readonly emulatorUrl: string
}

/** The demo data of its first organisation is being created. Modules add their own. */
export const demoDataAdded = event<DemoOrganisation>('organisations.demoDataAdded')
