import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'

/** An authorised request of an identity provider. */
export interface ScimContext {
  readonly organisation: { readonly id: OrganisationId; readonly name: string }
  /** Name of the token, for audit rows. */
  readonly tokenName: string
  /** Base URL of the endpoint, for `meta.location`. */
  readonly base: string
  readonly jobs: JobQueue
}

export const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
