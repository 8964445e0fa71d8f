import { slot } from '@trainyard/platform/web/shell/module.ts'
import type { Settings } from './profile-form.ts'

/** Sections of Organisation Settings. */
export const organisationSections = slot<Whose & { organization: string; settings: Settings }, Whose>(
  'organisation.sections',
)

interface Whose {
  /** The organisation for calls that only a superadmin makes for another one. */
  readonly whose: { readonly organization?: string }
}

/** Actions of a row of People in addition to editing. */
export const personTools = slot<{ email: string }>('organisation.person')
