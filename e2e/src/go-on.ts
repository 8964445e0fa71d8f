import type { Page } from '@playwright/test'

/** Goes to another screen within the page, as a link does: loading the page anew for each screen would take minutes. */
export const goOn = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
