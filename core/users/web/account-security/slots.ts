import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Sections of Account Security. */
export const securitySections = slot<object>('security.sections')
