import { slot } from '@trainyard/platform/web/shell/module.ts'
import type { Settings } from './profile-form.ts'

export interface KnownOrganisation {
  /** The organisation for calls that only a superadmin makes for another one. */
  readonly whose: { readonly organization?: string }
}

export interface ShownOrganisation extends KnownOrganisation {
  readonly organization: string
  readonly settings: Settings
}

/** Sections of the first page of Organisation Settings. */
export const organisationSections = slot<ShownOrganisation, KnownOrganisation>('organisation.sections')

/** Sections of the page about sign-in. */
export const signInSections = slot<ShownOrganisation, KnownOrganisation>('organisation.sign-in')

/** Actions of a row of People in addition to editing. */
export const personTools = slot<{ email: string }>('organisation.person')
