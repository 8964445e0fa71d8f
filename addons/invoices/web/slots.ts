import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Beside the heading of Invoices. */
export const invoicesActions = slot<object>('invoices.actions')
/** Sections of Invoices, between those to be issued and those issued. */
export const invoicesSections = slot<object>('invoices.sections')
