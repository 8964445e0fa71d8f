import { service } from '@trainyard/platform/web/shell/module.ts'

/** Path and search of the screen that shows what is planned on a day. Without a module that provides it, there is none. */
export const planOfDay =
  service<(date: string) => { readonly to: string; readonly search: Readonly<Record<string, string>> }>(
    'usage.plan-of-day',
  )
