import type { Page } from '@playwright/test'

/** Navigates within the page, as a link does. Reloading the page for each screen would take minutes. */
export const navigate = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
