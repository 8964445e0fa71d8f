import type { Page } from '@playwright/test'

/** Opens a dialog of Class settings. */
export async function openClassSettings(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Class settings' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
