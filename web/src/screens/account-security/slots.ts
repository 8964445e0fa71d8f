import { slot } from '#src/shell/module.ts'

/** Sections of Account Security. */
export const securitySections = slot<object>('security.sections')
